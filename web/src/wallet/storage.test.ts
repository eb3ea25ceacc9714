import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { text } from "./check.ts";
import { canStore, clearAll, entry, paymentEntry, paymentIds } from "./storage.ts";

const one = entry("one", text());
const paid = paymentEntry("order-7", text());

/** Makes these storages throw at every write, as full ones do. */
function full(...names: ("localStorage" | "sessionStorage")[]): void {
  const areas = names.map((name) => globalThis[name]);
  const original = Storage.prototype.setItem;
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(function (this: Storage, key, value) {
    if (areas.includes(this)) throw new DOMException("full", "QuotaExceededError");
    original.call(this, key, value);
  });
}

beforeEach(() => {
  sessionStorage.clear();
  clearAll();
  sessionStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

describe("a stored entry", () => {
  it("can be read in this page and the next", () => {
    expect(one.read()).toBeNull();
    expect(one.write("a")).toBe(true);
    expect(one.read()).toBe("a");
    expect(localStorage.getItem("moonfund.wallet.one")).toBe('"a"');
    one.remove();
    expect(one.read()).toBeNull();
  });

  it("is replaced without being removed, which other tabs would take for a disconnect", () => {
    one.write("a");
    const removed = vi.spyOn(Storage.prototype, "removeItem");
    one.write("b");
    expect(removed.mock.contexts).not.toContain(localStorage);
    expect(one.read()).toBe("b");
  });

  it("goes to session storage if local storage is full, and replaces the old value", () => {
    one.write("old");
    full("localStorage");
    expect(one.write("new")).toBe(true);
    expect(one.read()).toBe("new");
    expect(localStorage.getItem("moonfund.wallet.one")).toBeNull();
    expect(sessionStorage.getItem("moonfund.wallet.one")).toBe('"new"');
    vi.restoreAllMocks();
    one.write("newest");
    expect([one.read(), sessionStorage.length]).toEqual(["newest", 0]);
  });

  it("stays in memory if every storage is full, and write returns false", () => {
    one.write("old");
    full("localStorage", "sessionStorage");
    expect(one.write("new")).toBe(false);
    expect(one.read()).toBe("new");
    one.remove();
    expect(one.read()).toBeNull();
  });

  it("works if access to the storages throws", () => {
    const forbidden = { configurable: true, get: () => { throw new DOMException("no", "SecurityError"); } };
    const before = ["localStorage", "sessionStorage"].map(
      (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)!] as const,
    );
    for (const [name] of before) Object.defineProperty(globalThis, name, forbidden);
    expect(one.write("a")).toBe(false);
    expect(one.read()).toBe("a");
    clearAll();
    expect(one.read()).toBeNull();
    for (const [name, descriptor] of before) Object.defineProperty(globalThis, name, descriptor);
  });

  it("works if every call of the storages throws, also after they worked", () => {
    one.write("before");
    for (const name of ["getItem", "setItem", "removeItem", "key", "clear"] as const)
      vi.spyOn(Storage.prototype, name).mockImplementation(() => {
        throw new DOMException("io", "UnknownError");
      });
    vi.spyOn(Storage.prototype, "length", "get").mockImplementation(() => {
      throw new DOMException("io", "UnknownError");
    });
    expect(canStore()).toBe(false);
    expect(one.write("a")).toBe(false);
    expect(one.read()).toBe("a");
    expect(paid.write("txid")).toBe(false);
    expect(paymentIds()).toEqual(["order-7"]);
    clearAll();
    expect([one.read(), paid.read()]).toEqual([null, "txid"]);
  });

  it("is reported also if the tab's session storage works, which ends with the tab", () => {
    expect(canStore()).toBe(true);
    full("localStorage");
    expect(canStore()).toBe(false);
    expect(one.write("a")).toBe(true);
  });

  it("reads the newest value if a storage can be read only", () => {
    one.write("old");
    for (const name of ["setItem", "removeItem"] as const)
      vi.spyOn(Storage.prototype, name).mockImplementation(() => {
        throw new DOMException("io", "UnknownError");
      });
    expect(one.write("new")).toBe(false);
    expect(one.read()).toBe("new");
    one.remove();
    expect(one.read()).toBeNull();
  });

  it.each(["{", "7", "null"])("reads as null if it is damaged: %s", (raw) => {
    localStorage.setItem("moonfund.wallet.one", raw);
    expect(one.read()).toBeNull();
  });
});

describe("a pending payment", () => {
  it("survives a disconnect, which empties local storage", () => {
    one.write("a");
    localStorage.setItem("somebody else's", "b");
    expect(paid.write("txid")).toBe(true);
    clearAll();
    expect([localStorage.length, one.read(), paid.read()]).toEqual([0, null, "txid"]);
    expect(paymentIds()).toEqual(["order-7"]);
    clearAll();
    expect(paid.read()).toBe("txid");
    paid.remove();
    expect(paymentIds()).toEqual([]);
  });

  it("is not lost if all storages are full", () => {
    full("localStorage", "sessionStorage");
    expect(paid.write("txid")).toBe(false);
    clearAll();
    expect(paid.read()).toBe("txid");
  });
});
