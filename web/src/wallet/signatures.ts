import { schnorr } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "@scure/base";
import { RpcCode, WalletError } from "./errors.ts";
import {
  joined,
  PsbtType,
  readPsbtText,
  readTransaction,
  readWitness,
  serialize,
  type Psbt,
  type PsbtEntry,
} from "./psbt.ts";
import { isSame, leafHash, tagged } from "./taproot.ts";
import { sentence, type WalletSentence } from "./texts.ts";

/** The indexes of the inputs to sign, by address, as in the params of signPsbt. */
type SignInputs = Record<string, readonly number[]>;

/**
 * Returns the original PSBT with the wallet's signatures (base64). Nothing else of the wallet's response is used, so
 * the wallet can neither change an input or output nor finalize a script leaf. The signature of a script leaf is
 * verified.
 *
 * Throws WalletError −32603 if the response is another transaction, which is then in the error's data, or lacks a
 * signature, or has an invalid one.
 */
export function takeSignatures(asked: string, signInputs: SignInputs, answered: string): string {
  const own = readPsbtText(asked);
  const signed = readPsbtText(answered);
  if (!own) throw new WalletError(RpcCode.invalidParams, sentence("noPsbt"));
  if (!signed || !isSame(own.unsignedTx, signed.unsignedTx))
    throw refused(sentence("otherTransaction"), { psbt: answered });
  const wanted = new Set(Object.values(signInputs).flat());
  const inputs = own.inputs.map((entries, i) =>
    wanted.has(i) ? withSignature(own, i, signed.inputs[i] ?? []) : entries,
  );
  return serialize({ ...own, inputs });
}

/** Whether both PSBTs have the same unsigned transaction. */
export function isSameTransaction(asked: string, answered: string): boolean {
  const [own, other] = [readPsbtText(asked), readPsbtText(answered)];
  return own !== null && other !== null && isSame(own.unsignedTx, other.unsignedTx);
}

/**
 * Checks the id that a wallet returns after a broadcast: it must be the id of the transaction to be signed. Inputs that
 * are not native segwit change the id when they are signed; such a transaction is not checked.
 */
export function isIdOf(psbt: string, txid: string): boolean {
  const read = readPsbtText(psbt);
  if (!read || !read.inputs.every(isNativeSegwit)) return true;
  return hex.encode(sha256(sha256(read.unsignedTx)).reverse()) === txid.toLowerCase();
}

function isNativeSegwit(entries: readonly PsbtEntry[]): boolean {
  const script = outputScript(find(entries, PsbtType.witnessUtxo)?.value);
  if (!script) return false;
  const [version, length] = script;
  return (version === 0 || (version! >= 0x51 && version! <= 0x60)) && length === script.length - 2;
}

/** The script of a serialized output. */
function outputScript(output: Uint8Array | undefined): Uint8Array | undefined {
  return output?.slice(9); // 8 bytes of value, 1 of length: the scripts of interest are short
}

const SIGNATURES: readonly number[] = [
  PsbtType.partialSig,
  PsbtType.tapKeySig,
  PsbtType.finalScriptSig,
  PsbtType.finalScriptWitness,
];

/** The input's own entries and the wallet's signature for it. */
function withSignature(own: Psbt, index: number, signed: readonly PsbtEntry[]): PsbtEntry[] {
  const entries = own.inputs[index]!;
  const leaf = leafOf(entries);
  const found = leaf ? leafSignature(own, index, signed) : signed.filter(({ type }) => SIGNATURES.includes(type));
  if (found.length === 0) throw refused(sentence("notSigned"));
  const isFound = ({ type, key }: PsbtEntry) => found.some((one) => one.type === type && isSame(one.key, key));
  return [...entries.filter((entry) => !isFound(entry)), ...found];
}

interface Leaf {
  script: Uint8Array;
  version: number;
  controlBlock: Uint8Array;
  /** Leaf hash (BIP-341): tagged hash of leaf version and script. */
  hash: Uint8Array;
}

function leafOf(entries: readonly PsbtEntry[]): Leaf | undefined {
  const entry = find(entries, PsbtType.tapLeafScript);
  if (!entry) return undefined;
  const script = entry.value.slice(0, -1);
  const version = entry.value.at(-1)!;
  return { script, version, controlBlock: entry.key, hash: leafHash(script, version) };
}

