import { type Check, object, text } from "./check.ts";

/**
 * Stores typed entries in the browser under one prefix. Reading never throws: an entry that is missing, damaged or of
 * another version reads as null. An entry goes to the first store that accepts it: local storage, session storage if
 * local storage is full or forbidden, or the page's memory. In a damaged profile every call of a storage may throw.
 */
const PREFIX = "moonfund.wallet.";
/** Entries that a disconnect moves to session storage, because a pending payment must not be forgotten. */
const PAYMENT = "payment.";
/** Entries that a disconnect also moves to session storage, because they contain nothing of the wallet. */
const KEPT = "kept.";

export interface Entry<T> {
  read(): T | null;
  /** Stores the value. Returns false if only this page's memory accepted it, so that a reload loses it. */
  write(value: T): boolean;
  remove(): void;
}

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const memory = new Map<string, string>();

const memoryStore: Store = {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
  key: (index) => [...memory.keys()][index] ?? null,
  get length() {
    return memory.size;
  },
};

/** The property itself throws if cookies are blocked, and `length` may throw like the methods. */
function storage(name: "localStorage" | "sessionStorage"): Store[] {
  try {
    const store = globalThis[name];
    return store && store.length >= 0 ? [store] : [];
  } catch {
    return [];
  }
}

/** Every store, the most persistent first. */
const stores = (): Store[] => [...storage("localStorage"), ...storage("sessionStorage"), memoryStore];

function attempt<T>(call: () => T, otherwise: T): T {
  try {
    return call();
  } catch {
    return otherwise;
  }
}

/** Returns false if the store is full, or does not work. */
function tryWrite(store: Store, key: string, value: string): boolean {
  return attempt(() => {
    store.setItem(key, value);
    return true;
  }, false);
}

/** Reads from memory first: it has a value only if the others refused a newer one, or could not remove theirs. */
function readFirst(key: string): string | null {
  const values = [memoryStore, ...stores()].map((store) => attempt(() => store.getItem(key), null));
  return values.find((value) => value !== null) ?? null;
}

/** In memory, of an entry that another store could not remove. */
const REMOVED = "null";

function removeAll(key: string): void {
  for (const store of stores()) attempt(() => store.removeItem(key), undefined);
  if (readFirst(key) !== null) memory.set(key, REMOVED);
}

/**
 * Stores a text in the first store that accepts it, and removes it from the others. Returns that store. A value is
 * replaced and not removed first: other tabs would see the removal, and take it for a disconnect.
 */
function keep(key: string, value: string, among: Store[]): Store {
  if (!tryWrite(among[0]!, key, value)) removeAll(key); // frees the space of the replaced value
  const store = among.find((candidate) => tryWrite(candidate, key, value)) ?? memoryStore;
  for (const other of stores()) if (other !== store) attempt(() => other.removeItem(key), undefined);
  return store;
}

export function entry<T>(name: string, check: Check<T>): Entry<T> {
  const key = PREFIX + name;
  return {
    read() {
      const raw = readFirst(key);
      try {
        return raw === null || raw === REMOVED ? null : check(JSON.parse(raw), name);
      } catch {
        return null;
      }
    },
    write: (value) => keep(key, JSON.stringify(value), stores()) !== memoryStore,
    remove: () => removeAll(key),
  };
}

/** The entry of one pending payment. It survives a disconnect, within its tab. */
export function paymentEntry<T>(id: string, check: Check<T>): Entry<T> {
  return entry(PAYMENT + id, check);
}

/** An entry about the server and not about the wallet. It survives a disconnect, within its tab. */
export function keptEntry<T>(name: string, check: Check<T>): Entry<T> {
  return entry(KEPT + name, check);
}

/** Returns the ids of all payment entries. */
export function paymentIds(): string[] {
  return stores()
    .flatMap((store) => keysIn(store, PREFIX + PAYMENT))
    .map((key) => key.slice(PREFIX.length + PAYMENT.length));
}

function keysIn(store: Store, prefix: string): string[] {
  const all = attempt(() => Array.from({ length: store.length }, (_, i) => store.key(i)), []);
  return all.filter((key): key is string => key !== null && key.startsWith(prefix));
}

const keyPair = object({ address: text({ min: 1 }), publicKey: text({ min: 1 }) });

export const stored = {
  /** Id of the wallet that was connected last. */
  provider: entry("provider", text({ min: 1 })),
  /** Addresses of the connected wallet. */
  session: entry("session", object({ payment: keyPair, ordinals: keyPair })),
};

/**
 * Empties all local storage of this origin, including the entries of other code (specification, section 4). Pending
 * payments and entries about the server move to session storage.
 */
export function clearAll(): void {
  const kept = stores().flatMap((store) => [...keysIn(store, PREFIX + PAYMENT), ...keysIn(store, PREFIX + KEPT)]);
  const removed = kept.map((key) => [key, readFirst(key)] as const);
  for (const store of stores()) for (const key of keysIn(store, store === memoryStore ? "" : PREFIX)) removeAll(key);
  try {
    globalThis.localStorage?.clear();
  } catch {
    // Access is forbidden, so there is nothing to remove.
  }
  for (const [key, value] of removed)
    if (value && value !== REMOVED) keep(key, value, [...storage("sessionStorage"), memoryStore]);
}

/** Reports whether local storage works: without it, what is stored is lost at the latest when the page is closed. */
export function canStore(): boolean {
  const [local] = storage("localStorage");
  if (!local) return false;
  const probe = `${PREFIX}probe`;
  const isKept = tryWrite(local, probe, "");
  attempt(() => local.removeItem(probe), undefined);
  return isKept;
}
