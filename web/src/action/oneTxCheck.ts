import { hex } from "@scure/base";
import type { OneTxDraft } from "../api/oneTx.ts";
import type { Order } from "../api/orders.ts";
import { PageError } from "../lib/failure.ts";
import { formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { decodeAddress } from "../wallet/address.ts";
import type { Session } from "../wallet/index.ts";
import { joined, PsbtType, readPsbtText, readTransaction, type PsbtEntry } from "../wallet/psbt.ts";
import { parseRuneId } from "../wallet/runeId.ts";

/** The transaction to sign is not the one that the page has shown. Nothing was signed. */
export class DraftMismatch extends PageError {
  override readonly name = "DraftMismatch";
}

/** What the owner wants: the units of an order and their runes, of the rune with this id. */
export interface Wanted extends Pick<Order, "units" | "runes"> {
  runeId: string;
}

/**
 * Throws DraftMismatch unless the transaction delivers `wanted` to the session's ordinals address and nothing else:
 *
 * - Its inputs are the order's units, and outputs of the payment address. The wallet signs each of the latter and no
 *   other input.
 * - Output 0 pays the ordinals address. Output 1 has 0 sats and the runestone that sends the runes to output 0. One
 *   more output at most, the change, pays the payment address.
 * - The fee is the draft's.
 */
export function requireOneTx(
  draft: OneTxDraft,
  wanted: Wanted,
  { payment, ordinals }: Pick<Session, "payment" | "ordinals">,
): void {
  const words = later.oneTx;
  const psbt = readPsbtText(draft.psbt);
  if (!psbt || draft.address !== payment.address) throw new DraftMismatch(words.otherTransaction);
  const tx = readTransaction(psbt.unsignedTx);
  const own = scriptOf(payment.address);
  const spent = psbt.inputs.map(spentOutput);
  const signs = spent.flatMap((output, index) => (output && isSame(output.script, own) ? [index] : []));
  const signsOwn = signs.length > 0 && signs.join() === [...draft.inputs].sort((a, b) => a - b).join();
  if (!signsOwn) throw new DraftMismatch(words.otherInputs);
  const units = tx.inputs.filter((_, index) => !signs.includes(index)).map(({ outpoint }) => nameOf(outpoint));
  if (units.toSorted().join() !== wanted.units.toSorted().join()) throw new DraftMismatch(words.otherUnits);
  const outputs = tx.outputs.map(readOutput);
  const [delivery, runestone, ...change] = outputs;
  const isDelivered = delivery && isSame(delivery.script, scriptOf(ordinals.address));
  if (!isDelivered || change.length > 1 || change.some(({ script }) => !isSame(script, own)))
    throw new DraftMismatch(words.otherOutputs);
  if (runestone?.value !== 0n || !isSame(runestone.script, runestoneOf(wanted)))
    throw new DraftMismatch(words.otherRunes);
  const sum = (all: readonly (Output | null)[]) => all.reduce((total, output) => total + (output?.value ?? 0n), 0n);
  const fee = sum(spent) - sum(outputs);
  if (spent.includes(null) || fee !== draft.fee) throw new DraftMismatch(words.otherFee(formatSats(draft.fee)));
}

interface Output {
  value: bigint;
  script: Uint8Array;
}

function spentOutput(entries: readonly PsbtEntry[]): Output | null {
  const found = entries.find(({ type }) => type === PsbtType.witnessUtxo);
  return found ? readOutput(found.value) : null;
}

/** Reads an output as it is serialized: 8 bytes of value, the length of the script, and the script. */
function readOutput(bytes: Uint8Array): Output {
  const value = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  return { value, script: bytes.slice(bytes[8]! < 0xfd ? 9 : 11) };
}

/** Returns an outpoint as the id of a unit, "txid:vout". */
function nameOf(outpoint: Uint8Array): string {
  const vout = new DataView(outpoint.buffer, outpoint.byteOffset).getUint32(32, true);
  return `${hex.encode(outpoint.slice(0, 32).reverse())}:${vout}`;
}

/** The script of an address that can pay or receive here: p2wpkh, p2tr or p2sh. */
function scriptOf(address: string): Uint8Array {
  const { type, program } = decodeAddress(address);
  if (type === "p2sh") return joined(Uint8Array.of(0xa9, 20), program, Uint8Array.of(0x87));
  return joined(Uint8Array.of(type === "p2tr" ? 0x51 : 0x00, program.length), program);
}

const RETURN = 0x6a;
/** OP_13, which marks a runestone. */
const RUNES = 0x5d;
const TAG_POINTER = 22n;
const TAG_BODY = 0n;
/** The output that the runestone sends the runes to. */
const DELIVERY = 0n;

/** The script of the runestone that sends the runes, and what else the inputs hold, to output 0. */
function runestoneOf({ runes, runeId }: Wanted): Uint8Array {
  const { block, tx } = parseRuneId(runeId);
  const integers = [TAG_POINTER, DELIVERY, TAG_BODY, block, BigInt(tx), runes, DELIVERY];
  const payload = joined(...integers.map(varint));
  return joined(Uint8Array.of(RETURN, RUNES, payload.length), payload);
}

/** LEB128, the encoding of integers in the runes protocol. */
function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(value));
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