/** Returns the verified signature of the input's leaf, or undefined if the wallet returned none. */
function leafSignature(own: Psbt, index: number, signed: readonly PsbtEntry[]): PsbtEntry[] {
  const entries = own.inputs[index]!;
  const leaf = leafOf(entries)!;
  const key = keyOf(leaf.script);
  const signature = key && (openSignature(leaf, key, signed) ?? finalSignature(leaf, signed));
  if (!key || !signature) return [];
  const requested = find(entries, PsbtType.sighashType)?.value[0] ?? 0;
  const type = hashTypeOf(signature);
  // With another signature hash type, whoever broadcasts the transaction could change the parts that it leaves
  // unsigned.
  const isAsked = type === requested || (requested === 0 && type === ALL) || (requested === ALL && type === 0);
  if (type === undefined || !isAsked) throw refused(sentence("badSignature"));
  if (!schnorr.verify(signature.slice(0, 64), leafDigest(own, index, leaf, type), key))
    throw refused(sentence("badSignature"));
  return [{ type: PsbtType.tapScriptSig, key: joined(key, leaf.hash), value: signature }];
}

/** The signature hash type of a Schnorr signature (BIP-341); undefined if it has none of the two valid forms. */
function hashTypeOf(signature: Uint8Array): number | undefined {
  if (signature.length === 64) return 0;
  return signature.length === 65 ? signature[64] || undefined : undefined;
}

/** The x-only key that a script begins with, as both leaves of a stake do. */
function keyOf(script: Uint8Array): Uint8Array | undefined {
  return script[0] === 32 && script.length > 33 ? script.slice(1, 33) : undefined;
}

function openSignature(leaf: Leaf, key: Uint8Array, signed: readonly PsbtEntry[]): Uint8Array | undefined {
  const wanted = joined(key, leaf.hash);
  return signed.find((entry) => entry.type === PsbtType.tapScriptSig && isSame(entry.key, wanted))?.value;
}

/** Reads the signature from a witness that the wallet finalized although it was asked not to. */
function finalSignature(leaf: Leaf, signed: readonly PsbtEntry[]): Uint8Array | undefined {
  const witness = find(signed, PsbtType.finalScriptWitness);
  const [signature, script, controlBlock] = witness ? readWitness(witness.value) : [];
  const isLeaf = script && controlBlock && isSame(script, leaf.script) && isSame(controlBlock, leaf.controlBlock);
  return isLeaf ? signature : undefined;
}

const ALL = 1;
const NONE = 2;
const SINGLE = 3;
const ANYONE_CAN_PAY = 0x80;

/** The message that a script leaf's signature signs: BIP-341's signature message with BIP-342's extension. */
function leafDigest(psbt: Psbt, index: number, leaf: Leaf, type: number): Uint8Array {
  const tx = readTransaction(psbt.unsignedTx);
  const spent = psbt.inputs.map((entries) => find(entries, PsbtType.witnessUtxo)?.value);
  const outputs = type & 3;
  const alone = (type & ANYONE_CAN_PAY) !== 0;
  if (!spent[index] || (!alone && spent.some((output) => !output))) throw refused(sentence("badSignature"));
  const all = spent.map((output) => output ?? new Uint8Array());
  const input = tx.inputs[index]!;
  const hashOf = (...parts: Uint8Array[]) => sha256(joined(...parts));
  return tagged(
    "TapSighash",
    Uint8Array.of(0, type),
    tx.version,
    tx.lockTime,
    ...(alone
      ? []
      : [
          hashOf(...tx.inputs.map(({ outpoint }) => outpoint)),
          hashOf(...all.map((output) => output.slice(0, 8))),
          hashOf(...all.map((output) => output.slice(8))),
          hashOf(...tx.inputs.map(({ sequence }) => sequence)),
        ]),
    ...(outputs === NONE || outputs === SINGLE ? [] : [hashOf(...tx.outputs)]),
    Uint8Array.of(2), // spend type: script path, no annex
    ...(alone ? [input.outpoint, all[index]!, input.sequence] : [littleEndian(index)]),
    ...(outputs === SINGLE ? [hashOf(tx.outputs[index] ?? new Uint8Array())] : []),
    leaf.hash,
    Uint8Array.of(0), // key version
    Uint8Array.of(0xff, 0xff, 0xff, 0xff), // no OP_CODESEPARATOR
  );
}

function find(entries: readonly PsbtEntry[], type: number): PsbtEntry | undefined {
  return entries.find((entry) => entry.type === type);
}

function refused(said: WalletSentence, data?: unknown): WalletError {
  return new WalletError(RpcCode.internalError, said, data, { kind: "unreadable" });
}

function littleEndian(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24);
}
