import { bech32m, hex } from "@scure/base";
import { decodeAddress } from "./address.ts";
import { entryOf, joined, PsbtType, type PsbtEntry } from "./psbt.ts";
import { branchHash, isSame, LEAF_VERSION, leafHash, outputKey } from "./taproot.ts";

/** BIP-341's point without a known private key, the internal key of every stake in self-custody. */
const INTERNAL_KEY = hex.decode("50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0");
const KEY_BYTES = 32;
const CHECKSIG = 0xac;
const CHECKSIGVERIFY = 0xad;
const CHECKSEQUENCEVERIFY = 0xb2;
/** A relative lock time in blocks has 16 bits (BIP-68). */
const MAX_DELAY = 0xffff;

/** The keys (x-only) and the delay in blocks that a stake's output commits to. */
export interface StakeKeys {
  owner: Uint8Array;
  community: Uint8Array;
  delay: number;
}

/** A leaf of the output: its script, and the control block that reveals it. */
export interface Leaf {
  script: Uint8Array;
  control: Uint8Array;
}

/** The output of a stake in self-custody: tr(H,{and_v(v:pk(S),pk(C)),and_v(v:pk(S),older(N))}). */
export interface StakeOutput {
  script: Uint8Array;
  root: Uint8Array;
  /** The owner and the community sign. */
  together: Leaf;
  /** The owner signs, `delay` blocks after the deposit. */
  alone: Leaf;
}

/**
 * Returns the output of a stake that nobody moves without the owner's signature. Throws a RangeError if the keys or the
 * delay are invalid.
 */
export function stakeOutput({ owner, community, delay }: StakeKeys): StakeOutput {
  if (owner.length !== KEY_BYTES || community.length !== KEY_BYTES) throw new RangeError("not an x-only key");
  if (!Number.isInteger(delay) || delay < 1 || delay > MAX_DELAY) throw new RangeError("not a delay");
  const together = joined(pushed(owner), Uint8Array.of(CHECKSIGVERIFY), pushed(community), Uint8Array.of(CHECKSIG));
  const alone = aloneScript(owner, delay);
  const root = branchHash(leafHash(together), leafHash(alone));
  const { key, parity } = outputKey(INTERNAL_KEY, root);
  const control = (other: Uint8Array) =>
    joined(Uint8Array.of(LEAF_VERSION | parity), INTERNAL_KEY, leafHash(other));
  return {
    script: outputScript(key),
    root,
    together: { script: together, control: control(alone) },
    alone: { script: alone, control: control(together) },
  };
}

/** Returns the address of `stakeOutput` on the network of the owner's segwit address. */
export function stakeAddress(keys: StakeKeys, ownersAddress: string): string {
  const prefix = ownersAddress.slice(0, ownersAddress.lastIndexOf("1")).toLowerCase();
  return bech32m.encode(prefix, [1, ...bech32m.toWords(stakeOutput(keys).script.slice(2))]);
}

/** Returns the x-only key of a public key in hex, which has 32, 33 or 65 bytes. */
export function xOnly(publicKey: string): Uint8Array {
  const bytes = hex.decode(publicKey);
  return bytes.length === KEY_BYTES ? bytes : bytes.slice(1, 1 + KEY_BYTES);
}

/** The entries of a PSBT's input that spends the output by this leaf. */
export function leafEntries({ script, control }: Leaf, root: Uint8Array): PsbtEntry[] {
  return [
    entryOf(PsbtType.tapLeafScript, joined(script, Uint8Array.of(LEAF_VERSION)), control),
    entryOf(PsbtType.tapInternalKey, INTERNAL_KEY),
    entryOf(PsbtType.tapMerkleRoot, root),
  ];
}

/**
 * Whether the input of a PSBT spends an output with this script by the leaf of `owner` and a second key, and lists
 * nothing else that the owner could sign. The leaf, the control block, the internal key and the merkle root must
 * commit to exactly this script, and no key path may exist.
 */
