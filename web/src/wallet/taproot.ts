import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "@scure/base";
import { compactSize, joined } from "./psbt.ts";

export const LEAF_VERSION = 0xc0;

/** Tagged hash (BIP-340). */
export function tagged(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const hash = sha256(new TextEncoder().encode(tag));
  return sha256(joined(hash, hash, ...parts));
}

/** The hash of a script leaf (BIP-341). */
export function leafHash(script: Uint8Array, version = LEAF_VERSION): Uint8Array {
  return tagged("TapLeaf", Uint8Array.of(version), compactSize(script.length), script);
}

/** The hash of a branch of two nodes, which are sorted (BIP-341). */
export function branchHash(one: Uint8Array, other: Uint8Array): Uint8Array {
  return tagged("TapBranch", ...(hex.encode(one) < hex.encode(other) ? [one, other] : [other, one]));
}

/** The output key of an internal key and a merkle root, and the parity of its Y coordinate (BIP-341). */
export function outputKey(internal: Uint8Array, root: Uint8Array): { key: Uint8Array; parity: number } {
  const scalar = (bytes: Uint8Array) => BigInt(`0x${hex.encode(bytes)}`);
  const tweak = secp256k1.Point.BASE.multiply(scalar(tagged("TapTweak", internal, root)));
  const point = schnorr.utils.lift_x(scalar(internal)).add(tweak).toBytes(true);
  return { key: point.slice(1), parity: point[0]! & 1 };
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
