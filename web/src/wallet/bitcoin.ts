import { WalletError } from "./errors.ts";
import type { Params, Result } from "./methods/catalogue.ts";
import { ask, type RequestOptions } from "./ask.ts";
import { sentence } from "./texts.ts";

export interface Recipient {
  address: string;
  /** Sats. */
  amount: number;
}

export type SignedMessage = Result<"signMessage">;
export type SignedPsbt = Result<"signPsbt">;

/**
 * Sends sats; gives the transaction id. `onLate` gets the id of an answer that comes after the wait was over.
 * A cancel in the wallet has the specification's sentence; `maybeSent` of any WalletError says whether the
 * chain has to be asked before another try.
 */
export async function sendTransfer(recipients: Recipient[], options: RequestOptions<string> = {}): Promise<string> {
  const { onLate, ...asking } = options;
  const late = onLate && (({ txid }: { txid: string }) => onLate(txid));
  try {
    return (await ask("sendTransfer", { recipients }, { ...asking, onLate: late })).txid;
  } catch (fault) {
    if (fault instanceof WalletError && fault.rejected) throw fault.withMessage(sentence("paymentCancelled"));
    throw fault;
  }
}

/**
 * Has a message signed with the key of an address. The wallet chooses the protocol. `messageHash` is
 * handed on as it came: wallets disagree about it, so nobody may rely on it.
 */
export function signMessage(address: string, message: string, options?: RequestOptions): Promise<SignedMessage> {
  return ask("signMessage", { address, message }, options);
}

/**
 * Has inputs of a PSBT (base64) signed. With `broadcast` the wallet sends the transaction and the result
 * names it, but for a script leaf: that a wallet only signs, the result has no id, and the caller finishes
 * and sends the transaction.
 */
export function signPsbt(params: Params<"signPsbt">, options?: RequestOptions): Promise<SignedPsbt> {
  return ask("signPsbt", params, options);
}

/**
 * Has a message signed by way of a transaction that nobody can ever send (BIP-322), for wallets that sign no messages.
 * For p2wpkh and p2tr addresses.
 */
export async function signMessageByPsbt(
  key: { address: string; publicKey: string },
  message: string,
  options?: RequestOptions,
): Promise<SignedMessage> {
  return (await import("./proof.ts")).proveByPsbt(key, message, options);
}

/**
 * The whole transaction (hex) of a signed PSBT (base64) that spends one output by a script leaf with one key: not every
 * wallet that signs such a leaf can finish it.
 */
export async function finishLeafSpend(psbt: string): Promise<string> {
  return (await import("./psbt.ts")).finishLeafSpend(psbt);
}

/** Sats of the payment address. `confirmed` leaves out what no block has yet. */
export async function btcBalance(options?: RequestOptions): Promise<{ confirmed: bigint; total: bigint }> {
  const { confirmed, total } = await ask("getBalance", null, options);
  return { confirmed: BigInt(confirmed), total: BigInt(total) };
}
