import { hex } from "@scure/base";
import { HDKey } from "@scure/bip32";
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from "@scure/bip39";
import { wordlist } from "@scure/bip39/wordlists/english.js";
import { NETWORK, p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK } from "@scure/btc-signer";
import { RpcError, badParams, Code } from "./fault";

export type NetworkName = "Mainnet" | "Testnet" | "Testnet4" | "Signet" | "Regtest";
/** p2tr: one address is both the payment and the ordinals address. */
export type PaymentType = "p2wpkh" | "p2sh-p2wpkh" | "p2pkh" | "p2tr";
export type ScriptType = PaymentType;

const REGTEST = { ...TEST_NETWORK, bech32: "bcrt" };
const NETWORKS = {
  Mainnet: NETWORK,
  Testnet: TEST_NETWORK,
  Testnet4: TEST_NETWORK,
  Signet: TEST_NETWORK,
  Regtest: REGTEST,
};

export const networkNames = Object.keys(NETWORKS) as NetworkName[];
export const paymentTypes: PaymentType[] = ["p2wpkh", "p2sh-p2wpkh", "p2pkh", "p2tr"];

/** Address parameters of a network: bech32 prefix and version bytes. */
export const networkParams = (name: NetworkName) => NETWORKS[name];

/** An address of the wallet with the keys to spend from it and to sign for it. */
export interface OwnAddress {
  address: string;
  purpose: "payment" | "ordinals";
  type: ScriptType;
  script: Uint8Array;
  /** Set for p2sh-p2wpkh: the wrapped witness program. */
  redeemScript?: Uint8Array;
  privateKey: Uint8Array;
  /** 33 bytes, compressed. */
  publicKey: Uint8Array;
  /** Hex, in the form that wallets return: x-only and untweaked for taproot, compressed for the others. */
  publicKeyHex: string;
}

export interface Account {
  index: number;
  payment: OwnAddress;
  ordinals: OwnAddress;
}

export const newMnemonic = () => generateMnemonic(wordlist);

/** Returns the BIP-32 root of a BIP-39 mnemonic. Throws for an invalid mnemonic. */
export function rootKey(mnemonic: string): HDKey {
  if (!validateMnemonic(mnemonic, wordlist)) throw badParams("These words are no BIP-39 mnemonic.");
  return HDKey.fromMasterSeed(mnemonicToSeedSync(mnemonic));
}

// BIP-44, 49, 84 and 86; coin type 1 is every test network's.
const PURPOSE: Record<ScriptType, number> = { p2pkh: 44, "p2sh-p2wpkh": 49, p2wpkh: 84, p2tr: 86 };

/**
 * Derives account `index`: a payment address of the given type and a BIP-86 ordinals address, each the first receiving
 * address of its account. The keys are the same on every network; only the address encoding differs.
 */
export function deriveAccount(root: HDKey, index: number, type: PaymentType, network: NetworkName): Account {
  const derive = (purpose: OwnAddress["purpose"], scriptType: ScriptType): OwnAddress => {
    const node = root.derive(`m/${PURPOSE[scriptType]}'/1'/${index}'/0/0`);
    if (!node.privateKey || !node.publicKey) throw new RpcError(Code.internalError, "The seed has no private key.");
    return ownAddress(node.privateKey, node.publicKey, purpose, scriptType, network);
  };
  return { index, payment: derive("payment", type), ordinals: derive("ordinals", "p2tr") };
}

/** Returns the address of a key pair in the given type. */
export function ownAddress(
  privateKey: Uint8Array,
  publicKey: Uint8Array,
  purpose: OwnAddress["purpose"],
  type: ScriptType,
  network: NetworkName,
): OwnAddress {
  const params = NETWORKS[network];
  const common = { purpose, type, privateKey, publicKey };
  if (type === "p2tr") {
    const xOnly = publicKey.slice(1);
    const { address, script } = p2tr(xOnly, undefined, params);
    return { ...common, address: address!, script, publicKeyHex: hex.encode(xOnly) };
  }
  const publicKeyHex = hex.encode(publicKey);
  if (type === "p2sh-p2wpkh") {
    const wrapped = p2sh(p2wpkh(publicKey, params), params);
    return {
      ...common,
      address: wrapped.address!,
      script: wrapped.script,
      redeemScript: wrapped.redeemScript!,
      publicKeyHex,
    };
  }
  const { address, script } = type === "p2pkh" ? p2pkh(publicKey, params) : p2wpkh(publicKey, params);
  return { ...common, address: address!, script, publicKeyHex };
}
