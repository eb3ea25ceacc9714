import { hex } from "@scure/base";
import type { Failure } from "../lib/failure.ts";
import { Cell, type Observable } from "../lib/observable.ts";
import { digits, integer, object, oneOf, text } from "../wallet/check.ts";
import { paymentEntry, paymentIds, type Entry } from "../wallet/storage.ts";

/**
 * One request to the wallet to pay an order. The browser's storage keeps it from before the wallet is asked until the
 * server has seen the payment, so that neither a reload nor a wrong answer causes a second payment.
 */
export interface Attempt {
  id: string;
  /** Id of the order. */
  order: string;
  /** Destination and sats of the payment. */
  address: string;
  sats: string;
  /** Milliseconds since 1970. */
  at: number;
  /** asked: no answer yet; sent: the wallet returned the transaction; refused: the wallet refused or failed. */
  state: "asked" | "sent" | "refused";
  /** Empty until known. */
  txid: string;
  /** Number of payments of the same amount that the order had before. */
  alike: number;
}

/**
 * State of an attempt in this page only. pending: the wallet may still answer; unsaved: a reload would lose the
 * attempt, because the browser's storage is full.
 */
export interface Progress {
  pending: boolean;
  /**
   * The search for the payment. searching: the server is queried; notFound: the server has no payment; unreachable: the
   * server did not respond; found: the server has the payment. Null before the first search.
   */
  search: "searching" | "notFound" | "unreachable" | "found" | null;
  /** Why the wallet refused. */
  error: Failure | null;
  unsaved: boolean;
}

export type Tracked = Attempt & Progress;

/**
 * What the user can do about an order's payment. free: pay; pending: wait for the wallet; searching: wait for the
 * server; sent: wait for the network; unclear: check the wallet. Only free allows a payment without confirmation.
 */
export type PaymentState = "free" | "pending" | "searching" | "sent" | "unclear";

export function paymentStateOf(tracked: readonly Tracked[]): PaymentState {
  const open = tracked.filter(({ search }) => search !== "found");
  if (open.some(({ pending }) => pending)) return "pending";
  if (open.some(({ search }) => search === "searching")) return "searching";
  if (open.some(({ state }) => state === "sent")) return "sent";
  return open.every(({ state, search }) => state === "refused" && search === "notFound") ? "free" : "unclear";
}

const check = object({
  id: text({ min: 1 }),
  order: text({ min: 1 }),
  address: text({ min: 1 }),
  sats: digits,
  at: integer(0),
  state: oneOf("asked", "sent", "refused"),
  txid: text(),
  alike: integer(0),
});

/**
 * Reserves space for a transaction id before the wallet is asked, so that the id can be stored even if the storage is
 * full by then.
 */
const TXID_SPACE = " ".repeat(64);
/** Time, in ms, after which an attempt without a transaction is forgotten. */
const FORGET_MS = 60 * 24 * 3_600_000;

const initial: Progress = { pending: false, search: null, error: null, unsaved: false };

/** All attempts to pay, of this and earlier page loads. */
class Attempts implements Observable<readonly Tracked[]> {
  readonly #all = new Cell<readonly Tracked[]>(load());
  get = this.#all.get;

  subscribe = (listener: () => void): (() => void) => {
    const reload = (): void => this.#reload();
    window.addEventListener("storage", reload);
    reload(); // apply what other tabs stored while there was no listener
    const stop = this.#all.subscribe(listener);
    return () => {
      window.removeEventListener("storage", reload);
      stop();
    };
  };

  /** Stores an attempt before the wallet is asked. */
  begin(wanted: Pick<Attempt, "order" | "address" | "sats" | "alike">): string {
    const id = hex.encode(crypto.getRandomValues(new Uint8Array(8)));
    const attempt: Attempt = { ...wanted, id, at: Date.now(), state: "asked", txid: "" };
    const unsaved = !write(attempt);
    this.#all.set([...this.get(), { ...attempt, ...initial, pending: true, unsaved }]);
    return id;
  }

  /** Stores the wallet's answer, however late. */
  answer(id: string, change: { txid: string } | { error: Failure }): void {
    const sent = "txid" in change;
    this.#change(
      id,
      sent
        ? { state: "sent", txid: change.txid, search: null, pending: false }
        : { state: "refused", error: change.error, pending: false },
    );
  }

  /** Stops waiting for the answer. A later answer is still stored. */
  giveUp(id: string): void {
    this.#change(id, { pending: false });
  }

  setSearch(id: string, search: Progress["search"]): void {
    this.#change(id, { search });
  }

  /** The server has the payment, so it need not be stored. */
  markFound(id: string): void {
    entryOf(id).remove();
    this.#set(id, { search: "found", pending: false });
  }

  /** Removes the attempt at the user's request. */
  drop(id: string): void {
    entryOf(id).remove();
    this.#all.set(this.get().filter((one) => one.id !== id));
  }

  /** Applies changes that other tabs have stored. */
  #reload(): void {
    const saved = load();
    const known = new Map(this.get().map((one) => [one.id, one]));
    const changes = saved.filter(({ id, state }) => !known.has(id) || known.get(id)!.state !== state);
    const removed = new Set(
      this.get()
        .filter(({ id, search, unsaved }) => search !== "found" && !unsaved && !saved.some((one) => one.id === id))
        .map(({ id }) => id),
    );
    if (changes.length === 0 && removed.size === 0) return;
    const changed = new Map(changes.map((one) => [one.id, one]));
    const updated = this.get().filter(({ id }) => !removed.has(id)).map((one) => changed.get(one.id) ?? one);
    this.#all.set([...updated, ...changes.filter(({ id }) => !known.has(id))]);
  }

  #change(id: string, change: Partial<Tracked>): void {
    const now = this.get().find((one) => one.id === id);
    if (!now || now.search === "found") return;
    const saved = change.state === undefined ? !now.unsaved : write({ ...now, ...change });
    this.#set(id, { ...change, unsaved: !saved });
  }

  #set(id: string, change: Partial<Tracked>): void {
    this.#all.set(this.get().map((one) => (one.id === id ? { ...one, ...change } : one)));
  }
}

function entryOf(id: string): Entry<Attempt> {
  return paymentEntry(`order.${id}`, check);
}

function write(attempt: Attempt): boolean {
  return entryOf(attempt.id).write(check({ ...attempt, txid: attempt.txid || TXID_SPACE }, "attempt"));
}

function load(): Tracked[] {
  const ids = paymentIds().filter((id) => id.startsWith("order.")).map((id) => id.slice("order.".length));
  return ids.flatMap((id) => {
    const entry = entryOf(id);
    const read = entry.read();
    if (read && Date.now() - read.at < FORGET_MS) return [{ ...read, txid: read.txid.trim(), ...initial }];
    entry.remove();
    return [];
  });
}

export const attempts = new Attempts();
