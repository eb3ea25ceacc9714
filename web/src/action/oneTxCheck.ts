import { hex } from "@scure/base";
import type { OneTxDraft } from "../api/oneTx.ts";
import type { Order } from "../api/orders.ts";
import { PageError } from "../lib/failure.ts";
import { formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import type { Session } from "../wallet/index.ts";
import {
  joined,
  PsbtType,
  readOutput,
  readPsbtText,
  readTransaction,
  type PlainOutput,
  type PsbtEntry,
} from "../wallet/psbt.ts";
import { parseRuneId } from "../wallet/runeId.ts";
import { isTogether, scriptOf, xOnly } from "../wallet/stakeScript.ts";
import { isSame } from "../wallet/taproot.ts";

/** The transaction to sign is not the one that the page has shown. Nothing was signed. */
export class DraftMismatch extends PageError {
  override readonly name = "DraftMismatch";
}

/** What the owner wants: the units of an order and their runes, of the rune with this id. */
export interface Wanted extends Pick<Order, "units" | "runes"> {
  runeId: string;
  /** Units that are known to be in self-custody: the owner must sign each. */
  self: readonly string[];
  /** The service fee in sats, if the payments of the order pay; null if outputs of the payment address do. */
  service: bigint | null;
  /** Whether outputs of the payment address may pay. They need not while the order is paid and not sent. */
  coins: boolean;
}

/**
 * Returns the sats of the change. Throws DraftMismatch unless the transaction delivers `wanted` to the session's
 * ordinals address and nothing else:
 *
 * - Its inputs are the order's units, and outputs of the payment address. The wallet signs each of the latter; of the
 *   former those in self-custody, by the leaf *together* of this owner, and no other input. If the payments of the
 *   order pay, there may be further inputs, which the server signs.
 * - Each signature covers the whole transaction.
 * - Output 0 pays the ordinals address at least the sats of the units. Output 1 has 0 sats and the runestone that sends
 *   the runes to output 0. If payments pay, the service fee may follow. One more output at most, the change, pays the
 *   payment address.
 * - The fee is the draft's, and outputs of the payment address pay no more than it.
 */
export function requireOneTx(
  draft: OneTxDraft,
  wanted: Wanted,
  { payment, ordinals }: Pick<Session, "payment" | "ordinals">,
): bigint {
  const words = later.oneTx;
  const psbt = readPsbtText(draft.psbt);
  if (!psbt || draft.address !== payment.address) throw new DraftMismatch(words.otherTransaction);
  const tx = readTransaction(psbt.unsignedTx);
  const own = scriptOf(payment.address);
  const inputs = psbt.inputs.map((entries, i) => readInput(entries, tx.inputs[i]!.outpoint, wanted.units));
  requireInputs(inputs, draft, wanted, { own, owner: xOnly(ordinals.publicKey) });
  const [delivery, runestone, ...others] = tx.outputs.map(readOutput);
  const isDelivered = delivery && isSame(delivery.script, scriptOf(ordinals.address));
  if (!isDelivered || delivery.value < sum(inputs.filter(({ isUnit }) => isUnit).map(({ spent }) => spent)))
    throw new DraftMismatch(words.otherOutputs);
  const [first] = others;
  const hasService = first && first.value > 0n && first.value === wanted.service && !isOwn(first, own);
  const change = hasService ? others.slice(1) : others;
  if (change.length > 1 || change.some((output) => !isOwn(output, own))) throw new DraftMismatch(words.otherOutputs);
  const isAmount = wanted.runes > 0n && wanted.runes <= MAX_RUNES; // another integer would burn the runes
  if (!isAmount || runestone?.value !== 0n || !isSame(runestone.script, runestoneOf(wanted)))
    throw new DraftMismatch(words.otherRunes);
  const spent = inputs.map((input) => input.spent);
  const fee = sum(spent) - sum(tx.outputs.map(readOutput));
  const owners = inputs.filter((input) => input.isUnit || (input.spent && isOwn(input.spent, own)));
  const paid = sum(owners.map((input) => input.spent)) - sum([delivery, ...change]);
  if (spent.includes(null) || fee !== draft.fee || paid > draft.fee)
    throw new DraftMismatch(words.otherFee(formatSats(draft.fee)));
  return sum(change);
}

interface Input {
  entries: readonly PsbtEntry[];
  /** txid:vout */
  id: string;
  isUnit: boolean;
  spent: PlainOutput | null;
}

function readInput(entries: readonly PsbtEntry[], outpoint: Uint8Array, units: readonly string[]): Input {
  const id = nameOf(outpoint);
  return { entries, id, isUnit: units.includes(id), spent: spentOutput(entries) };
}

/** Throws DraftMismatch unless the wallet signs its own inputs only, each as requireOneTx says. */
function requireInputs(
  inputs: readonly Input[],
  draft: OneTxDraft,
  { units, self, service, coins }: Wanted,
  { own, owner }: { own: Uint8Array; owner: Uint8Array },
): void {
  const words = later.oneTx;
  const paying = inputs.flatMap(({ spent }, i) => (spent && isOwn(spent, own) ? [i] : []));
  const signsAny = paying.length + (service === null ? 0 : draft.ownerInputs.length) > 0;
  if (!signsAny || (!coins && paying.length > 0) || !isSameList(paying, draft.inputs))
    throw new DraftMismatch(words.otherInputs);
  const known = inputs.filter(({ isUnit }, i) => isUnit || (service === null && !paying.includes(i)));
  if (units.length === 0 || !isSameList(known.map(({ id }) => id), units)) throw new DraftMismatch(words.otherUnits);
  const signs = (i: number): boolean => draft.ownerInputs.includes(i);
  const signed = inputs.filter((_, i) => signs(i));
  const isForeign = signed.length !== draft.ownerInputs.length || signed.some(({ isUnit }) => !isUnit);
  const isUnsigned = inputs.some(({ id }, i) => self.includes(id) && !signs(i));
  if (isForeign || isUnsigned) throw new DraftMismatch(words.otherInputs);
  const hasWrongLeaf = inputs.some(({ entries, spent }, i) =>
    signs(i)
      ? !spent || !isTogether(entries, spent.script, owner)
      : entries.some(({ type }) => type === PsbtType.tapLeafScript),
  );
  if (hasWrongLeaf) throw new DraftMismatch(words.otherLeaf);
  if (!inputs.every(({ entries }) => signsAll(entries))) throw new DraftMismatch(words.otherSighash);
}

/** Whether the input asks for no other signature hash type than SIGHASH_DEFAULT or SIGHASH_ALL. */
function signsAll(entries: readonly PsbtEntry[]): boolean {
  const types = entries.filter(({ type }) => type === PsbtType.sighashType);
  return types.every(({ value }) => value.every((byte, i) => byte === 0 || (i === 0 && byte === 1)));
}

function spentOutput(entries: readonly PsbtEntry[]): PlainOutput | null {
  const found = entries.find(({ type }) => type === PsbtType.witnessUtxo);
  return found ? readOutput(found.value) : null;
}

/** Returns an outpoint as the id of a unit, "txid:vout". */
function nameOf(outpoint: Uint8Array): string {
  const vout = new DataView(outpoint.buffer, outpoint.byteOffset).getUint32(32, true);
  return `${hex.encode(outpoint.slice(0, 32).reverse())}:${vout}`;
}

/** Amounts are integers of 63 bits. */
const MAX_RUNES = (1n << 63n) - 1n;
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

const isOwn = ({ script }: PlainOutput, own: Uint8Array): boolean => isSame(script, own);

function sum(all: readonly (PlainOutput | null)[]): bigint {
  return all.reduce((total, output) => total + (output?.value ?? 0n), 0n);
}

/** Whether both lists have the same items, in any order and each once. */
function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && new Set(b).size === b.length && a.every((item) => b.includes(item));
}
