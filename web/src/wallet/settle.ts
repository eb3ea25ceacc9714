import { RpcCode, WalletError } from "./errors.ts";
import { signingHints } from "./psbt.ts";
import { isIdOf, isSameTransaction, takeSignatures } from "./signatures.ts";
import { base64 } from "@scure/base";
import { sentence, type WalletSentence } from "./texts.ts";

interface Asked {
  psbt: string;
  signInputs: Record<string, number[]>;
  broadcast?: boolean;
}

interface Signed {
  psbt: string;
  txid?: string;
}

/** A wallet only signs a script leaf. It is never asked to finalize or to send one: the caller does both. */
export function leafIsOnlySigned<A extends Asked>(asked: A): A {
  const hasLeaf = signingHints(base64.decode(asked.psbt)).some(({ leaf }) => leaf);
  return hasLeaf ? { ...asked, broadcast: false } : asked;
}

/**
 * What can be relied on of a wallet's answer to signPsbt: the PSBT that was to be signed with the wallet's
 * signatures, or the id of exactly this transaction where the wallet has sent it.
 */
export async function settleSigned({ psbt, signInputs, broadcast = false }: Asked, signed: Signed): Promise<Signed> {
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
