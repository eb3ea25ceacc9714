import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { RpcCode, WalletError } from "./errors.ts";
import type { NetworkName } from "./methods/names.ts";
import { sentence } from "./texts.ts";

export type AddressType = "p2pkh" | "p2sh" | "p2wpkh" | "p2wsh" | "p2tr";

export interface DecodedAddress {
  address: string;
  type: AddressType;
  /** Every network that the address may belong to: the test networks share prefixes and version bytes. */
  networks: readonly NetworkName[];
  /** The hash or public key that the address encodes: 20 bytes, or 32 for p2wsh and p2tr. */
  program: Uint8Array;
}

const MAIN: readonly NetworkName[] = ["Mainnet"];
const TEST: readonly NetworkName[] = ["Testnet", "Testnet4", "Signet", "Regtest"];

/** Version bytes of base58 addresses (BIP-13 for p2sh). Regtest uses the test networks' bytes. */
const VERSIONS = new Map<number, { type: AddressType; networks: readonly NetworkName[] }>([
  [0, { type: "p2pkh", networks: MAIN }],
  [5, { type: "p2sh", networks: MAIN }],
  [111, { type: "p2pkh", networks: TEST }],
  [196, { type: "p2sh", networks: TEST }],
]);

/** Prefixes of segwit addresses (BIP-173, BIP-350). Of the test networks only Regtest has a prefix of its own. */
const PREFIXES = new Map<string, readonly NetworkName[]>([
  ["bc", MAIN],
  ["tb", ["Testnet", "Testnet4", "Signet"]],
  ["bcrt", ["Regtest"]],
]);

const HASH_BYTES = 20;
/** Maximum length of a bech32 string (BIP-173). */
const MAX_BECH32 = 90;
const base58check = createBase58check(sha256);

/**
 * Decodes an address of any known network. Throws WalletError −32602 'Invalid address' for a bad checksum, prefix,
 * length or version, and for witness versions above 1, whose outputs have no defined spending rules.
 */
export function decodeAddress(address: string): DecodedAddress {
  const decoded = typeof address === "string" ? (decodeSegwit(address) ?? decodeBase58(address)) : null;
  if (!decoded) throw invalid();
  return { address, ...decoded };
}

/** Returns the address if it belongs to this network. Throws WalletError −32602 'Invalid address' otherwise. */
export function requireAddress(address: string, network?: NetworkName): string {
  const { networks } = decodeAddress(address);
  if (network !== undefined && !networks.includes(network)) throw invalid();
  return address;
}

function invalid(): WalletError {
  return new WalletError(RpcCode.invalidParams, sentence("invalidAddress"));
}

type Inside = Omit<DecodedAddress, "address">;

function decodeBase58(address: string): Inside | null {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(address);
  } catch {
    return null;
  }
  const version = VERSIONS.get(bytes[0]!);
  return version && bytes.length === 1 + HASH_BYTES ? { ...version, program: bytes.slice(1) } : null;
}

function decodeSegwit(address: string): Inside | null {
  const networks = PREFIXES.get(address.slice(0, address.lastIndexOf("1")).toLowerCase());
  if (!networks) return null;
  for (const [code, version] of [[bech32, 0], [bech32m, 1]] as const) {
    try {
      const { words } = code.decode(address as `${string}1${string}`, MAX_BECH32);
      if (words[0] !== version) return null;
      const program = code.fromWords(words.slice(1));
      const type = segwitType(version, program.length);
      return type && { type, networks, program };
    } catch {
      // Not in this encoding. A valid checksum fits at most one of the two encodings.
    }
  }
  return null;
}

function segwitType(version: 0 | 1, length: number): AddressType | null {
  if (version === 1) return length === 32 ? "p2tr" : null;
  return length === HASH_BYTES ? "p2wpkh" : length === 32 ? "p2wsh" : null;
}
