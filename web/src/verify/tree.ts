import { addAmounts } from "./amount.ts";
import { DocumentError } from "./errors.ts";
import { concatBytes, hexToBytes, tagged, utf8ToBytes } from "./hash.ts";
import { Reader } from "./reader.ts";
import type { Signed, Sums } from "./statement.ts";

/** A node of the tree over the owners. */
export interface Node extends Sums {
  hash: string;
}

/** The epoch and community that a tree belongs to. */
export interface Binding {
  network: string;
  community: string;
  epoch: number;
}

/** Proves the amounts that a statement counts for one owner. */
export interface Proof extends Binding, Sums {
  statement: string;
  owner: string;
  index: number;
  count: number;
  siblings: Node[];
}

/** Returns an integer as bytes, big-endian. */
function toBytes(n: bigint, length: number): Uint8Array {
  return hexToBytes(n.toString(16).padStart(2 * length, "0"));
}

const sumBytes = ({ stake, reward, owed }: Sums): Uint8Array =>
  concatBytes(toBytes(stake, 16), toBytes(reward, 16), toBytes(owed, 16));

function sized(text: string): Uint8Array {
  const bytes = utf8ToBytes(text);
  return concatBytes(toBytes(BigInt(bytes.length), 2), bytes);
}

const bindingBytes = ({ network, community, epoch }: Binding): Uint8Array =>
  concatBytes(sized(network), sized(community), toBytes(BigInt(epoch), 8));

/** Returns the leaf of an owner. */
export function leafOf(binding: Binding, owner: string, { stake, reward, owed }: Sums): Node {
  const sums = { stake, reward, owed };
  return { hash: tagged("moonfund/leaf", concatBytes(bindingBytes(binding), sized(owner), sumBytes(sums))), ...sums };
}

function parentOf(left: Node, right: Node): Node {
  const sums = {
    stake: addAmounts(left.stake, right.stake),
    reward: addAmounts(left.reward, right.reward),
    owed: addAmounts(left.owed, right.owed),
  };
  const message = concatBytes(hexToBytes(left.hash), sumBytes(left), hexToBytes(right.hash), sumBytes(right));
  return { hash: tagged("moonfund/node", message), ...sums };
}

/** Returns the root of the tree over leaves. Throws DocumentError if a sum is not below 2^128. */
export function rootOf(binding: Binding, leaves: Node[]): Node {
  let level = leaves;
  while (level.length > 1) {
    const above: Node[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const right = level[i + 1];
      above.push(right ? parentOf(level[i]!, right) : level[i]!);
    }
    level = above;
  }
  return level[0] ?? { hash: tagged("moonfund/empty", bindingBytes(binding)), stake: 0n, reward: 0n, owed: 0n };
}

/** Whether a node is the root in a statement, with the same sums. */
export function isRoot(node: Node, { owners }: Pick<Signed, "owners">): boolean {
  const { root, stake, reward, owed } = owners;
  return node.hash === root && node.stake === stake && node.reward === reward && node.owed === owed;
}

/** Whether a document is of the same network, community and epoch as a statement. */
export const isOfEpoch = (document: Binding, s: Binding): boolean =>
  document.network === s.network && document.community === s.community && document.epoch === s.epoch;

/** Reads a proof in canonical form. Throws DocumentError. */
export function readProof(text: string): Proof {
  const r = new Reader(text);
  const p = {} as Proof;
  r.token(`{"community":`);
  p.community = r.name();
  r.token(`,"count":`);
  p.count = r.integer();
  r.token(`,"epoch":`);
  p.epoch = r.integer();
  r.token(`,"format":"moonfund/proof/1","index":`);
  p.index = r.integer();
  r.token(`,"network":`);
  p.network = r.network();
  r.token(`,"owed":`);
  p.owed = r.amount();
  r.token(`,"owner":`);
  p.owner = r.owner();
  r.token(`,"reward":`);
  p.reward = r.amount();
  r.token(`,"siblings":`);
  p.siblings = r.list(() => readNode(r));
  r.token(`,"stake":`);
  p.stake = r.amount();
  r.token(`,"statement":`);
  p.statement = r.hash();
  r.token("}");
  r.end();
  return p;
}

function readNode(r: Reader): Node {
  r.token(`{"hash":`);
  const hash = r.hash();
  r.token(`,"owed":`);
  const owed = r.amount();
  r.token(`,"reward":`);
  const reward = r.amount();
  r.token(`,"stake":`);
  const stake = r.amount();
  r.token("}");
  return { hash, stake, reward, owed };
}

/** Throws DocumentError unless the statement counts the proof's amounts for the owner. */
export function verifyProof(p: Proof, s: Pick<Signed, "id" | "owners"> & Binding): void {
  const wrong = [
    p.statement !== s.id && `the proof is for the statement ${p.statement}, this one is ${s.id}`,
    !isOfEpoch(p, s) &&
      `the proof is for epoch ${p.epoch} of ${p.community} on ${p.network}, ` +
        `the statement for epoch ${s.epoch} of ${s.community} on ${s.network}`,
    p.count !== s.owners.count && `the proof is for a tree of ${p.count} owners, the statement has ${s.owners.count}`,
    p.index >= p.count && `the proof is for owner ${p.index} of ${p.count}`,
  ].find((message) => message !== false);
  if (wrong) throw new DocumentError(wrong);
  if (!isRoot(climb(p), s)) {
    throw new DocumentError("the proof does not lead to the root of the statement: it is wrong, or of another tree");
  }
}

/** Returns the root to which the siblings of a proof lead. */
function climb(p: Proof): Node {
  let node = leafOf(p, p.owner, p);
  let used = 0;
  for (let i = p.index, n = p.count; n > 1; i = Math.floor(i / 2), n = Math.ceil(n / 2)) {
    if (i % 2 === 0 && i === n - 1) continue;
    const sibling = p.siblings[used];
    if (!sibling) throw new DocumentError("the proof has too few siblings");
    used += 1;
    node = i % 2 === 0 ? parentOf(node, sibling) : parentOf(sibling, node);
  }
  if (used < p.siblings.length) throw new DocumentError("the proof has too many siblings");
  return node;
}
