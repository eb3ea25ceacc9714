import { DocumentError } from "../verify/errors.ts";
import { tagged } from "../verify/hash.ts";
import { readReceipts } from "../verify/receipt.ts";
import type { ReceiptFile } from "./keep.ts";

/** A kept receipt, as the page shows it. `time` in milliseconds since 1970. */
export interface KeptReceipt {
  text: string;
  /** Key, sequence and text of the batch: another text with the same key and sequence contradicts it. */
  batch: { key: string; sequence: number; text: string };
  index: number;
  kind: string;
  time: number;
  order: string;
  txid: string;
  runes: bigint;
  sats: bigint;
}

interface Document {
  batch: { key: string; sequence: number };
  index: number;
  receipt: { kind: string; time: number; order: string; txid: string; runes: string; sats: string };
}

/** Reads the text of a receipt that was verified before it was kept. */
export function readKept(text: string): KeptReceipt {
  const { batch, index, receipt } = JSON.parse(text) as Document;
  const { kind, time, order, txid, runes, sats } = receipt;
  return {
    text,
    batch: { key: batch.key, sequence: batch.sequence, text: JSON.stringify(batch) },
    index,
    kind,
    time: time * 1000,
    order,
    txid,
    runes: BigInt(runes),
    sats: BigInt(sats),
  };
}

/** Sorts receipts, newest first; receipts of one batch in the batch's order. */
export function newestFirst(receipts: readonly KeptReceipt[]): KeptReceipt[] {
  return receipts.toSorted((a, b) => b.time - a.time || b.batch.sequence - a.batch.sequence || b.index - a.index);
}

/** Returns the receipts whose batch has the key and sequence of another batch: proof of two histories. */
export function contradictions(receipts: readonly KeptReceipt[]): KeptReceipt[] {
  const batches = new Map<string, Set<string>>();
  const place = ({ batch }: KeptReceipt): string => `${batch.key} ${batch.sequence}`;
  for (const one of receipts) {
    const texts = batches.get(place(one)) ?? new Set<string>();
    batches.set(place(one), texts.add(one.batch.text));
  }
  return receipts.filter((one) => batches.get(place(one))!.size > 1);
}

/** Whose receipts are expected, and the key that certified them. */
export interface Expected {
  network: string;
  community: string;
  owner: string;
  /** The community's statement key. */
  key: string;
}

/** What a check of received receipts found. */
export interface Checked {
  valid: ReceiptFile[];
  /** Texts that don't verify, or that are of another owner, community or key. */
  invalid: string[];
}

/** Receipts verified at once: each takes some milliseconds, in which the page does not react. */
const AT_ONCE = 4;

/** Verifies received receipts. */
export async function checkReceipts(texts: readonly string[], expected: Expected): Promise<Checked> {
  const checked: Checked = { valid: [], invalid: [] };
  for (const [i, text] of texts.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve));
    if (!isValid(text, expected)) checked.invalid.push(text);
    else {
      const { batch, index } = readKept(text);
      checked.valid.push({ place: [tagged("moonfund/receipt-batch", batch.text), index], text });
    }
  }
  return checked;
}

function isValid(text: string, { network, community, owner, key }: Expected): boolean {
  if (!text.startsWith("{")) return false; // readReceipts accepts a list as well
  try {
    const [receipt] = readReceipts(text);
    return (
      receipt !== undefined &&
      receipt.network === network &&
      receipt.community === community &&
      receipt.owner === owner &&
      receipt.key === key
    );
  } catch (error) {
    if (error instanceof DocumentError) return false;
    throw error;
  }
}
