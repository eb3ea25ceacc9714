import { schnorr } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "@scure/base";
import { RpcCode, WalletError } from "./errors.ts";
import {
  compactSize,
  joined,
  PsbtType,
  readPsbtText,
  readTransaction,
  readWitness,
  serialize,
  type Psbt,
  type PsbtEntry,
} from "./psbt.ts";
import { sentence, type WalletSentence } from "./texts.ts";

/** The inputs to sign, by address, as signPsbt has them. */
type SignInputs = Record<string, readonly number[]>;

/**
 * The PSBT that was to be signed with the wallet's signatures in it (base64). Nothing else of the wallet's
 * answer is used, so that it can change neither an input nor an output, nor finalize a script leaf. The
 * signature of a script leaf is verified.
 *
 * Throws WalletError −32603: the answer is another transaction, lacks a signature, or has a wrong one.
 */
export function takeSignatures(asked: string, signInputs: SignInputs, answered: string): string {
  const own = readPsbtText(asked);
  const signed = readPsbtText(answered);
  if (!own) throw new WalletError(RpcCode.invalidParams, sentence("noPsbt"));
  if (!signed || !sameBytes(own.unsignedTx, signed.unsignedTx)) throw refused(sentence("otherTransaction"));
  const wanted = new Set(Object.values(signInputs).flat());
  const inputs = own.inputs.map((entries, i) =>
    wanted.has(i) ? withSignature(own, i, signed.inputs[i] ?? []) : entries,
  );
  return serialize({ ...own, inputs });
}

/** Whether both are the same transaction, whatever is signed of it. */
export function isSameTransaction(asked: string, answered: string): boolean {
  const [own, other] = [readPsbtText(asked), readPsbtText(answered)];
  return own !== null && other !== null && sameBytes(own.unsignedTx, other.unsignedTx);
}

/**
 * Checks what a wallet says it has broadcast: the id is that of the transaction that was to be signed. Inputs
 * that are no segwit outputs change the id when they are signed, and are left to the chain.
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
  return output?.slice(9); // 8 bytes of value, one of length: scripts that matter here are short
}

const SIGNATURES: readonly number[] = [
  PsbtType.partialSig,
  PsbtType.tapKeySig,
  PsbtType.finalScriptSig,
  PsbtType.finalScriptWitness,
];

/** The input's own entries and the wallet's signature of it. */
function withSignature(own: Psbt, index: number, signed: readonly PsbtEntry[]): PsbtEntry[] {
  const entries = own.inputs[index]!;
  const leaf = leafOf(entries);
  const found = leaf ? leafSignature(own, index, signed) : signed.filter(({ type }) => SIGNATURES.includes(type));
  if (found.length === 0) throw refused(sentence("notSigned"));
  const isFound = ({ type, key }: PsbtEntry) => found.some((one) => one.type === type && sameBytes(one.key, key));
  return [...entries.filter((entry) => !isFound(entry)), ...found];
}

interface Leaf {
  script: Uint8Array;
  version: number;
  controlBlock: Uint8Array;
  /** BIP-341's tagged hash of version and script. */
  hash: Uint8Array;
}

function leafOf(entries: readonly PsbtEntry[]): Leaf | undefined {
  const entry = find(entries, PsbtType.tapLeafScript);
  if (!entry) return undefined;
  const script = entry.value.slice(0, -1);
  const version = entry.value.at(-1)!;
  const hash = tagged("TapLeaf", Uint8Array.of(version), compactSize(script.length), script);
  return { script, version, controlBlock: entry.key, hash };
}

/** The one signature of the input's leaf, verified; none where the wallet gave none. */
function leafSignature(own: Psbt, index: number, signed: readonly PsbtEntry[]): PsbtEntry[] {
  const entries = own.inputs[index]!;
  const leaf = leafOf(entries)!;
  const key = keyOf(leaf.script);
  const signature = key && (openSignature(leaf, key, signed) ?? finalSignature(leaf, signed));
  if (!key || !signature) return [];
  const asked = find(entries, PsbtType.sighashType)?.value[0] ?? 0;
  const type = signature.length === 65 ? signature[64]! : 0;
  // A signature of other parts of the transaction than were asked for would leave the rest to whoever broadcasts it.
  const isAsked = type === asked || (asked === 0 && type === ALL) || (asked === ALL && type === 0);
  if (!isAsked || !schnorr.verify(signature.slice(0, 64), leafDigest(own, index, leaf, type), key)) {
    throw refused(sentence("badSignature"));
  }
  return [{ type: PsbtType.tapScriptSig, key: joined(key, leaf.hash), value: signature }];
}

/** The x-only key of a script that begins with one, as a stake's recovery does. */
function keyOf(script: Uint8Array): Uint8Array | undefined {
  return script[0] === 32 && script.length > 33 ? script.slice(1, 33) : undefined;
}

function openSignature(leaf: Leaf, key: Uint8Array, signed: readonly PsbtEntry[]): Uint8Array | undefined {
  const wanted = joined(key, leaf.hash);
  return signed.find((entry) => entry.type === PsbtType.tapScriptSig && sameBytes(entry.key, wanted))?.value;
}

/** Out of a witness that the wallet finalized although it was asked not to. */
function finalSignature(leaf: Leaf, signed: readonly PsbtEntry[]): Uint8Array | undefined {
  const witness = find(signed, PsbtType.finalScriptWitness);
  const [signature, script, controlBlock] = witness ? readWitness(witness.value) : [];
  const isLeaf = script && controlBlock && sameBytes(script, leaf.script) && sameBytes(controlBlock, leaf.controlBlock);
  return isLeaf ? signature : undefined;
}

const ALL = 1;
const NONE = 2;
const SINGLE = 3;
const ANYONE_CAN_PAY = 0x80;

/** What a signature of a script leaf signs: BIP-341's message with BIP-342's extension. */
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
    Uint8Array.of(2), // spends by a script, without an annex
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

function refused(said: WalletSentence): WalletError {
  return new WalletError(RpcCode.internalError, said, undefined, { kind: "unreadable" });
}

/** BIP-340's tagged hash. */
function tagged(tag: string, ...parts: Uint8Array[]): Uint8Array {
  const hash = sha256(new TextEncoder().encode(tag));
  return sha256(joined(hash, hash, ...parts));
}

function littleEndian(value: number): Uint8Array {
  return Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
