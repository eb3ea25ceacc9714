import type { NetworkName, PaymentType } from "./keys";

/** Kinds of wallet, see kinds/. "standard": the dev wallet alone, which answers by the book. */
export const kindNames = ["standard", "xverse", "unisat", "leather", "okx", "magicEden", "phantom"] as const;
export type KindName = (typeof kindNames)[number];

/** What the dev wallet keeps from one page to the next. */
export interface Settings {
  /** BIP-39 words. Keys of a dev network: worth nothing, kept in the open. */
  mnemonic: string;
  account: number;
  accounts: number;
  paymentType: PaymentType;
  network: NetworkName;
  /** The page was given permission to read the account. */
  connected: boolean;
  autoConfirm: boolean;
  /** The kind of wallet that the page finds beside the dev wallet, with the same keys. */
  kind: KindName;
  /** runes_mint and runes_etch are the wallet's own methods. */
  nativeOrders: boolean;
}

export interface SettingsStore {
  load(): Promise<Settings | null>;
  save(settings: Settings): Promise<void>;
}

const DATABASE = "moon-dev-wallet";
const TABLE = "settings";
const KEY = "current";

/** IndexedDB, because the product's disconnect empties local storage. */
export function indexedStore(factory: IDBFactory = indexedDB): SettingsStore {
  return {
    load: async () => (await run<Settings | undefined>(factory, "readonly", (table) => table.get(KEY))) ?? null,
    save: async (settings) => void (await run(factory, "readwrite", (table) => table.put(settings, KEY))),
  };
}

async function run<T>(
  factory: IDBFactory,
  mode: IDBTransactionMode,
  act: (t: IDBObjectStore) => IDBRequest,
): Promise<T> {
  const opening = factory.open(DATABASE, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(TABLE);
  const database = await settled(opening);
  try {
    return (await settled(act(database.transaction(TABLE, mode).objectStore(TABLE)))) as T;
  } finally {
    database.close();
  }
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
