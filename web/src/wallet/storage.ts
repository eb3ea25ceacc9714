import { type Check, object, text } from "./check.ts";

/**
 * What the wallet room keeps in the browser: typed entries under one prefix. Reading never throws: an entry
 * that is missing, damaged or from another version reads as null. An entry goes to the first place that takes
 * it: local storage, the tab's own storage where the first is full or forbidden, and else the page's memory.
 */
const PREFIX = "moonfund.wallet.";
/** Entries that a disconnect moves to the tab's storage: a payment that is under way must not be forgotten. */
const PAYMENT = "payment.";

export interface Entry<T> {
  read(): T | null;
  /** Keeps the value. False: only this page's memory took it, and a reload loses it. */
  write(value: T): boolean;
  remove(): void;
}

type Place = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const memory = new Map<string, string>();

const memoryPlace: Place = {
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => void memory.set(key, value),
  removeItem: (key) => void memory.delete(key),
  key: (index) => [...memory.keys()][index] ?? null,
  get length() {
    return memory.size;
  },
};

/** Access itself throws where cookies are blocked. */
function storage(name: "localStorage" | "sessionStorage"): Place[] {
  try {
    return globalThis[name] ? [globalThis[name]] : [];
  } catch {
    return [];
  }
}

/** Every place, the most lasting first. */
const places = (): Place[] => [...storage("localStorage"), ...storage("sessionStorage"), memoryPlace];

/** Keeps a text in the first of the places that takes it, and in no other. Gives that place. */
function keep(key: string, value: string, among: Place[]): Place {
  for (const place of places()) place.removeItem(key); // what it replaces makes room
  return among.find((place) => takes(place, key, value)) ?? memoryPlace;
}

function takes(place: Place, key: string, value: string): boolean {
  try {
    place.setItem(key, value);
    return true;
  } catch {
    return false; // full
  }
}

export function entry<T>(name: string, check: Check<T>): Entry<T> {
  const key = PREFIX + name;
  return {
    read() {
      const raw = places().map((place) => place.getItem(key)).find((value) => value !== null);
      try {
        return raw === undefined ? null : check(JSON.parse(raw!), name);
      } catch {
        return null;
      }
    },
    write: (value) => keep(key, JSON.stringify(value), places()) !== memoryPlace,
    remove: () => places().forEach((place) => place.removeItem(key)),
  };
}

/** The entry of one payment that is under way. It outlives a disconnect, within its tab. */
export function paymentEntry<T>(id: string, check: Check<T>): Entry<T> {
  return entry(PAYMENT + id, check);
}

/** Ids of all payment entries. */
export function paymentIds(): string[] {
  return places()
    .flatMap((place) => keysIn(place, PREFIX + PAYMENT))
    .map((key) => key.slice(PREFIX.length + PAYMENT.length));
}

function keysIn(place: Place, prefix: string): string[] {
  const all = Array.from({ length: place.length }, (_, i) => place.key(i));
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
 * Empties all local storage of this origin, not only ours (specification, section 4). Payments that are under
 * way move to the tab's storage.
 */
export function clearAll(): void {
  const payments = paymentIds().map((id) => PREFIX + PAYMENT + id);
  const kept = payments.map(
    (key) =>
      [
        key,
        places()
          .map((place) => place.getItem(key))
          .find((value) => value !== null),
      ] as const,
  );
  for (const place of places())
    for (const key of keysIn(place, place === memoryPlace ? "" : PREFIX)) place.removeItem(key);
  try {
    globalThis.localStorage?.clear();
  } catch {
    // Forbidden: there is nothing in it.
  }
  for (const [key, value] of kept) if (value) keep(key, value, [...storage("sessionStorage"), memoryPlace]);
}
