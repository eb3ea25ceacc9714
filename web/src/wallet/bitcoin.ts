import { WalletError } from "./errors.ts";
import type { Params, Result } from "./methods/catalogue.ts";
import { callWallet, type RequestOptions } from "./callWallet.ts";
import { sentence } from "./texts.ts";

export interface Recipient {
  address: string;
  /** Sats. */
  amount: number;
}

export type SignedMessage = Result<"signMessage">;
export type SignedPsbt = Result<"signPsbt">;

/**
 * Sends sats and returns the transaction id. `onLate` gets the id if the wallet responds after the wait ended.
 *
 * Throws WalletError. A rejection in the wallet has the sentence of the specification; `maybeSent` says whether the
 * caller has to look for the payment on the chain before another attempt.
 */
export async function sendTransfer(recipients: Recipient[], options: RequestOptions<string> = {}): Promise<string> {
  const { onLate, ...asking } = options;
  const onLateTxid = onLate && (({ txid }: { txid: string }) => onLate(txid));
  try {
    return (await callWallet("sendTransfer", { recipients }, { ...asking, onLate: onLateTxid })).txid;
  } catch (error) {
    if (error instanceof WalletError && error.rejected) throw error.withMessage(sentence("paymentCancelled"));
    throw error;
  }
}

/**
 * Signs a message with the key of an address. The wallet chooses the protocol (BIP-322 or ECDSA). `messageHash` is
 * returned as the wallet sent it: wallets disagree about its meaning, so do not rely on it.
 */
export function signMessage(address: string, message: string, options?: RequestOptions): Promise<SignedMessage> {
  return callWallet("signMessage", { address, message }, options);
}

/**
 * Signs inputs of a PSBT (base64). With `broadcast` the wallet sends the transaction and the result has its `txid`. A
 * script leaf is the exception: the wallet only signs it, the result has no `txid`, and the caller finalizes and sends
 * the transaction.
 */
export function signPsbt(params: Params<"signPsbt">, options?: RequestOptions): Promise<SignedPsbt> {
  return callWallet("signPsbt", params, options);
}

/**
 * Signs a message as BIP-322's virtual transaction, which can never be broadcast, for wallets that sign no messages.
 * Supports p2wpkh and p2tr addresses.
 */
export async function signMessageByPsbt(
  key: { address: string; publicKey: string },
  message: string,
  options?: RequestOptions,
): Promise<SignedMessage> {
  return (await import("./proof.ts")).proveByPsbt(key, message, options);
}

/**
 * Returns the complete transaction (hex) of a signed PSBT (base64) that spends one output by a script leaf with one
 * key. Some wallets sign such an input and cannot finalize it.
 */
export async function finishLeafSpend(psbt: string): Promise<string> {
  return (await import("./psbt.ts")).finishLeafSpend(psbt);
}

/** Returns the balance of the payment address in sats. `confirmed` excludes unconfirmed transactions. */
export async function btcBalance(options?: RequestOptions): Promise<{ confirmed: bigint; total: bigint }> {
  const { confirmed, total } = await callWallet("getBalance", null, options);
  return { confirmed: BigInt(confirmed), total: BigInt(total) };
}
