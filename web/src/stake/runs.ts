import { hex } from "@scure/base";
import type { Form } from "../action/proven.ts";
import type { Failure } from "../lib/failure.ts";
import { Cell, type Observable } from "../lib/observable.ts";
import { digits, integer, list, object, text } from "../wallet/check.ts";
import { paymentEntry, paymentIds, type Entry } from "../wallet/storage.ts";

/** The actions that the page offers for a stake that it has begun. */
export interface Flow {
  prove(form: Form): Promise<void>;
  rehearse(): Promise<void>;
  stakeAnyway(): Promise<void>;
  send(): Promise<void>;
  giveUp(): Promise<void>;
}

/** refused: the wallet can't sign the rehearsal; declined: it may sign another time. Null while the wallet signs. */
export interface RehearsalOutcome {
  result: "refused" | "declined" | null;
  why: string | null;
}

/**
 * A pending stake. It outlives its tab, and from the wallet's request until the server has the deposit it outlives the
 * page. prove: the wallet signs a test; unproven: the test failed; rehearse: the wallet signs the rehearsal;
 * unrehearsed: the rehearsal failed; address: requesting the stake address; sign: waiting for the wallet; manual: the
 * user sends by other means; report: reporting the transaction to the server; sent: waiting for the chain; failed: the
 * wallet or the server refused, but the transaction may still exist; unclear: the wallet's result is unknown.
 */
export interface Run {
  id: string;
  owner: string;
  amount: bigint;
  phase:
    | "prove"
    | "unproven"
    | "rehearse"
    | "unrehearsed"
    | "address"
    | "sign"
    | "manual"
    | "report"
    | "sent"
    | "failed"
    | "unclear";
  /** Set in phases prove and unproven. */
  proof: { form: Form; error: Failure | null } | null;
  /** Set in phases rehearse and unrehearsed: how the rehearsal ended, and why. */
  rehearsal: RehearsalOutcome | null;
  address: string | null;
  txid: string | null;
  error: Failure | null;
  /**
   * Set after failed and unclear. searching: the server is queried; notFound: the server has no deposit; unreachable:
   * the server did not respond.
   */
  search: "searching" | "notFound" | "unreachable" | null;
  /** The server did not accept the transaction id. It finds the deposit without it. */
  hintLost: boolean;
  /** Ids of earlier units of this amount: any other unit of this amount belongs to this stake. */
  before: ReadonlySet<string>;
  /** The user started another stake; this one is tracked in the background. */
  inBackground: boolean;
  /** A reload would lose it, because the browser's storage is full. */
  unsaved: boolean;
  /** null for a stake of an earlier page load. */
  flow: Flow | null;
}

const storedStake = object({
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

type StoredStake = NonNullable<ReturnType<Entry<ReturnType<typeof storedStake>>["read"]>>;

const entryOf = (id: string): Entry<StoredStake> => paymentEntry(`stake.${id}`, storedStake);

export const newId = (): string => hex.encode(crypto.getRandomValues(new Uint8Array(8)));

const initial = {
  phase: "address",
  proof: null,
  rehearsal: null,
  address: null,
  txid: null,
  error: null,
  search: null,
  hintLost: false,
  inBackground: false,
  unsaved: false,
} as const;

/** Phases in which runes may be in transit without the server's knowledge. */
const IN_TRANSIT: ReadonlySet<Run["phase"]> = new Set<Run["phase"]>(["sign", "report", "sent", "failed", "unclear"]);

/** All pending stakes, oldest first. */
class Runs implements Observable<readonly Run[]> {
  readonly #all = new Cell<readonly Run[]>(load());
  get = this.#all.get;
  subscribe = this.#all.subscribe;

  add(begun: Pick<Run, "id" | "owner" | "amount" | "before" | "flow">): void {
    this.#all.set([...this.get(), { ...initial, ...begun }]);
  }

  find(id: string): Run | undefined {
    return this.get().find((one) => one.id === id);
  }

  update(id: string, change: Partial<Run>): void {
    const now = this.find(id);
    if (!now) return;
    const next = { ...now, ...change };
    const refused = next.phase === "failed" && next.search === "notFound" && next.txid === null;
    if (refused) entryOf(id).remove();
    const unsaved = !refused && IN_TRANSIT.has(next.phase) && next.address !== null && !write(next);
    this.#all.set(this.get().map((one) => (one.id === id ? { ...next, unsaved } : one)));
  }

  /** The server has the deposit, so it need not be stored. */
  unstore(id: string): void {
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
      { ...initial, id, owner, amount: BigInt(read.amount), address, txid, phase, before: new Set(before), flow: null },
    ];
  });
}

export const runs = new Runs();
