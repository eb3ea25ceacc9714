import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { leafHash, SigHash, sized, tagged, taprootDigest, u32, u64, type Spend } from "../action/digest.ts";
import { itemsOf } from "../action/verify.ts";
import { decodeAddress } from "../wallet/address.ts";
import { messageHash, toSpendId } from "../wallet/proof.ts";
import { joined, PsbtType, readPsbt, writePsbt } from "../wallet/psbt.ts";

/** BIP-341's unspendable internal key, in place of the community's. */
const UNSPENDABLE_KEY = hex.decode("50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0");
const LEAF_VERSION = 0xc0;
const CHECKSIGVERIFY = 0xad;
const CHECKSEQUENCEVERIFY = 0xb2;
const SCHNORR_BYTES = 64;
/** Sats of the nonexistent output, and the rest after a fee. */
const INPUT_SATS = 1_000n;
const RETURNED = 600n;
/** The message of BIP-322's to_spend. */
const TEXT = "Moon Fund: rehearsal of a recovery";

export interface Rehearsal {
  /** Base64. */
  psbt: string;
  /** Whether the returned PSBT (base64) contains the leaf's signature by the address's key. */
  isSigned(psbt: string): boolean;
}

/**
 * Returns a PSBT like a stake's recovery (internal/bitcoin/vault/recovery.go): the same leaf with the staker's own key
 * and delay, the same signature hash type, paid to the staker. It spends BIP-322's virtual to_spend, which no chain can
 * contain, so it can never be sent. `delay` is in blocks.
 */
export function rehearse({ address, publicKey }: { address: string; publicKey: string }, delay: number): Rehearsal {
  const key = hex.decode(publicKey).slice(-32);
  const leaf = joined(sized(key), Uint8Array.of(CHECKSIGVERIFY), pushed(delay), Uint8Array.of(CHECKSEQUENCEVERIFY));
  const root = leafHash(leaf);
  const { script, control } = commit(root);
  const outpoint = joined(toSpendId(script, messageHash(TEXT)), u32(0));
  const outputs = joined(u64(RETURNED), sized(scriptOf(address)));
  const spend: Spend = { version: 2, outpoint, sequence: delay, amount: INPUT_SATS, script, outputs };
  const one = Uint8Array.of(1);
  const unsigned = joined(u32(spend.version), one, outpoint, Uint8Array.of(0), u32(delay), one, outputs, u32(0));
  const psbt = writePsbt(unsigned, [
    [PsbtType.witnessUtxo, joined(u64(INPUT_SATS), sized(script))],
    [PsbtType.sighashType, u32(SigHash.allAnyoneCanPay)],
    [PsbtType.tapLeafScript, joined(leaf, Uint8Array.of(LEAF_VERSION)), control],
    [PsbtType.tapInternalKey, UNSPENDABLE_KEY],
    [PsbtType.tapMerkleRoot, root],
  ]);
  return { psbt, isSigned: (signed) => signaturesIn(signed).some((signature) => fits(signature, spend, root, key)) };
}

/** Returns the leaf's taproot output and control block. */
function commit(root: Uint8Array): { script: Uint8Array; control: Uint8Array } {
  const lifted = schnorr.utils.lift_x(BigInt(`0x${hex.encode(UNSPENDABLE_KEY)}`));
  const tweak = BigInt(`0x${hex.encode(tagged("TapTweak", UNSPENDABLE_KEY, root))}`);
  const point = lifted.add(secp256k1.Point.BASE.multiply(tweak)).toBytes(true);
  const parity = point[0]! & 1;
  return {
    script: joined(Uint8Array.of(0x51), sized(point.slice(1))),
    control: joined(Uint8Array.of(LEAF_VERSION | parity), UNSPENDABLE_KEY),
  };
}

function scriptOf(address: string): Uint8Array {
  const { type, program } = decodeAddress(address);
  if (type === "p2tr") return joined(Uint8Array.of(0x51), sized(program));
  if (type === "p2sh") return joined(Uint8Array.of(0xa9), sized(program), Uint8Array.of(0x87));
  if (type === "p2pkh") return joined(Uint8Array.of(0x76, 0xa9), sized(program), Uint8Array.of(0x88, 0xac));
  return joined(Uint8Array.of(0x00), sized(program));
}

/** Encodes a number as a minimal script push. */
function pushed(value: number): Uint8Array {
  if (value <= 16) return Uint8Array.of(0x50 + value);
  const bytes = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if (bytes.at(-1)! >= 0x80) bytes.push(0); // the highest bit is a sign
  return sized(Uint8Array.from(bytes));
}

/**
 * Returns candidates for the leaf's signature: from its own PSBT entry, or from the witness of a wallet that finalizes.
 */
function signaturesIn(psbt: string): Uint8Array[] {
  const [entries = []] = readPsbt(base64.decode(psbt))?.inputs ?? [];
  return entries.flatMap(({ type, value }) => {
    if (type === PsbtType.tapScriptSig) return [value];
    return type === PsbtType.finalScriptWitness ? itemsOf(value).slice(0, 1) : [];
  });
}

function fits(signature: Uint8Array, spend: Spend, root: Uint8Array, key: Uint8Array): boolean {
  const hashType = signature.length === SCHNORR_BYTES ? SigHash.default : signature[SCHNORR_BYTES];
  if (hashType !== SigHash.default && hashType !== SigHash.all && hashType !== SigHash.allAnyoneCanPay) return false;
  try {
    return schnorr.verify(signature.slice(0, SCHNORR_BYTES), taprootDigest(spend, hashType, root), key);
  } catch {
    return false;
  }
}
