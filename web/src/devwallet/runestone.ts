import { OP } from "@scure/btc-signer";
import { concatBytes } from "@noble/hashes/utils.js";

export interface RuneId {
  block: bigint;
  tx: bigint;
}

export interface Edict {
  id: RuneId;
  /** Base units, below 2^128. */
  amount: bigint;
  /** Index of the output that receives them. */
  output: number;
}

export interface Runestone {
  edicts: Edict[];
  /** Index of the output that receives all runes without an edict; the first one if omitted. */
  pointer?: number;
}

const TAG_BODY = 0n;
const TAG_POINTER = 22n;
const U128 = 1n << 128n;
/** Maximum length of a push in a script. */
const MAX_PUSH = 520;

/** Parses "block:tx". */
export function parseRuneId(text: string): RuneId {
  const parts = text.split(":");
  if (parts.length !== 2 || !parts.every((part) => /^[0-9]{1,20}$/.test(part))) {
    throw new RangeError(`${text} is no rune id`);
  }
  return { block: BigInt(parts[0]!), tx: BigInt(parts[1]!) };
}

/** LEB128, the encoding of integers in the runes protocol. Throws above 128 bits. */
export function varint(value: bigint): Uint8Array {
  if (value < 0n || value >= U128) throw new RangeError("a rune integer must be from 0 to 2^128 − 1");
  const bytes: number[] = [];
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  bytes.push(Number(value));
  return new Uint8Array(bytes);
}

/**
 * Returns the OP_RETURN script of a runestone. Edicts are sorted by rune and delta-encoded, as the protocol requires;
 * edicts of one rune keep their order.
 */
export function runestoneScript({ edicts, pointer }: Runestone): Uint8Array {
  const integers: bigint[] = [];
  if (pointer !== undefined) integers.push(TAG_POINTER, BigInt(pointer));
  if (edicts.length > 0) integers.push(TAG_BODY);
  let last: RuneId = { block: 0n, tx: 0n };
  for (const { id, amount, output } of [...edicts].sort((a, b) => compareIds(a.id, b.id))) {
    const blocks = id.block - last.block;
    integers.push(blocks, blocks === 0n ? id.tx - last.tx : id.tx, amount, BigInt(output));
    last = id;
  }
  const payload = concatBytes(...integers.map(varint));
  const parts: Uint8Array[] = [new Uint8Array([OP.RETURN, OP.OP_13])];
  for (let at = 0; at < payload.length; at += MAX_PUSH) parts.push(push(payload.subarray(at, at + MAX_PUSH)));
  return concatBytes(...parts);
}

function compareIds(a: RuneId, b: RuneId): number {
  const difference = a.block - b.block || a.tx - b.tx;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** A data push. Never OP_1 to OP_16: the protocol reads pushed bytes only. */
function push(data: Uint8Array): Uint8Array {
  const n = data.length;
  const head = n < OP.PUSHDATA1 ? [n] : n < 256 ? [OP.PUSHDATA1, n] : [OP.PUSHDATA2, n & 0xff, n >> 8];
  return concatBytes(new Uint8Array(head), data);
}
