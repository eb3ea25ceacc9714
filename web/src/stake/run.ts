import { reportStake, requestStake } from "../api/actions.ts";
import type { Unit } from "../api/wallet.ts";
import { Cell } from "../lib/observable.ts";
import { say, text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { transferRunes, WalletError, type Session } from "../wallet/index.ts";

/**
 * One stake on its way. It outlives its tab, so that a look at another tab does not lose it.
 * address: asking for the stake address; sign: the wallet is asked; hand: the person sends by other means; report: the
 * transaction is told to the server; sent: the chain has the word; failed: the wallet or the server said no, which the
 * chain may contradict.
 */
export interface Run {
  owner: string;
  amount: bigint;
  phase: "address" | "sign" | "hand" | "report" | "sent" | "failed";
  address: string | null;
  txid: string | null;
  error: string | null;
  /** The server did not take the transaction id: it finds the deposit by itself. */
  hintLost: boolean;
  /** Ids of the units before: any other stake of this amount is ours. */
  before: ReadonlySet<string>;
}

export const run = new Cell<Run | null>(null);

function update(change: Partial<Run>): void {
  const now = run.get();
  if (now) run.set({ ...now, ...change });
}

export interface Stake {
  runeName: string;
  /** block:tx, for wallets that know runes by their ids only. */
  runeId: string | undefined;
  /** Base units. */
  amount: bigint;
  /** The wallet can't send runes: the person does, to the address that is shown. */
  byHand: boolean;
}

/** Asks for the stake address, has the wallet transfer, and tells the server the transaction. */
export async function startStake(session: Session, { runeName, runeId, amount, byHand }: Stake, units: readonly Unit[]): Promise<void> {
  const wallet = fieldsOf(session);
  run.set({
    owner: session.ordinals.address,
    amount,
    phase: "address",
    address: null,
    txid: null,
    error: null,
    hintLost: false,
    before: new Set(units.map((unit) => unit.id)),
  });
  try {
    const keys = { payment: session.payment.publicKey, ordinals: session.ordinals.publicKey };
    const target = await requestStake(wallet, keys, amount);
    update({ phase: byHand ? "hand" : "sign", address: target.address });
    if (byHand) return;
    const txid = await transferRunes({ runeName, runeId, amount, recipient: target.address });
    update({ phase: "report", txid });
    await reportStake(wallet, target.actionId, txid).catch(() => update({ hintLost: true }));
    update({ phase: "sent" });
  } catch (fault) {
    const known = fault instanceof WalletError || fault instanceof Error;
    update({ phase: "failed", error: known ? say(fault.message) : text.action.strange("postDemoStake") });
  }
}

/**
 * The unit that this stake became. Whatever the wallet said, the chain decides: a new stake of this amount is ours
 * even when the wallet reported a failure.
 */
export function unitOf(stake: Run, units: readonly Unit[]): Unit | undefined {
  const isNew = (unit: Unit): boolean => !unit.virtual && !stake.before.has(unit.id);
  if (stake.txid) return units.find((unit) => unit.txid === stake.txid && isNew(unit));
  if (stake.address === null) return undefined;
  return units.find((unit) => isNew(unit) && unit.runes === stake.amount);
}

/** Whether the stake was taken back since: then its steps say nothing that is true any more. */
export function isOver(unit: Unit | undefined): boolean {
  return unit !== undefined && unit.stage !== "PENDING_STAKE" && unit.stage !== "STAKED";
}

export type StepState = "waiting" | "running" | "done";

/** The four steps in order: sign, broadcast, seen, counted. */
export function stepsOf(stake: Run, unit: Unit | undefined): StepState[] {
  const signed = stake.txid !== null || unit !== undefined;
  const reported = unit !== undefined || stake.phase === "sent";
  const counted = unit !== undefined && unit.stage !== "PENDING_STAKE";
  const done = [signed, signed && reported, unit !== undefined, counted];
  const failed = stake.phase === "failed" && unit === undefined;
  const running = failed ? -1 : done.indexOf(false);
  return done.map((isDone, i) => (isDone ? "done" : i === running ? "running" : "waiting"));
}
