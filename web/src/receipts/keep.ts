import { site } from "../lib/site.ts";

/** The document of one receipt: its canonical text, and its place in the storage. */
export interface ReceiptFile {
  /** Id of the batch and index in it: two different batches never have the same place. */
  place: readonly [batch: string, index: number];
  text: string;
}

/** Stores verified receipts by their owner. */
export interface ReceiptStorage {
  read(owner: string): Promise<string[]>;
  write(owner: string, files: readonly ReceiptFile[]): Promise<void>;
}

/** Storage in memory, which is lost when the page closes. */
export function memoryStorage(): ReceiptStorage {
  const owners = new Map<string, Map<string, string>>();
  return {
    read: (owner) => Promise.resolve([...(owners.get(owner)?.values() ?? [])]),
    write(owner, files) {
      const kept = owners.get(owner) ?? new Map<string, string>();
      for (const { place, text } of files) kept.set(place.join(" "), text);
      owners.set(owner, kept);
      return Promise.resolve();
    },
  };
}

const DATABASE = "moonfund-receipts";
const STORE = "receipts";
/** Some browsers never answer a request to open a database that they forbid. */
const OPEN_MS = 5_000;

/** Storage in IndexedDB of this browser. A key is [network, community, owner, batch, index]. */
export function indexedStorage(network: string, community: string): ReceiptStorage {
  const prefix = (owner: string): string[] => [network, community, owner];
  return {
    read: (owner) =>
      transact("readonly", async (store) => {
        // An array is above every text, so this is every key that begins with the prefix.
        const range = IDBKeyRange.bound(prefix(owner), [...prefix(owner), []]);
        return (await settled(store.getAll(range))) as string[];
      }),
    write: (owner, files) =>
      transact("readwrite", async (store) => {
        await Promise.all(files.map(({ place, text }) => settled(store.put(text, [...prefix(owner), ...place]))));
      }),
  };
}

async function transact<T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const database = await openDatabase();
  try {
    const transaction = database.transaction(STORE, mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener("complete", () => resolve());
      transaction.addEventListener("abort", () => reject(transaction.error ?? new DOMException("aborted")));
    });
    const [result] = await Promise.all([run(transaction.objectStore(STORE)), done]);
    return result;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const limit = new Promise<never>((_, reject) =>
    setTimeout(() => reject(new DOMException("no answer", "TimeoutError")), OPEN_MS),
  );
  const opened = async (): Promise<IDBDatabase> => {
    const request = indexedDB.open(DATABASE, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
    return settled(request);
  };
  return Promise.race([opened(), limit]);
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new DOMException("failed")));
  });
}

/** The kept receipts of an owner. lasts: false if some of them are lost when the page closes. */
export interface KeptTexts {
  texts: string[];
  lasts: boolean;
}

/** Keeps receipts in a storage, and in the page's memory if the storage fails: private windows may forbid it. */
export class Keep {
  readonly #storage: ReceiptStorage;
  readonly #memory = memoryStorage();

  constructor(storage: ReceiptStorage) {
    this.#storage = storage;
  }

  async read(owner: string): Promise<KeptTexts> {
    const inMemory = await this.#memory.read(owner);
    try {
      const texts = new Set([...(await this.#storage.read(owner)), ...inMemory]);
      return { texts: [...texts], lasts: inMemory.length === 0 };
    } catch {
      return { texts: inMemory, lasts: false };
    }
  }

  async write(owner: string, files: readonly ReceiptFile[]): Promise<void> {
    if (files.length === 0) return;
    try {
      await this.#storage.write(owner, files);
    } catch {
      await this.#memory.write(owner, files);
    }
  }
}

/** The receipts of this community that this browser keeps. */
export const kept = new Keep(indexedStorage(site.network, site.prefix));
