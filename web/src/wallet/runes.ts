import { WalletError } from "./errors.ts";
import type { Result } from "./methods/catalogue.ts";
import { ask, type RequestOptions } from "./ask.ts";
import { walletTexts } from "./texts.ts";

export interface RuneTransfer {
  /** Name with or without its spacers. */
  runeName: string;
  /** block:tx, for wallets that know runes by their ids only. */
  runeId?: string | undefined;
  /** Base units. */
  amount: bigint;
  recipient: string;
}

export type RuneBalanceEntry = Result<"runes_getBalance">["balances"][number];

/** Every rune that the wallet holds. Amounts are base units in digits. */
export async function runeBalances(options?: RequestOptions): Promise<RuneBalanceEntry[]> {
  return (await ask("runes_getBalance", null, options)).balances;
}

/** What the wallet holds of one rune, in base units; 0 when it holds none. Spacers don't count. */
export async function runeBalance(runeName: string, options?: RequestOptions): Promise<bigint> {
  const wanted = bareName(runeName);
  const entry = (await runeBalances(options)).find((balance) => bareName(balance.runeName) === wanted);
  return BigInt(entry?.amount ?? 0);
}

function bareName(name: string): string {
  return name.replace(/[•.\s]/gu, "").toUpperCase();
}

/**
 * Sends runes; gives the transaction id once the wallet has broadcast it.
 * Throws WalletError with the specification's sentences.
 */
export async function transferRunes(transfer: RuneTransfer, options?: RequestOptions): Promise<string> {
  const { runeName, runeId, amount, recipient } = transfer;
  try {
    const recipients = [{ runeName, amount: amount.toString(), address: recipient, ...(runeId ? { runeId } : {}) }];
    return (await ask("runes_transfer", { recipients }, options)).txid;
  } catch (fault) {
    if (!(fault instanceof WalletError)) throw fault;
    throw fault.withMessage(fault.rejected ? walletTexts.runesRejected : walletTexts.runesFailed(fault.message));
  }
}
