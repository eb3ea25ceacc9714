import { base64, hex } from "@scure/base";
import { RpcCode, WalletError } from "./errors.ts";
import { sentence } from "./texts.ts";

/** One entry of a PSBT's map (BIP-174): the key type, the key data and the value. */
export interface PsbtEntry {
  type: number;
  key: Uint8Array;
  value: Uint8Array;
}

/** A PSBT of version 0 (BIP-174). */
export interface Psbt {
  unsignedTx: Uint8Array;
  /** All entries of the global map, including the unsigned transaction. */
  globals: PsbtEntry[];
  inputs: PsbtEntry[][];
  /** One map per output. */
  outputs: PsbtEntry[][];
}

/** Key types of a PSBT's entries (BIP-174, and BIP-371 for taproot). */
export const PsbtType = {
  unsignedTx: 0x00,
  witnessUtxo: 0x01,
  partialSig: 0x02,
  sighashType: 0x03,
  finalScriptSig: 0x07,
  finalScriptWitness: 0x08,
  tapKeySig: 0x13,
  tapScriptSig: 0x14,
  tapLeafScript: 0x15,
  tapInternalKey: 0x17,
  tapMerkleRoot: 0x18,
} as const;

const MAGIC = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);
/** After the version of a serialized transaction. */
const INPUT_COUNT_AT = 4;

/** Parses a PSBT in base64. Returns null if the text is none. */
export function readPsbtText(psbt: string): Psbt | null {
  try {
    return readPsbt(base64.decode(psbt));
  } catch {
    return null; // not base64
  }
}

/** Parses a PSBT in bytes. Returns null if they are none. */
export function readPsbt(bytes: Uint8Array): Psbt | null {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) return null;
  try {
    const reader = new Reader(bytes, MAGIC.length);
    const globals = reader.map();
    const unsignedTx = globals.find(({ type }) => type === PsbtType.unsignedTx)?.value;
    if (!unsignedTx) return null;
    const tx = readTransaction(unsignedTx);
    const inputs = Array.from({ length: tx.inputs.length }, () => reader.map());
    const outputs = Array.from({ length: tx.outputs.length }, () => reader.map());
    return reader.isAtEnd ? { unsignedTx, globals, inputs, outputs } : null;
  } catch (error) {
    if (error instanceof RangeError) return null; // truncated
    throw error;
  }
}

/** The fields of a transaction without witnesses. */
export interface PlainTransaction {
  version: Uint8Array;
  inputs: { outpoint: Uint8Array; sequence: Uint8Array }[];
  /** Each output as serialized: value, script length and script. */
  outputs: Uint8Array[];
  lockTime: Uint8Array;
}

/** Parses a transaction without witnesses. Throws a RangeError if it is truncated. */
export function readTransaction(bytes: Uint8Array): PlainTransaction {
  const reader = new Reader(bytes, 0);
  const version = reader.take(INPUT_COUNT_AT);
  const inputs = reader.list(() => {
    const outpoint = reader.take(36);
    reader.take(reader.size()); // scriptSig, empty in a PSBT
    return { outpoint, sequence: reader.take(4) };
  });
  const outputs = reader.list(() => {
    const value = reader.take(8);
    const script = reader.take(reader.size());
    return joined(value, compactSize(script.length), script);
  });
  return { version, inputs, outputs, lockTime: reader.take(4) };
}

/** An output of a transaction: its sats and its script. */
export interface PlainOutput {
  value: bigint;
  script: Uint8Array;
}

/** Reads an output as it is serialized: 8 bytes of value, the length of the script, and the script. */
export function readOutput(bytes: Uint8Array): PlainOutput {
  const value = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  return { value, script: bytes.slice(bytes[8]! < 0xfd ? 9 : 11) };
}

/** Returns the PSBT in base64. */
export function serialize({ globals, inputs, outputs }: Psbt): string {
  return base64.encode(joined(MAGIC, ...[globals, ...inputs, ...outputs].flatMap(serializeMap)));
}

function serializeMap(entries: readonly PsbtEntry[]): Uint8Array[] {
  const lines = entries.flatMap(({ type, key, value }) => [
    compactSize(1 + key.length),
    Uint8Array.of(type),
    key,
    compactSize(value.length),
    value,
  ]);
  return [...lines, Uint8Array.of(0)];
}

/** What a wallet needs for signing an input, in addition to the input's index. */
export interface SigningHint {
  /** The input spends by a script leaf and is signed by the untweaked key. Other taproot inputs use the tweaked key. */
  leaf: boolean;
  /** The signature hash type that the input requests. */
  sighash?: number;
}

