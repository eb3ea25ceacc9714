import { PageError } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import type { Session } from "../wallet/index.ts";
import { PsbtType, readOutput, readPsbtText, readTransaction } from "../wallet/psbt.ts";
import { isAlone, scriptOf, xOnly } from "../wallet/stakeScript.ts";
import { isSame } from "../wallet/taproot.ts";

/** The transaction to sign does not recover a stake of this owner. Nothing was signed. */
export class RecoveryMismatch extends PageError {
  override readonly name = "RecoveryMismatch";
}

/**
 * Throws RecoveryMismatch unless the PSBT (base64) sends one output, which the owner alone may spend after a delay, to
 * the owner's ordinals address and nowhere else. The server could otherwise have the owner sign a withdrawal to
 * somebody else here, which the community's key completes. Further inputs may be added to it, but no output.
 */
export function requireRecovery(psbt: string, { address, publicKey }: Session["ordinals"]): void {
  const read = readPsbtText(psbt);
  const { inputs = [], outputs = [] } = read ? readTransaction(read.unsignedTx) : {};
  const [entries = []] = read?.inputs ?? [];
  const spent = entries.find(({ type }) => type === PsbtType.witnessUtxo);
  const keys = { owner: xOnly(publicKey), delay: inputs[0] ? numberOf(inputs[0].sequence) : Number.NaN };
  const isRecovery =
    inputs.length === 1 &&
    outputs.length === 1 &&
    isSame(readOutput(outputs[0]!).script, scriptOf(address)) &&
    spent !== undefined &&
    isAlone(entries, readOutput(spent.value).script, keys) &&
    entries.every(({ type, value }) => type !== PsbtType.sighashType || ALLOWED.includes(numberOf(value)));
  if (!isRecovery) throw new RecoveryMismatch(later.recover.mismatch);
}

/** SIGHASH_DEFAULT, SIGHASH_ALL, and ALL|ANYONECANPAY: the output is signed in each. */
const ALLOWED = [0x00, 0x01, 0x81];

/** Reads 4 bytes, least significant first; NaN if there are not 4. */
function numberOf(bytes: Uint8Array): number {
  return bytes.length === 4 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) : Number.NaN;
}
