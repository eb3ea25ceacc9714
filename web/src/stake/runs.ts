import { hex } from "@scure/base";
import type { Form } from "../action/proven.ts";
import { Cell, type Observable } from "../lib/observable.ts";
import { digits, integer, list, object, text } from "../wallet/check.ts";
import { paymentEntry, paymentIds, type Entry } from "../wallet/storage.ts";

/** What the page can have done about a stake that it has begun. */
export interface Flow {
  prove(form: Form): Promise<void>;
  send(): Promise<void>;
  giveUp(): Promise<void>;
}

/**
 * One stake on its way. It outlives its tab, and from when the wallet is asked to send until the server has
 * the deposit it outlives the page. prove: the wallet signs a test; unproven: it did not; address: asking for
 * the stake address; sign: the wallet is asked; hand: the person sends by other means; report: the
 * transaction is told to the server; sent: the chain has the word; failed: the wallet or the server said no,
 * which the chain may contradict; unclear: nobody knows what the wallet did.
 */
export interface Run {
  id: string;
  owner: string;
  amount: bigint;
  phase: "prove" | "unproven" | "address" | "sign" | "hand" | "report" | "sent" | "failed" | "unclear";
  /** Of prove and unproven. */
  proof: { form: Form; error: string | null } | null;
  address: string | null;
  txid: string | null;
  error: string | null;
  /** After failed and unclear. looking: the server is asked; unseen: it has no deposit; away: it could not be asked. */
  look: "looking" | "unseen" | "away" | null;
  /** The server did not take the transaction id: it finds the deposit by itself. */
  hintLost: boolean;
  /** Ids of the units of this amount before: any other one is ours. */
  before: ReadonlySet<string>;
  /** The person goes on to another stake; this one is still followed. */
  behind: boolean;
  /** A reload would lose it: the browser's storage is full. */
  fragile: boolean;
  /** null for a stake of an earlier page. */
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

/** Room for a transaction id, taken before the wallet is asked: storage that is full by then can still note it. */
const ROOM = " ".repeat(64);
/** A deposit that nobody has seen for so long will not come, in ms. */
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

/** Phases in which runes may be on their way without the server's knowing. */
const underway: ReadonlySet<Run["phase"]> = new Set<Run["phase"]>(["sign", "report", "sent", "failed", "unclear"]);

/** All stakes on their way, oldest first. */
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

  /** The server has the deposit: nothing is left to remember after this page. */
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
    txid: txid ?? ROOM,
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
