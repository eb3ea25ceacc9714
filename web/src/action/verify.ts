import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { base64 } from "@scure/base";
import { decodeAddress, type DecodedAddress } from "../wallet/address.ts";
import { messageHash, toSpendId } from "../wallet/proof.ts";
import { joined } from "../wallet/psbt.ts";
import { SigHash, sized, taprootDigest, u32, witnessKeyDigest, type Spend } from "./digest.ts";

const SCHNORR_BYTES = 64;
const COMPACT_BYTES = 65;

/**
 * Verifies a wallet's signature of a message: BIP-322 simple for p2tr, p2wpkh and p2sh-p2wpkh, the compact form for key
 * hash addresses, as the server does (ADR 16). Returns null for p2wsh, which needs a script engine.
 */
export function verifyMessage(address: string, message: string, signature: string): boolean | null {
  const decoded = decodeAddress(address);
  if (decoded.type === "p2wsh") return null;
  try {
    const bytes = base64.decode(signature.replace(/^smp/, ""));
    if (decoded.type === "p2tr") return byTaproot(decoded, message, bytes);
    return byKeyHash(decoded, message, bytes) || byCompact(decoded, message, bytes);
  } catch {
    return false; // not base64, or not of a signature's form
  }
}

function byTaproot(address: DecodedAddress, message: string, bytes: Uint8Array): boolean {
  const [signature, ...more] = itemsOf(bytes);
  if (!signature || more.length > 0) return false;
  const hashType = signature.length === SCHNORR_BYTES ? SigHash.default : signature[SCHNORR_BYTES];
  if (hashType === undefined || signature.length > SCHNORR_BYTES + 1) return false;
  if (signature.length > SCHNORR_BYTES && hashType !== SigHash.all) return false;
  return schnorr.verify(
    signature.slice(0, SCHNORR_BYTES),
    taprootDigest(toSign(address, message), hashType),
    address.program,
  );
}

function byKeyHash(address: DecodedAddress, message: string, bytes: Uint8Array): boolean {
  if (address.type === "p2pkh") return false;
  const [signature, publicKey, ...more] = readable(bytes) ?? [];
  if (!signature || !publicKey || more.length > 0 || signature.at(-1) !== SigHash.all || !isOf(address, publicKey))
    return false;
  const digest = witnessKeyDigest(toSign(address, message), hash160(publicKey));
  return secp256k1.verify(signature.slice(0, -1), digest, publicKey, { prehash: false, format: "der", lowS: false });
}

/** Verifies a 65-byte signature by recovering the key. The first byte selects the key among the candidates. */
function byCompact(address: DecodedAddress, message: string, bytes: Uint8Array): boolean {
  if (bytes.length !== COMPACT_BYTES || bytes[0]! < 27 || bytes[0]! > 42) return false;
  const header = bytes[0]! - 27;
  const text = new TextEncoder().encode(message);
  const digest = sha256(
    sha256(joined(sized(new TextEncoder().encode("Bitcoin Signed Message:\n")), lengthOf(text), text)),
  );
  const recovered = joined(Uint8Array.of(header & 3), bytes.slice(1));
  const publicKey = secp256k1.recoverPublicKey(recovered, digest, { prehash: false });
  return isOf(address, publicKey);
}

const lengthOf = ({ length }: Uint8Array): Uint8Array =>
  length < 0xfd ? Uint8Array.of(length) : Uint8Array.of(0xfd, length & 0xff, length >> 8);

/** Whether the address belongs to the key. */
function isOf({ type, program }: DecodedAddress, publicKey: Uint8Array): boolean {
  const hash = hash160(publicKey);
  const own = type === "p2sh" ? hash160(joined(Uint8Array.of(0, 20), hash)) : hash;
  return own.length === program.length && own.every((byte, i) => byte === program[i]);
}

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

/** Returns BIP-322's "to_sign" for a message and an address. */
function toSign({ type, program }: DecodedAddress, message: string): Spend {
  const script = {
    p2tr: joined(Uint8Array.of(0x51), sized(program)),
    p2wpkh: joined(Uint8Array.of(0x00), sized(program)),
    p2sh: joined(Uint8Array.of(0xa9), sized(program), Uint8Array.of(0x87)),
    p2wsh: program,
    p2pkh: program,
  }[type];
  const outpoint = joined(toSpendId(script, messageHash(message)), u32(0));
  const outputs = joined(new Uint8Array(8), sized(Uint8Array.of(0x6a)));
  return { version: 0, outpoint, sequence: 0, amount: 0n, script, outputs };
}

function readable(bytes: Uint8Array): Uint8Array[] | null {
  try {
    return itemsOf(bytes);
  } catch {
    return null;
  }
}

/** Parses a serialized witness of small items. Throws RangeError for invalid or trailing bytes. */
function itemsOf(bytes: Uint8Array): Uint8Array[] {
  const items = [];
  let at = 1;
  for (let left = bytes[0] ?? 0; left > 0; left -= 1) {
    const length = bytes[at];
    if (length === undefined || length >= 0xfd || at + 1 + length > bytes.length) throw new RangeError("not a witness");
    items.push(bytes.slice(at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at !== bytes.length) throw new RangeError("not a witness");
  return items;
}
