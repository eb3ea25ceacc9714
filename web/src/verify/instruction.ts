import type { Details } from "./details.ts";
import { DocumentError } from "./errors.ts";
import { shortHash } from "./hash.ts";
import type { Reader } from "./reader.ts";

/** An owner's signed instruction to compound the rewards of the epochs `first` to `last` when they settle. */
export interface Instruction {
  id: string;
  owner: string;
  first: number;
  last: number;
  /** Hash of the signed message. */
  message: string;
  /** Unix seconds; `ended` is 0 if it was active. */
  begun: number;
  ended: number;
  end: string;
  /** Epochs of the inputs that it compounded, ascending. */
  rewards: number[];
}

export function readInstruction(r: Reader): Instruction {
  r.token(`{"begun":`);
  const begun = r.integer();
  r.token(`,"end":`);
  const end = r.name();
  r.token(`,"ended":`);
  const ended = r.integer();
  r.token(`,"first":`);
  const first = r.integer();
  r.token(`,"id":`);
  const id = r.str();
  r.token(`,"last":`);
  const last = r.integer();
  r.token(`,"message":`);
  const message = r.hash();
  r.token(`,"owner":`);
  const owner = r.owner();
  r.token(`,"rewards":`);
  const rewards = r.list(() => r.integer());
  r.token("}");
  if (id === "" || first > last || (end === "active") !== (ended === 0)) {
    r.fail(`the instruction ${JSON.stringify(id)} of the epochs ${first} to ${last} is ${end} and ended at ${ended}`);
  }
  if (rewards.some((epoch, n) => n > 0 && epoch <= rewards[n - 1]!)) {
    r.fail(`the rewards of the instruction ${JSON.stringify(id)} are not ascending`);
  }
  return { id, owner, first, last, message, begun, ended, end, rewards };
}

/** Returns the id of the reward of an epoch to an owner. */
export const rewardId = (community: string, epoch: number, owner: string): string =>
  `reward:${epoch}:${shortHash(`${community}\n${owner}`)}`;

/**
 * Throws DocumentError unless every reward that an instruction compounded is an input of its owner, is of an epoch that
 * it names, and was compounded by one instruction, and an owner has at most one active instruction.
 */
export function verifyInstructions({ community, inputs, instructions }: Details): void {
  const owners = new Map(inputs.map(({ unit, owner }) => [unit, owner]));
  const compounded = new Map<string, string>();
  const active = new Map<string, string>();
  for (const { id, owner, first, last, ended, rewards } of instructions) {
    for (const epoch of rewards) {
      const unit = rewardId(community, epoch, owner);
      if (epoch < first || epoch > last) {
        throw new DocumentError(`the instruction ${id} compounded ${unit}, and covers the epochs ${first} to ${last}`);
      }
      if (owners.get(unit) !== owner) {
        throw new DocumentError(`the instruction ${id} compounded ${unit}, which is no input of its owner`);
      }
      const other = compounded.get(unit);
      if (other !== undefined) throw new DocumentError(`the instructions ${other} and ${id} compounded ${unit}`);
      compounded.set(unit, id);
    }
    if (ended !== 0) continue;
    const other = active.get(owner);
    if (other !== undefined) throw new DocumentError(`the instructions ${other} and ${id} of ${owner} are active`);
    active.set(owner, id);
  }
}

/** Returns the id of the instruction that compounded each reward, by unit. */
function compoundedBy({ community, instructions }: Details): Map<string, string> {
  return new Map(
    instructions.flatMap(({ id, owner, rewards }) =>
      rewards.map((epoch): [string, string] => [rewardId(community, epoch, owner), id]),
    ),
  );
}

/**
 * Throws DocumentError if the instructions contradict earlier details: an instruction changed, or compounded a reward
 * of an epoch after its end, or another instruction compounded a reward.
 */
export function verifyContinues(d: Details, earlier: Details): void {
  const before = new Map(earlier.instructions.map((one) => [one.id, one]));
  for (const one of d.instructions) {
    const old = before.get(one.id);
    const problem = old && changeOf(one, old, earlier.epoch);
    if (problem) throw new DocumentError(`instruction ${one.id}: ${problem}`);
  }
  const [then, now] = [compoundedBy(earlier), compoundedBy(d)];
  for (const { unit } of d.inputs) {
    const id = then.get(unit);
    if (id !== undefined && now.get(unit) !== id) {
      const other = now.get(unit) ?? "none";
      throw new DocumentError(`${unit} was compounded by the instruction ${id}, and then by ${other}`);
    }
  }
}

/** Returns how an instruction contradicts what the details of an earlier epoch say about it, or "". */
function changeOf(one: Instruction, old: Instruction, epoch: number): string {
  const fixed = ["owner", "message", "first", "last", "begun"] as const;
  if (fixed.some((member) => one[member] !== old[member])) return "it has changed";
  if (old.ended === 0) return "";
  if (one.end !== old.end || one.ended !== old.ended) return "it had ended, and its end has changed";
  const late = one.rewards.find((reward) => reward >= epoch);
  return late === undefined ? "" : `it had ended, and compounded the reward of epoch ${late} since`;
}
