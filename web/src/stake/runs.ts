import { hex } from "@scure/base";
import type { Form } from "../action/proven.ts";
import { Cell, type Observable } from "../lib/observable.ts";
import { digits, integer, list, object, text } from "../wallet/check.ts";
import { paymentEntry, paymentIds, type Entry } from "../wallet/storage.ts";

/** The actions that the page offers for a stake that it has begun. */
export interface Flow {
  prove(form: Form): Promise<void>;
  send(): Promise<void>;
  giveUp(): Promise<void>;
}

/**
 * A pending stake. It outlives its tab, and from the wallet's request until the server has the deposit it outlives the
 * page. prove: the wallet signs a test; unproven: the test failed; address: requesting the stake address; sign: waiting
 * for the wallet; hand: the user sends by other means; report: reporting the transaction to the server; sent: waiting
 * for the chain; failed: the wallet or the server refused, but the transaction may still exist; unclear: the wallet's
 * result is unknown.
 */
export interface Run {
  id: string;
  owner: string;
  amount: bigint;
  phase: "prove" | "unproven" | "address" | "sign" | "hand" | "report" | "sent" | "failed" | "unclear";
  /** Set in phases prove and unproven. */
  proof: { form: Form; error: string | null } | null;
  address: string | null;
  txid: string | null;
  error: string | null;
  /**
   * Set after failed and unclear. looking: querying the server; unseen: the server has no deposit; away: the server
   * could not be reached.
   */
  look: "looking" | "unseen" | "away" | null;
  /** The server did not accept the transaction id. It finds the deposit without it. */
  hintLost: boolean;
  /** Ids of earlier units of this amount: any other unit of this amount belongs to this stake. */
  before: ReadonlySet<string>;
  /** The user started another stake; this one is tracked in the background. */
  behind: boolean;
  /** A reload would lose it, because the browser's storage is full. */
  fragile: boolean;
  /** null for a stake of an earlier page load. */
  flow: Flow | null;
}

const kept = object({
  owner: text({ min: 1 }),
  amount: digits,
  address: text({ min: 1 }),
  txid: text(),
  at: integer(0),
  before: list(text()),
});

/**
 * Reserves space for a transaction id before the wallet is asked, so that the id can be stored even if the storage is
 * full by then.
 */
const TXID_SPACE = " ".repeat(64);
/** Time, in ms, after which a deposit that was never seen is forgotten. */
const FORGET_MS = 60 * 24 * 3_600_000;

type Kept = NonNullable<ReturnType<Entry<ReturnType<typeof kept>>["read"]>>;

const entryOf = (id: string): Entry<Kept> => paymentEntry(`stake.${id}`, kept);

export const newId = (): string => hex.encode(crypto.getRandomValues(new Uint8Array(8)));

const fresh = {
  phase: "address",
  proof: null,
  address: null,
  txid: null,
  error: null,
  look: null,
  hintLost: false,
  behind: false,
  fragile: false,
} as const;

/** Phases in which runes may be in transit without the server's knowledge. */
const underway: ReadonlySet<Run["phase"]> = new Set<Run["phase"]>(["sign", "report", "sent", "failed", "unclear"]);

/** All pending stakes, oldest first. */
class Runs implements Observable<readonly Run[]> {
  readonly #all = new Cell<readonly Run[]>(load());
  get = this.#all.get;
  subscribe = this.#all.subscribe;

  add(begun: Pick<Run, "id" | "owner" | "amount" | "before" | "flow">): void {
    this.#all.set([...this.get(), { ...fresh, ...begun }]);
  }

  find(id: string): Run | undefined {
    return this.get().find((one) => one.id === id);
  }

  update(id: string, change: Partial<Run>): void {
    const now = this.find(id);
    if (!now) return;
    const next = { ...now, ...change };
    const refused = next.phase === "failed" && next.look === "unseen" && next.txid === null;
    if (refused) entryOf(id).remove();
    const fragile = !refused && underway.has(next.phase) && next.address !== null && !write(next);
    this.#all.set(this.get().map((one) => (one.id === id ? { ...next, fragile } : one)));
  }

  /** The server has the deposit, so it need not be stored. */
  seen(id: string): void {
    entryOf(id).remove();
  }

  drop(id: string): void {
    entryOf(id).remove();
    this.#all.set(this.get().filter((one) => one.id !== id));
  }
}

function write({ id, owner, amount, address, txid, before }: Run): boolean {
  const at = entryOf(id).read()?.at ?? Date.now();
  return entryOf(id).write({
    owner,
    amount: amount.toString(),
    address: address!,
    txid: txid ?? TXID_SPACE,
    at,
    before: [...before],
  });
}

function load(): Run[] {
  const ids = paymentIds().filter((id) => id.startsWith("stake.")).map((id) => id.slice("stake.".length));
  return ids.flatMap((id): Run[] => {
    const read = entryOf(id).read();
    if (!read || Date.now() - read.at > FORGET_MS) {
      entryOf(id).remove();
      return [];
    }
    const { owner, address, before } = read;
    const txid = read.txid.trim() || null;
    const phase = txid ? "sent" : "unclear";
    return [
      { ...fresh, id, owner, amount: BigInt(read.amount), address, txid, phase, before: new Set(before), flow: null },
    ];
  });
}

export const runs = new Runs();
