import { type Check, object, text } from "./check.ts";

/**
 * What the wallet room keeps in local storage: a few typed entries under one prefix. Reading never
 * throws: an entry that is missing, damaged or from another version reads as null. Nothing is kept
 * where storage is forbidden; the session then lives as long as the page.
 */
const PREFIX = "moonfund.wallet.";

export interface Entry<T> {
  read(): T | null;
  write(value: T): void;
  remove(): void;
}

const fallback = new Map<string, string>();

function store(): Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear"> {
  try {
    if (globalThis.localStorage) return globalThis.localStorage;
  } catch {
    // Access itself throws where cookies are blocked.
  }
  return {
    getItem: (key) => fallback.get(key) ?? null,
    setItem: (key, value) => void fallback.set(key, value),
    removeItem: (key) => void fallback.delete(key),
    clear: () => fallback.clear(),
  };
}

function entry<T>(name: string, check: Check<T>): Entry<T> {
  const key = PREFIX + name;
  return {
    read() {
      const raw = store().getItem(key);
      if (raw === null) return null;
      try {
        return check(JSON.parse(raw), name);
      } catch {
        return null;
      }
    },
    write(value) {
      try {
        store().setItem(key, JSON.stringify(value));
      } catch {
        fallback.set(key, JSON.stringify(value)); // storage full: keep it for this page at least
      }
    },
    remove() {
      store().removeItem(key);
      fallback.delete(key);
    },
  };
}

const keyPair = object({ address: text({ min: 1 }), publicKey: text({ min: 1 }) });

export const stored = {
  /** Id of the wallet that was connected last. */
  provider: entry("provider", text({ min: 1 })),
  /** Addresses of the connected wallet. */
  session: entry("session", object({ payment: keyPair, ordinals: keyPair })),
};

/** Empties all local storage of this origin, not only ours (specification, section 4). */
export function clearAll(): void {
  store().clear();
  fallback.clear();
}
