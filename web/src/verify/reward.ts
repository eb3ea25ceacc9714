import { verifySuccessor } from "./chain.ts";
import { readDetails, splitBudget, verifyDetails, type Details } from "./details.ts";
import { DocumentError } from "./errors.ts";
import { messageOf, type Outcome } from "./report.ts";
import { fetchText, MissingError, UnavailableError } from "./source.ts";
import { readSigned, type Signed } from "./statement.ts";
import { readProof, verifyProof } from "./tree.ts";

export type RewardStep = "signature" | "chain" | "recomputed" | "counted" | "shown";

/** One check of a reward. `detail` says in English what was compared or what is wrong. */
export interface RewardLine {
  step: RewardStep;
  outcome: Outcome;
  detail: string;
}

/** What the page shows for an owner: the newest settled epoch and its reward, 0 if there is none. */
export interface ShownReward {
  epoch: number;
  reward: bigint;
}

/** The result of checking a reward. */
export type RewardCheck =
  | { state: "none" }
  | { state: "unreachable" }
  | {
      state: "checked";
      lines: RewardLine[];
      epoch: number;
      /** The reward by the statement; null if there is no valid proof. */
      reward: bigint | null;
      /** Documents to save: name and text. */
      files: [name: string, text: string][];
    };

interface RewardRequest {
  /** Address of the community's statements. */
  base: string;
  /** The statement key that the page has. */
  key: string;
  owner: string;
  /** Returns what the page shows for an epoch. */
  shown: (epoch: number) => ShownReward | null;
}

/** Checks an owner's reward in the newest statement, with what the server publishes. */
export async function checkReward(request: RewardRequest): Promise<RewardCheck> {
  try {
    const head = await orNull(fetchText(`${request.base}/head`));
    return head === null ? { state: "none" } : await checkStatement(head, request);
  } catch (error) {
    if (error instanceof UnavailableError) return { state: "unreachable" };
    throw error;
  }
}

async function orNull(text: Promise<string>): Promise<string | null> {
  try {
    return await text;
  } catch (error) {
    if (error instanceof MissingError) return null;
    throw error;
  }
}

/** Collects the lines of a check. */
class Lines {
  readonly all: RewardLine[] = [];

  /** Adds the outcome of a check, which throws DocumentError or returns what was compared. */
  check(step: RewardStep, verify: () => string): void {
    try {
      this.all.push({ step, outcome: "passed", detail: verify() });
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      this.all.push({ step, outcome: "failed", detail: messageOf(error) });
    }
  }

  skip(step: RewardStep, detail: string): void {
    this.all.push({ step, outcome: "unchecked", detail });
  }
}

async function checkStatement(text: string, request: RewardRequest): Promise<RewardCheck> {
  const { base, key, owner } = request;
  const lines = new Lines();
  const found: { s?: Signed } = {};
  lines.check("signature", () => {
    const s = readSigned(text);
    found.s = s;
    if (s.key !== key) throw new DocumentError(`the statement is signed by ${s.key}, this page has the key ${key}`);
    return `statement ${s.sequence}, ${s.id}, key ${key}`;
  });
  const { s } = found;
  const checked = { state: "checked" as const, lines: lines.all };
  if (!s) return { ...checked, epoch: Number.NaN, reward: null, files: [["statement.json", text]] };
  await checkBefore(s, base, lines);
  const name = `${s.community}-${s.sequence}`;
  const files: [string, string][] = [[`${name}.json`, text]];
  const details = await orNull(fetchText(`${base}/${s.sequence}/details`));
  if (details !== null) files.push([`${name}-details.json`, details]);
  const due = checkDetails(details, s, owner, lines);
  const shown = request.shown(s.epoch);
  const proof = await orNull(fetchText(`${base}/${s.sequence}/proofs/${encodeURIComponent(owner)}`));
  if (proof !== null) files.push([`${name}-proof.json`, proof]);
  const isExpected = (due ?? 0n) > 0n || (shown?.reward ?? 0n) > 0n;
  let reward = isExpected ? null : 0n;
  if (proof === null && !isExpected) lines.skip("counted", `${owner} is not among the owners`);
  else reward = checkProof(proof, s, { owner, due }, lines);
  checkShown(shown, reward, s.epoch, lines);
  return { ...checked, epoch: s.epoch, reward, files };
}

/** Checks that a statement continues the one before it. */
async function checkBefore(s: Signed, base: string, lines: Lines): Promise<void> {
  if (s.sequence === 0) {
    lines.check("chain", () => "this is the first statement");
    return;
  }
  const text = await orNull(fetchText(`${base}/${s.sequence - 1}`));
  lines.check("chain", () => {
    if (text === null) throw new DocumentError(`statement ${s.sequence - 1} is missing`);
    const before = readSigned(text);
    verifySuccessor(s, before);
    return `continues statement ${before.sequence}, ${before.id}`;
  });
}

/** Computes the rewards again. Returns the owner's, or null if there are no valid details. */
function checkDetails(text: string | null, s: Signed, owner: string, lines: Lines): bigint | null {
  let due: bigint | null = null;
  if (text === null) {
    lines.skip("recomputed", `no details of statement ${s.sequence}: status 404`);
    return null;
  }
  lines.check("recomputed", () => {
    const details = readDetails(text);
    verifyDetails(details, s);
    const { inputs } = details;
    due = splitBudget(s.budget.amount, inputs).find((one) => one.owner === owner)?.reward ?? 0n;
    const all = `${inputs.length} inputs, ${s.owners.count} owners, budget ${s.budget.amount}, yours ${due} base units`;
    return [all, ...instructionsOf(details, owner)].join("; ");
  });
  return due;
}

/** What the details say about an owner's instructions to compound automatically, in English. */
function instructionsOf({ instructions }: Details, owner: string): string[] {
  return instructions
    .filter((one) => one.owner === owner)
    .map(({ id, first, last, end, rewards }) => {
      const compounded = rewards.length > 0 ? `, compounded your rewards of the epochs ${rewards.join(", ")}` : "";
      return `automatic compounding ${id} of the epochs ${first} to ${last}: ${end}${compounded}`;
    });
}

/** Checks an owner's proof. Returns its reward, or null if it is not valid. */
function checkProof(
  text: string | null, s: Signed, { owner, due }: { owner: string; due: bigint | null }, lines: Lines,
): bigint | null {
  let reward: bigint | null = null;
  lines.check("counted", () => {
    if (text === null) throw new DocumentError(`the statement leaves out ${owner}`);
    const proof = readProof(text);
    verifyProof(proof, s);
    if (proof.owner !== owner) throw new DocumentError(`the proof is for ${proof.owner}, not for ${owner}`);
    if (due !== null && proof.reward !== due) {
      throw new DocumentError(`the proof has a reward of ${proof.reward}, the inputs give ${due}`);
    }
    reward = proof.reward;
    return `stake ${proof.stake}, reward ${proof.reward}, owed ${proof.owed} base units`;
  });
  return reward;
}

/** Compares a reward with what the page shows. */
function checkShown(shown: ShownReward | null, reward: bigint | null, epoch: number, lines: Lines): void {
  if (shown === null) {
    lines.skip("shown", `this page shows no finished epoch ${epoch}`);
    return;
  }
  lines.check("shown", () => {
    if (reward === null) throw new DocumentError(`this page shows ${shown.reward}, and there is no valid proof`);
    if (reward === shown.reward) return `${reward} base units in both`;
    throw new DocumentError(`the statement says ${reward} base units, this page shows ${shown.reward}`);
  });
}
