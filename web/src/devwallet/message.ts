import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base64, hex } from "@scure/base";
import { CompactSize, OP, RawTx, RawWitness, Script, Transaction } from "@scure/btc-signer";
import { Code, RpcError } from "./fault";
import type { OwnAddress, ScriptType } from "./keys";

export type Protocol = "BIP322" | "ECDSA";

export interface SignedMessage {
  /** Base64: a BIP-322 simple witness without prefix, or a 65-byte BIP-137 signature. */
  signature: string;
  /** Hex of the hash: the BIP-322 tagged hash, or the double SHA-256 of the legacy format. */
  messageHash: string;
  address: string;
  protocol: Protocol;
}

/**
 * Signs a message by the default protocol of the address type: BIP-322 simple for p2tr and p2wpkh, BIP-137 for
 * p2sh-p2wpkh and p2pkh. A protocol that the type does not support is −32001.
 */
export function signMessage(own: OwnAddress, message: string, protocol?: Protocol): SignedMessage {
  const simple = own.type === "p2tr" || own.type === "p2wpkh";
  const chosen = protocol ?? (simple ? "BIP322" : "ECDSA");
  if (chosen === "BIP322" ? !simple : own.type === "p2tr") {
    throw new RpcError(Code.methodNotSupported, `${chosen} is not supported for a ${own.type} address`);
  }
  const hash = chosen === "BIP322" ? bip322Hash(message) : legacyHash(message);
  const signature = chosen === "BIP322" ? bip322Simple(own, message) : bip137(own, hash);
  return { signature, messageHash: hex.encode(hash), address: own.address, protocol: chosen };
}

/** BIP-340 tagged hash with BIP-322's tag. */
export function bip322Hash(message: string): Uint8Array {
  const tag = sha256(utf8ToBytes("BIP0322-signed-message"));
  return sha256(concatBytes(tag, tag, utf8ToBytes(message)));
}

/** Id of BIP-322's virtual "to_spend" transaction, in display byte order. */
export function toSpendId(script: Uint8Array, message: string): string {
  const bytes = RawTx.encode({
    version: 0,
    segwitFlag: false,
    inputs: [
      {
        txid: new Uint8Array(32),
        index: 0xffffffff,
        finalScriptSig: Script.encode(["OP_0", bip322Hash(message)]),
        sequence: 0,
      },
    ],
    outputs: [{ amount: 0n, script }],
    witnesses: [],
    lockTime: 0,
  });
  return hex.encode(sha256(sha256(bytes)).reverse());
}

/** BIP-322's virtual "to_sign" transaction, unsigned. */
export function toSign(own: Pick<OwnAddress, "script" | "type" | "publicKey">, message: string): Transaction {
  const tx = new Transaction({ version: 0, allowUnknownVersion: true, allowUnknownOutputs: true });
  tx.addInput({
    txid: toSpendId(own.script, message),
    index: 0,
    sequence: 0,
    witnessUtxo: { amount: 0n, script: own.script },
    ...(own.type === "p2tr" ? { tapInternalKey: own.publicKey.slice(1) } : {}),
  });
  tx.addOutput({ amount: 0n, script: new Uint8Array([OP.RETURN]) });
  return tx;
}

function bip322Simple(own: OwnAddress, message: string): string {
  const tx = toSign(own, message);
  tx.signIdx(own.privateKey, 0);
  tx.finalizeIdx(0);
  const witness = tx.getInput(0).finalScriptWitness;
  if (!witness) throw new RpcError(Code.internalError, "The message could not be signed.");
  return base64.encode(RawWitness.encode(witness));
}

/** The double SHA-256 that ECDSA signs: "Bitcoin Signed Message" and the text, each with its length prefix. */
function legacyHash(message: string): Uint8Array {
  const text = utf8ToBytes(message);
  const magic = utf8ToBytes("\u0018Bitcoin Signed Message:\n");
  return sha256(sha256(concatBytes(magic, CompactSize.encode(BigInt(text.length)), text)));
}

// BIP-137: the header encodes the address type; the recovery id is added to it. It has no value for taproot.
const HEADER: Partial<Record<ScriptType, number>> = { p2pkh: 31, "p2sh-p2wpkh": 35, p2wpkh: 39 };

function bip137(own: OwnAddress, hash: Uint8Array): string {
  const recovered = secp256k1.sign(hash, own.privateKey, { prehash: false, format: "recovered" });
  const header = HEADER[own.type]! + recovered[0]!;
  return base64.encode(concatBytes(new Uint8Array([header]), recovered.slice(1)));
}
