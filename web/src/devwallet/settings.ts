import type { NetworkName, PaymentType } from "./keys";

/** The dev wallet's persistent settings. */
export interface Settings {
  /** BIP-39 mnemonic. The keys of a dev network have no value, so it is stored unencrypted. */
  mnemonic: string;
  account: number;
  accounts: number;
  paymentType: PaymentType;
  network: NetworkName;
  /** Whether the pages of this origin have permission to read the account. */
  connected: boolean;
  autoConfirm: boolean;
  /** Whether runes_mint and runes_etch are the wallet's own methods. */
  nativeOrders: boolean;
}

export interface SettingsStore {
  load(): Promise<Settings | null>;
  save(settings: Settings): Promise<void>;
  /** Calls back with the settings that another tab of this origin saved. */
  watch(changed: (settings: Settings) => void): void;
}

const DATABASE = "moon-dev-wallet";
const TABLE = "settings";
const KEY = "current";

/**
 * Uses IndexedDB, because the product's disconnect empties local storage. In a damaged profile, where IndexedDB fails,
 * the page's wallet keeps its settings itself.
 */
export function indexedStore(factory: IDBFactory = indexedDB): SettingsStore {
  const tabs = new BroadcastChannel(DATABASE);
  return {
    load: () =>
      run<Settings | undefined>(factory, "readonly", (table) => table.get(KEY)).then(
        (saved) => saved ?? null,
        () => null,
      ),
    save: async (settings) => {
      await run(factory, "readwrite", (table) => table.put(settings, KEY)).catch(() => undefined);
      tabs.postMessage(settings);
    },
    watch: (changed) => tabs.addEventListener("message", ({ data }: MessageEvent<Settings>) => changed(data)),
  };
}

async function run<T>(
  factory: IDBFactory,
  mode: IDBTransactionMode,
  act: (t: IDBObjectStore) => IDBRequest,
): Promise<T> {
  const opening = factory.open(DATABASE, 1);
  opening.onupgradeneeded = () => void opening.result.createObjectStore(TABLE);
  const database = await resultOf(opening);
  try {
    return (await resultOf(act(database.transaction(TABLE, mode).objectStore(TABLE)))) as T;
  } finally {
    database.close();
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
