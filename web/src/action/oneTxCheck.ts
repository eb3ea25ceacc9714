import type { OneTxDraft } from "../api/oneTx.ts";
import { formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { decodeAddress } from "../wallet/address.ts";
import type { Session } from "../wallet/index.ts";
import { joined, PsbtType, readPsbtText, readTransaction, type PsbtEntry } from "../wallet/psbt.ts";

/** The transaction to sign is not the one that the server described. Nothing was signed. */
export class DraftMismatch extends Error {
  override readonly name = "DraftMismatch";
}

const RETURN = 0x6a;

/**
 * Throws DraftMismatch unless the transaction pays only the two addresses of the session: output 0 to the ordinals
 * address, and at most one further output to the payment address. The wallet signs every input of the payment address
 * and no other input, and the fee is the draft's.
 */
export function requireOneTx(draft: OneTxDraft, { payment, ordinals }: Pick<Session, "payment" | "ordinals">): void {
  const words = later.oneTx;
  const psbt = readPsbtText(draft.psbt);
  if (!psbt || draft.address !== payment.address) throw new DraftMismatch(words.otherTransaction);
  const own = scriptOf(payment.address);
  const spent = psbt.inputs.map(spentOutput);
  const outputs = readTransaction(psbt.unsignedTx).outputs.map(readOutput);
  const [first, ...rest] = outputs;
  const change = rest.filter(({ script }) => script[0] !== RETURN);
  const isOurs =
    first !== undefined &&
    isSame(first.script, scriptOf(ordinals.address)) &&
    change.length <= 1 &&
    change.every(({ script }) => isSame(script, own));
  if (!isOurs) throw new DraftMismatch(words.otherOutputs);
  const signs = spent.flatMap((output, index) => (output && isSame(output.script, own) ? [index] : []));
  if (signs.length === 0 || signs.join() !== [...draft.inputs].sort((a, b) => a - b).join())
    throw new DraftMismatch(words.otherInputs);
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

/** The script of an address that can pay or receive here: p2wpkh, p2tr or p2sh. */
function scriptOf(address: string): Uint8Array {
  const { type, program } = decodeAddress(address);
  if (type === "p2sh") return joined(Uint8Array.of(0xa9, 20), program, Uint8Array.of(0x87));
  return joined(Uint8Array.of(type === "p2tr" ? 0x51 : 0x00, program.length), program);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
