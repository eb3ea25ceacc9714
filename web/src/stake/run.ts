import { proveCanSign, isConnected } from "../action/canSign.ts";
import { provenForm, type Form } from "../action/proven.ts";
import { formFor, SigningError } from "../action/signer.ts";
import { reportStake, requestStake } from "../api/actions.ts";
import type { Unit } from "../api/wallet.ts";
import { failureOf, logged, PageError } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { transferRunes, WalletError, type Session } from "../wallet/index.ts";
import { newId, runs, type Flow, type Run } from "./runs.ts";

export interface Stake {
  runeName: string;
  /** block:tx, for wallets that identify runes only by id. */
  runeId: string | undefined;
  /** Base units. */
  amount: bigint;
  /** The wallet can't send runes: the user sends them to the displayed address. */
  byHand: boolean;
}

/** Fetches the owner's units. Throws if the server can't be reached. */
export type FetchUnits = () => Promise<readonly Unit[]>;

/**
 * Pauses in ms between requests for the deposit after the wallet refused: a transaction takes seconds to reach the
 * server.
 */
const PAUSES = [1_000, 2_000, 2_000, 3_000];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * One stake, step by step. The first stake of a wallet begins with a proof that the wallet can sign: without signatures
 * the runes could only be recovered after the delay.
 */
export class StakeFlow implements Flow {
  readonly #session: Session;
  readonly #stake: Stake;
  readonly #fetchUnits: FetchUnits;
  readonly id = newId();

  constructor(session: Session, stake: Stake, units: readonly Unit[], fetchUnits: FetchUnits) {
    this.#session = session;
    this.#stake = stake;
    this.#fetchUnits = fetchUnits;
    const before = units.filter((unit) => unit.runes === stake.amount).map((unit) => unit.id);
    runs.add({
      id: this.id,
      owner: session.ordinals.address,
      amount: stake.amount,
      before: new Set(before),
      flow: this,
    });
  }

  /** Proves if necessary, then sends. */
  async start(): Promise<void> {
    if (provenForm(this.#owner) !== null) return this.send();
    await this.prove(await formFor(this.#owner));
  }

  /** Has the wallet sign the test in this form, then sends. A second call replaces the first. */
  async prove(form: Form): Promise<void> {
    const attempt = { form, error: null };
    runs.update(this.id, { phase: "prove", proof: attempt });
    const isCurrent = (): boolean => runs.find(this.id)?.proof === attempt;
    try {
      await proveCanSign(this.#session, form);
    } catch (error) {
      const reason = failureOf(error instanceof SigningError ? error : null, text.action.unexpected("signMessage"));
      if (isCurrent()) runs.update(this.id, { phase: "unproven", proof: { form, error: reason } });
      return;
    }
    if (isCurrent()) await this.send();
  }

  /** Requests the stake address, has the wallet transfer, and reports the transaction to the server. */
  async send(): Promise<void> {
    const wallet = fieldsOf(this.#session);
    const { payment, ordinals } = this.#session;
    const { runeName, runeId, amount, byHand } = this.#stake;
    runs.update(this.id, { phase: "address", txid: null, error: null, search: null });
    let maybeSent = false;
    try {
      const target = await requestStake(wallet, { payment: payment.publicKey, ordinals: ordinals.publicKey }, amount);
      if (byHand) return runs.update(this.id, { phase: "manual", address: target.address });
      if (!isConnected(this.#owner)) throw new PageError(later.proof.switched);
      runs.update(this.id, { phase: "sign", address: target.address });
      maybeSent = true;
      const txid = await transferRunes({ runeName, runeId, amount, recipient: target.address });
      runs.update(this.id, { phase: "report", txid, error: null });
      await reportStake(wallet, target.actionId, txid).catch(() => runs.update(this.id, { hintLost: true }));
      runs.update(this.id, { phase: "sent" });
    } catch (error) {
      const failure = failureOf(logged(error), text.action.unexpected("postDemoStake"));
      runs.update(this.id, { phase: "failed", error: failure });
      if (maybeSent && !(error instanceof WalletError && !error.maybeSent)) await this.search();
      else runs.update(this.id, { search: "notFound" });
    }
  }

  /** Stops waiting for the wallet. A later answer is still stored. */
  async giveUp(): Promise<void> {
    runs.update(this.id, { phase: "unclear" });
    await this.search();
  }

  /**
   * Polls the server for the deposit for a few seconds: wallets report rejections of transactions that they have sent.
   */
  search(): Promise<void> {
    return searchStake(this.id, this.#fetchUnits);
  }

  get #owner(): string {
    return this.#session.ordinals.address;
  }
}

/** Same as StakeFlow.search, also for a stake of an earlier page load. */
export async function searchStake(id: string, fetchUnits: FetchUnits): Promise<void> {
  runs.update(id, { search: "searching" });
  let unreachable = false;
  for (const delay of [...PAUSES, null]) {
    const stake = runs.find(id);
    if (!stake || stake.txid !== null) return;
    try {
      if (unitOf(stake, await fetchUnits())) return runs.update(id, { search: null });
      unreachable = false;
    } catch {
      unreachable = true;
    }
    if (delay !== null) await pause(delay);
  }
  if (runs.find(id)?.txid === null) runs.update(id, { search: unreachable ? "unreachable" : "notFound" });
}

/**
 * Returns the unit of this stake. The chain decides, not the wallet: a new unit of this amount belongs to the stake
 * even if the wallet reported a failure.
 */
export function unitOf(stake: Run, units: readonly Unit[]): Unit | undefined {
  const isNew = (unit: Unit): boolean => !unit.virtual && !stake.before.has(unit.id);
  if (stake.txid) return units.find((unit) => unit.txid === stake.txid && isNew(unit));
  if (stake.address === null) return undefined;
  return units.find((unit) => isNew(unit) && unit.runes === stake.amount);
}

/** Whether the stake was unstaked or recovered since: its steps are no longer valid. */
export function isFinished(unit: Unit | undefined): boolean {
  return unit !== undefined && unit.stage !== "PENDING_STAKE" && unit.stage !== "STAKED";
}

/**
 * What the page knows about a stake. running: it continues; searching: after a failure the server is queried; failed:
 * the wallet refused and the server has no deposit, so no runes can be lost; unclear: the runes may have been sent.
 */
export type StakeProgress = "running" | "searching" | "failed" | "unclear";

export function progressOf({ phase, txid, search }: Run, unit: Unit | undefined): StakeProgress {
  if (unit !== undefined || txid !== null || (phase !== "failed" && phase !== "unclear")) return "running";
  if (search === "searching") return "searching";
  return phase === "failed" && search === "notFound" ? "failed" : "unclear";
}

export type StepState = "waiting" | "running" | "done";

/** Returns the states of the four steps: sign, broadcast, seen, counted. */
export function stepsOf(stake: Run, unit: Unit | undefined): StepState[] {
  const signed = stake.txid !== null || unit !== undefined;
  const reported = unit !== undefined || stake.phase === "sent";
  const counted = unit !== undefined && unit.stage !== "PENDING_STAKE";
  const done = [signed, signed && reported, unit !== undefined, counted];
  const failed = (stake.phase === "failed" || stake.phase === "unclear") && unit === undefined;
  const running = failed ? -1 : done.indexOf(false);
  return done.map((isDone, i) => (isDone ? "done" : i === running ? "running" : "waiting"));
}
