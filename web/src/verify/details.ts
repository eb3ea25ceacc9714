import { addAmounts, isDecimal } from "./amount.ts";
import { DocumentError } from "./errors.ts";
import { tagged } from "./hash.ts";
import { readInstruction, rewardId, verifyInstructions, type Instruction } from "./instruction.ts";
import { isOutpoint, Reader } from "./reader.ts";
import type { Signed, Sums } from "./statement.ts";
import { isOfEpoch, isRoot, leafOf, rootOf, type Binding } from "./tree.ts";

/** A unit that the epoch rewards. */
export interface Input {
  unit: string;
  owner: string;
  amount: bigint;
}

/** A leaf of the tree. */
export interface Owner extends Sums {
  owner: string;
}

/** The inputs of the rewards, the instructions to compound automatically and the leaves of the tree. */
export interface Details extends Binding {
  inputs: Input[];
  instructions: Instruction[];
  owners: Owner[];
  digest: string;
}

/** An owner's part of a budget. */
export interface Share {
  owner: string;
  stake: bigint;
  reward: bigint;
}

/** Reads details in canonical form. Throws DocumentError. */
export function readDetails(text: string): Details {
  const r = new Reader(text);
  r.token(`{"community":`);
  const community = r.name();
  r.token(`,"epoch":`);
  const epoch = r.integer();
  r.token(`,"format":"moonfund/details/1","inputs":`);
  const inputs = r.list(() => readInput(r));
  r.token(`,"instructions":`);
  const instructions = r.list(() => readInstruction(r));
  r.token(`,"network":`);
  const network = r.network();
  r.token(`,"owners":`);
  const owners = r.list(() => readOwner(r));
  r.token("}");
  r.end();
  r.ascending(inputs, ({ unit }) => unit);
  r.ascending(instructions, ({ id }) => id);
  r.ascending(owners, ({ owner }) => owner);
  for (const input of inputs) {
    if (!isOutpoint(input.unit) && !isReward(input, community, epoch)) {
      r.fail(`${JSON.stringify(input.unit)} is neither an outpoint nor a reward of an earlier epoch to ${input.owner}`);
    }
  }
  return { community, epoch, network, inputs, instructions, owners, digest: tagged("moonfund/details", text) };
}

function readInput(r: Reader): Input {
  r.token(`{"amount":`);
  const amount = r.amount();
  if (amount === 0n) r.fail("an input of 0");
  r.token(`,"owner":`);
  const owner = r.owner();
  r.token(`,"unit":`);
  const unit = r.str();
  r.token("}");
  return { unit, owner, amount };
}

function readOwner(r: Reader): Owner {
  r.token(`{"owed":`);
  const owed = r.amount();
  r.token(`,"owner":`);
  const owner = r.owner();
  r.token(`,"reward":`);
  const reward = r.amount();
  r.token(`,"stake":`);
  const stake = r.amount();
  r.token("}");
  return { owner, stake, reward, owed };
}

/** Whether an input is its owner's reward of an earlier epoch, by its id. */
function isReward({ unit, owner }: Input, community: string, epoch: number): boolean {
  const [, number = ""] = unit.split(":");
  if (!isDecimal(number, BigInt(Number.MAX_SAFE_INTEGER)) || Number(number) >= epoch) return false;
  return unit === rewardId(community, Number(number), owner);
}

/** Returns the epoch of an input that is a reward, or null if the input is an outpoint. */
export function earlierEpoch({ unit }: Input): number | null {
  return unit.startsWith("reward:") ? Number(unit.split(":")[1]) : null;
}

/**
 * Throws DocumentError unless the details belong to the statement, and the rewards and the tree computed from them
 * match the statement.
 */
export function verifyDetails(d: Details, s: Signed): void {
  if (d.digest !== s.rewards.digest) {
    throw new DocumentError(
      `the statement is of other details: their digest is ${s.rewards.digest}, the digest of these is ${d.digest}`,
    );
  }
  if (!isOfEpoch(d, s)) {
    throw new DocumentError(`the details are of epoch ${d.epoch} of ${d.community} on ${d.network}`);
  }
  if (s.owners.count !== d.owners.length) {
    throw new DocumentError(`the statement counts ${s.owners.count} owners, the details have ${d.owners.length}`);
  }
  verifyRewards(d, s);
  verifyInstructions(d);
  const root = rootOf(d, d.owners.map((owner) => leafOf(d, owner.owner, owner)));
  if (!isRoot(root, s)) {
    throw new DocumentError("the tree over the owners has another root than the statement, or other sums");
  }
}

/** Computes the stakes and rewards again. */
function verifyRewards(d: Details, s: Signed): void {
  const shares = new Map(splitBudget(s.budget.amount, d.inputs).map((share) => [share.owner, share]));
  for (const { owner, stake, reward, owed } of d.owners) {
    const due = shares.get(owner) ?? { stake: 0n, reward: 0n };
    shares.delete(owner);
    if (stake !== due.stake || reward !== due.reward) {
      throw new DocumentError(
        `${owner} has a reward of ${reward} for a stake of ${stake}; ${due.reward} for ${due.stake} are due`,
      );
    }
    if (stake === 0n && reward === 0n && owed === 0n) throw new DocumentError(`the owner ${owner} has nothing`);
  }
  const [left] = shares.keys();
  if (left !== undefined) throw new DocumentError(`${left} has inputs and is not among the owners`);
  const rewarded = d.owners.filter(({ reward }) => reward > 0n).length;
  if (rewarded !== s.rewards.count) {
    throw new DocumentError(`${rewarded} owners have a reward, the statement says ${s.rewards.count}`);
  }
}

/**
 * Divides a budget among the owners of inputs, in proportion to their sums. Returns the shares, ascending by owner.
 * Their rewards add up to the budget exactly, unless there are no inputs.
 */
export function splitBudget(budget: bigint, inputs: Input[]): Share[] {
  const parts = new Map<string, Share & { lowest: string; remainder: bigint }>();
  let total = 0n;
  for (const { unit, owner, amount } of inputs) {
    const part = parts.get(owner) ?? { owner, stake: 0n, reward: 0n, lowest: unit, remainder: 0n };
    if (unit < part.lowest) part.lowest = unit;
    part.stake = addAmounts(part.stake, amount);
    parts.set(owner, part);
    total = addAmounts(total, amount);
  }
  if (total === 0n) return [];
  let rest = budget;
  for (const part of parts.values()) {
    part.reward = (budget * part.stake) / total;
    part.remainder = (budget * part.stake) % total;
    rest -= part.reward;
  }
  const byRemainder = [...parts.values()].sort((a, b) => {
    if (a.remainder !== b.remainder) return a.remainder > b.remainder ? -1 : 1;
    return a.lowest < b.lowest ? -1 : 1;
  });
  for (const part of byRemainder.slice(0, Number(rest))) part.reward += 1n;
  return byRemainder
    .map(({ owner, stake, reward }) => ({ owner, stake, reward }))
    .sort((a, b) => (a.owner < b.owner ? -1 : 1));
}