/** Returns the hints of each input. A text that is not a PSBT has no inputs; the wallet then reports the error. */
export function signingHints(bytes: Uint8Array): SigningHint[] {
  return (readPsbt(bytes)?.inputs ?? []).map((entries) => {
    const sighash = entries.find(({ type }) => type === PsbtType.sighashType)?.value[0];
    const leaf = entries.some(({ type }) => type === PsbtType.tapLeafScript);
    return { leaf, ...(sighash === undefined ? {} : { sighash }) };
  });
}

/**
 * Returns the complete transaction (hex) of a signed PSBT (base64) with one input that spends by a script leaf with one
 * key, as the recovery of a stake does. Some wallets sign such an input and cannot finalize it.
 *
 * Throws WalletError −32603 if the signature is missing.
 */
export function finishLeafSpend(psbt: string): string {
  const read = readPsbtText(psbt);
  const [entries = []] = read?.inputs ?? [];
  const final = entries.find(({ type }) => type === PsbtType.finalScriptWitness)?.value;
  const witness = final ?? leafWitness(entries);
  if (!read || read.inputs.length !== 1 || !witness)
    throw new WalletError(RpcCode.internalError, sentence("notSigned"));
  const { unsignedTx: tx } = read;
  const body = tx.slice(INPUT_COUNT_AT, -4);
  // BIP-144: marker and flag before the inputs, the witness between outputs and lock time.
  return hex.encode(joined(tx.slice(0, INPUT_COUNT_AT), Uint8Array.of(0, 1), body, witness, tx.slice(-4)));
}

/** The witness of a script-path spend (BIP-341): signature, script and control block. */
function leafWitness(entries: PsbtEntry[]): Uint8Array | undefined {
  const signature = entries.find(({ type }) => type === PsbtType.tapScriptSig)?.value;
  const leaf = entries.find(({ type }) => type === PsbtType.tapLeafScript);
  // The key data is the control block; the last byte of the value is the leaf version (BIP-371).
  return signature && leaf && witnessOf(signature, leaf.value.slice(0, -1), leaf.key);
}

/** Parses a serialized witness. Returns no items if it is malformed. */
export function readWitness(witness: Uint8Array): Uint8Array[] {
  const reader = new Reader(witness, 0);
  try {
    return reader.list(() => reader.take(reader.size()));
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Returns the serialized witness. */
export function witnessOf(...items: Uint8Array[]): Uint8Array {
  return joined(compactSize(items.length), ...items.flatMap((item) => [compactSize(item.length), item]));
}

/** Returns an entry of a PSBT's map. */
export function entryOf(type: number, value: Uint8Array, key: Uint8Array = new Uint8Array()): PsbtEntry {
  return { type, key, value };
}

/** Returns a PSBT (base64) with these entries of each input and one output. */
export function writePsbt(unsignedTx: Uint8Array, ...inputs: PsbtEntry[][]): string {
  return serialize({ unsignedTx, globals: [entryOf(PsbtType.unsignedTx, unsignedTx)], inputs, outputs: [[]] });
}

export function compactSize(size: number): Uint8Array {
  if (size < 0xfd) return Uint8Array.of(size);
  if (size <= 0xffff) return Uint8Array.of(0xfd, size & 0xff, size >> 8);
  return Uint8Array.of(0xfe, size & 0xff, (size >> 8) & 0xff, (size >> 16) & 0xff, size >>> 24);
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Parses the parts of a PSBT. Throws a RangeError if it is truncated. */
class Reader {
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = at;
  }

  /** Reads the entries of a map, up to the zero byte that ends it. */
  map(): PsbtEntry[] {
    const entries = [];
    for (let length = this.size(); length > 0; length = this.size()) {
      const key = this.take(length);
      entries.push({ type: key[0]!, key: key.slice(1), value: this.take(this.size()) });
    }
    return entries;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#view.byteLength;
  }

  /** Reads a compact size and that many items. */
  list<T>(item: () => T): T[] {
    const count = this.size();
    const items: T[] = [];
    while (items.length < count) items.push(item());
    return items;
  }

  /** Reads a compact size. Sizes above 32 bits cannot occur in a PSBT. */
  size(): number {
    const first = this.#view.getUint8(this.#at);
    this.#at += 1;
    if (first < 0xfd) return first;
    const size = first === 0xfd ? this.#view.getUint16(this.#at, true) : this.#view.getUint32(this.#at, true);
    this.#at += first === 0xfd ? 2 : 4;
    return size;
  }

  take(length: number): Uint8Array {
    if (this.#at + length > this.#view.byteLength) throw new RangeError("too short");
    const piece = new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#at, length).slice();
    this.#at += length;
    return piece;
  }
}