export function isTogether(entries: readonly PsbtEntry[], script: Uint8Array, owner: Uint8Array): boolean {
  const leaf = onlyLeaf(entries, script);
  if (!leaf || !isSame(leaf.internal, INTERNAL_KEY) || leaf.path.length !== KEY_BYTES) return false;
  const community = leaf.script.slice(2 + KEY_BYTES + 1, -1);
  const together = joined(pushed(owner), Uint8Array.of(CHECKSIGVERIFY), pushed(community), Uint8Array.of(CHECKSIG));
  return community.length === KEY_BYTES && isSame(leaf.script, together);
}

/**
 * Whether the input of a PSBT spends an output with this script by the leaf with which `owner` alone can move a stake
 * of either kind of custody, `delay` blocks after the deposit, and lists nothing else that the owner could sign. A
 * signature for this leaf is good for no other leaf (BIP-342).
 */
export function isAlone(
  entries: readonly PsbtEntry[],
  script: Uint8Array,
  { owner, delay }: Pick<StakeKeys, "owner" | "delay">,
): boolean {
  const leaf = onlyLeaf(entries, script);
  if (!leaf || isSame(leaf.internal, owner) || delay < 1 || delay > MAX_DELAY) return false;
  return isSame(leaf.script, aloneScript(owner, delay));
}

/**
 * The leaf that the input of a PSBT lists if it is the only one, and if it, its control block, the internal key and the
 * merkle root commit to the output with this script; null otherwise.
 */
function onlyLeaf(entries: readonly PsbtEntry[], output: Uint8Array) {
  const [leaf, ...others] = entries.filter(({ type }) => type === PsbtType.tapLeafScript);
  const valueOf = (type: number) => entries.find((entry) => entry.type === type)?.value ?? new Uint8Array();
  if (!leaf || others.length > 0 || leaf.value.at(-1) !== LEAF_VERSION) return null;
  const script = leaf.value.slice(0, -1);
  const [internal, path] = [leaf.key.slice(1, 1 + KEY_BYTES), leaf.key.slice(1 + KEY_BYTES)];
  if (internal.length !== KEY_BYTES || (path.length !== 0 && path.length !== KEY_BYTES)) return null;
  const root = path.length === 0 ? leafHash(script) : branchHash(leafHash(script), path);
  const isCommitted =
    isSame(valueOf(PsbtType.tapInternalKey), internal) &&
    isSame(valueOf(PsbtType.tapMerkleRoot), root) &&
    isOutputOf(internal, root, leaf.key[0]!, output);
  return isCommitted ? { script, internal, path } : null;
}

/** Whether an output script commits to these keys and leaves, and a control block begins with this byte. */
function isOutputOf(internal: Uint8Array, root: Uint8Array, first: number, output: Uint8Array): boolean {
  try {
    const { key, parity } = outputKey(internal, root);
    return first === (LEAF_VERSION | parity) && isSame(output, outputScript(key));
  } catch {
    return false; // no point of the curve
  }
}

/** The script of an address that can hold or receive here: p2wpkh, p2tr, p2sh or p2pkh. */
export function scriptOf(address: string): Uint8Array {
  const { type, program } = decodeAddress(address);
  if (type === "p2sh") return joined(Uint8Array.of(0xa9), pushed(program), Uint8Array.of(0x87));
  if (type === "p2pkh") return joined(Uint8Array.of(0x76, 0xa9), pushed(program), Uint8Array.of(0x88, 0xac));
  return type === "p2tr" ? outputScript(program) : joined(Uint8Array.of(0x00), pushed(program));
}

function aloneScript(owner: Uint8Array, delay: number): Uint8Array {
  const afterDelay = joined(pushedNumber(delay), Uint8Array.of(CHECKSEQUENCEVERIFY));
  return joined(pushed(owner), Uint8Array.of(CHECKSIGVERIFY), afterDelay);
}

const outputScript = (key: Uint8Array): Uint8Array => joined(Uint8Array.of(0x51), pushed(key));

/** Pushes at most 75 bytes. */
const pushed = (bytes: Uint8Array): Uint8Array => joined(Uint8Array.of(bytes.length), bytes);

/** Encodes a positive number as a minimal script push. */
function pushedNumber(value: number): Uint8Array {
  if (value <= 16) return Uint8Array.of(0x50 + value);
  const bytes = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if (bytes.at(-1)! >= 0x80) bytes.push(0); // the highest bit is a sign
  return pushed(Uint8Array.from(bytes));
}
