import { RpcCode, WalletError } from "./errors.ts";
import { signingHints } from "./psbt.ts";
import { isIdOf, isSameTransaction, takeSignatures } from "./signatures.ts";
import { base64 } from "@scure/base";
import { sentence, type WalletSentence } from "./texts.ts";

interface SignRequest {
  psbt: string;
  signInputs: Record<string, number[]>;
  broadcast?: boolean;
}

interface SignResponse {
  psbt: string;
  txid?: string;
}

/** Removes `broadcast` for a script leaf: a wallet only signs one, and the caller finalizes and sends it. */
export function leafIsOnlySigned<A extends SignRequest>(asked: A): A {
  const hasLeaf = signingHints(base64.decode(asked.psbt)).some(({ leaf }) => leaf);
  return hasLeaf ? { ...asked, broadcast: false } : asked;
}

/**
 * Returns the reliable part of a wallet's response to signPsbt: the original PSBT with the wallet's signatures, and the
 * id of exactly this transaction if the wallet has sent it.
 */
export async function settleSigned(
  { psbt, signInputs, broadcast = false }: SignRequest,
  signed: SignResponse,
): Promise<SignResponse> {
  if (broadcast && signed.txid !== undefined) {
    if (!isIdOf(psbt, signed.txid)) throw unreadable(sentence("otherTransaction"), signed);
    return { psbt: isSameTransaction(psbt, signed.psbt) ? signed.psbt : "", txid: signed.txid.toLowerCase() };
  }
  if (signed.psbt === "" || broadcast) throw unreadable(sentence("unknownResponse"), signed);
  return { psbt: takeSignatures(psbt, signInputs, signed.psbt) };
}

function unreadable(said: WalletSentence, data: unknown): WalletError {
  return new WalletError(RpcCode.internalError, said, data, { kind: "unreadable" });
}
