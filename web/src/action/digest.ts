import { sha256 } from "@noble/hashes/sha2.js";
import { joined } from "../wallet/psbt.ts";
import { tagged } from "../wallet/taproot.ts";

/**
 * The data that the signature of a transaction with one input commits to. Fields are serialized little-endian, as in
 * the transaction.
 */
export interface Spend {
  version: number;
  /** 32 bytes of transaction id and 4 bytes of output number. */
  outpoint: Uint8Array;
  sequence: number;
  /** Sats and script of the spent output. */
  amount: bigint;
  script: Uint8Array;
  /** All outputs, without their count. */
  outputs: Uint8Array;
}

export const SigHash = { default: 0x00, all: 0x01 } as const;
const NO_LOCK_TIME = new Uint8Array(4);

export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

/** Prefixes data of less than 253 bytes with its length. */
export function sized(bytes: Uint8Array): Uint8Array {
  return joined(Uint8Array.of(bytes.length), bytes);
}

/** Returns the digest of a taproot signature by the key path (BIP-341). */
export function taprootDigest(spend: Spend, hashType: number): Uint8Array {
  const { version, outpoint, sequence, amount, script, outputs } = spend;
  const inputs = [outpoint, u64(amount), sized(script), u32(sequence)].map((part) => sha256(part));
  const head = [Uint8Array.of(0, hashType), u32(version), NO_LOCK_TIME, ...inputs, sha256(outputs)];
  return tagged("TapSighash", ...head, Uint8Array.of(0), u32(0));
}

/** Returns the digest of a SIGHASH_ALL signature for a witness key hash (BIP-143). */
export function witnessKeyDigest(spend: Spend, keyHash: Uint8Array): Uint8Array {
  const { version, outpoint, sequence, amount, outputs } = spend;
  const twice = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes));
  const code = sized(joined(Uint8Array.of(0x76, 0xa9, 20), keyHash, Uint8Array.of(0x88, 0xac)));
  return twice(
    joined(
      u32(version),
      twice(outpoint),
      twice(u32(sequence)),
      outpoint,
      code,
      u64(amount),
      u32(sequence),
      twice(outputs),
      NO_LOCK_TIME,
      u32(SigHash.all),
    ),
  );
}
