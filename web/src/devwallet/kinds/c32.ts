import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { hash160 } from "@scure/btc-signer/utils.js";

/** Version of a single-signature address on a Stacks test network. */
const TESTNET = 26;
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns the Stacks address of a compressed public key on a test network in c32check: "S", the version, then hash and
 * checksum in base 32, where each leading zero byte is one zero.
 */
export function stacksAddress(publicKey: Uint8Array): string {
  const hash = hash160(publicKey);
  const checksum = sha256(sha256(concatBytes(Uint8Array.of(TESTNET), hash))).slice(0, 4);
  const bytes = concatBytes(hash, checksum);
  let digits = "";
  for (let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n); rest > 0n; rest /= 32n) {
    digits = ALPHABET[Number(rest % 32n)]! + digits;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return `S${ALPHABET[TESTNET]}${"0".repeat(zeros)}${digits}`;
}
