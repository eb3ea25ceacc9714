import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export { bytesToHex, concatBytes, hexToBytes, utf8ToBytes };

const HASH = /^[0-9a-f]{64}$/;

/** Whether a text is 64 lower-case hex digits. */
export const isHash = (text: string): boolean => HASH.test(text);

/** Returns SHA-256(SHA-256(tag) || SHA-256(tag) || message), the tagged hash of BIP-340, in hex. */
export function tagged(tag: string, message: string | Uint8Array): string {
  const start = sha256(utf8ToBytes(tag));
  const bytes = typeof message === "string" ? utf8ToBytes(message) : message;
  return bytesToHex(sha256(concatBytes(start, start, bytes)));
}

/** Returns the first 16 hex digits of SHA-256, which the units of rewards contain. */
export const shortHash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)).slice(0, 8));
