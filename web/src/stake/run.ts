import { proveCanSign, isConnected } from "../action/canSign.ts";
import { provenForm, rehearsed, rememberRehearsal, type Form } from "../action/proven.ts";
import { formFor, SigningError } from "../action/signer.ts";
import { reportStake, requestStake, type CustodyKind } from "../api/actions.ts";
import type { Unit } from "../api/wallet.ts";
import { failureOf, logged, PageError } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { translate } from "../lib/translate.ts";
import { walletName } from "../session/capability.ts";
import { fieldsOf } from "../session/session.ts";
import { signPsbt, transferRunes, WalletError, type Session } from "../wallet/index.ts";
import { newId, runs, type Flow, type RehearsalOutcome, type Run } from "./runs.ts";

export interface Stake {
  runeName: string;
  /** block:tx, for wallets that identify runes only by id. */
  runeId: string | undefined;
  /** Base units. */
  amount: bigint;
  /** The community's recovery delay in blocks. */
  delay: number;
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
 * One stake, step by step. The first stake of a wallet begins with a proof that the wallet can sign, and a rehearsal of
 * what a stake in self-custody needs: without signatures the runes could only be recovered after the delay, or never.
 */
export class StakeFlow implements Flow {
  readonly #session: Session;
  readonly #stake: Stake;
  readonly #fetchUnits: FetchUnits;
  readonly id = newId();
  #custody: CustodyKind = "self";

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

  /** Proves and rehearses if necessary, then sends. */
  async start(): Promise<void> {
    if (provenForm(this.#owner) !== null) return this.#continue();
    await this.prove(await formFor(this.#owner));
  }

  /** Has the wallet sign the test in this form, then continues. A second call replaces the first. */
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
    if (isCurrent()) await this.#continue();
  }

  /** Sends, or rehearses first. After a wallet failed the rehearsal, the user decides whether to try it again. */
  #continue(): Promise<void> {
    const before = rehearsed(this.#owner);
    if (before === "signed") return this.send();
    if (before === null) return this.rehearse();
    runs.update(this.id, { phase: "unrehearsed", rehearsal: { result: "refused", why: null } });
    return Promise.resolve();
  }

  /** Has the wallet sign the rehearsal, then sends. A second call replaces the first. */
  async rehearse(): Promise<void> {
    const attempt: RehearsalOutcome = { result: null, why: null };
    runs.update(this.id, { phase: "rehearse", proof: null, rehearsal: attempt });
    const failed = await signRehearsal(this.#session.ordinals, this.#stake.delay);
    if (failed?.result !== "declined") rememberRehearsal(this.#owner, failed ? "refused" : "signed");
    if (runs.find(this.id)?.rehearsal !== attempt) return;
    if (failed) return runs.update(this.id, { phase: "unrehearsed", rehearsal: failed });
    await this.send();
  }

  /** Stakes in operator custody, for a wallet that failed the rehearsal. */
  async stakeAnyway(): Promise<void> {
    this.#custody = "operator";
    await this.send();
  }

  /** Requests the stake address, has the wallet transfer, and reports the transaction to the server. */
  async send(): Promise<void> {
    const wallet = fieldsOf(this.#session);
    const { payment, ordinals } = this.#session;
    const { runeName, runeId, amount, delay, byHand } = this.#stake;
    const custody = this.#custody;
    runs.update(this.id, { phase: "address", proof: null, rehearsal: null, txid: null, error: null, search: null });
    let maybeSent = false;
    try {
      const keys = { payment: payment.publicKey, ordinals: ordinals.publicKey };
      const target = await requestStake(wallet, keys, amount, custody);
      (await import("./target.ts")).requireTarget(target, { custody, delay, owner: ordinals });
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

/**
 * Has the wallet sign the rehearsal of a withdrawal and a recovery. The library verifies both signatures. Returns why
 * it failed; null if both are valid.
 */
async function signRehearsal(key: Session["ordinals"], delay: number): Promise<RehearsalOutcome | null> {
  try {
    const { rehearsalPsbt } = await import("./rehearsal.ts");
    const psbt = rehearsalPsbt(key, delay);
    await signPsbt({ psbt, signInputs: { [key.address]: [0, 1] }, broadcast: false });
    return isConnected(key.address) ? null : { result: "declined", why: later.proof.switched };
  } catch (error) {
    if (!(error instanceof WalletError)) return { result: "refused", why: later.rehearsal.wrong(walletName()) };
    if (error.rejected) return { result: "declined", why: null };
    const why = translate(error.sentence);
    return { result: REFUSALS.has(error.kind) ? "refused" : "declined", why: later.rehearsal.why(why) };
  }
}

/** Failures that show that the wallet can't sign the rehearsal. After others, such as a locked wallet, it may. */
const REFUSALS: ReadonlySet<WalletError["kind"]> = new Set(["failed", "unreadable", "unsupported"] as const);

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
