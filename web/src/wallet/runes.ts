import { RpcCode, WalletError } from "./errors.ts";
import type { Result } from "./methods/catalogue.ts";
import { callWallet, type RequestOptions } from "./callWallet.ts";
import { sentence } from "./texts.ts";

export interface RuneTransfer {
  /** Name with or without spacers. */
  runeName: string;
  /** block:tx, for wallets that identify runes only by their ids. */
  runeId?: string | undefined;
  /** Base units. */
  amount: bigint;
  recipient: string;
}

export type RuneBalanceEntry = Result<"runes_getBalance">["balances"][number];

/** Identifies a rune. */
export interface Rune {
  /** Name with or without spacers. */
  name: string;
  /** block:tx. */
  id?: string | undefined;
}

/** The wallet's balance of one rune in base units, or the reason why it is unknown. */
export type RuneHolding =
  | {
      known: true;
      total: bigint;
      /** Base units that can be sent now; null if the wallet does not report it. */
      spendable: bigint | null;
    }
  | { known: false; reason: WalletError };

/** Returns every rune of the wallet. Amounts are base units as digits; unreadable fields are undefined. */
export async function runeBalances(options?: RequestOptions): Promise<RuneBalanceEntry[]> {
  return (await callWallet("runes_getBalance", null, options)).balances;
}

/**
 * Returns the wallet's balance of one rune in base units. Only this rune's entry has to be readable; a list without
 * this rune means 0. Never throws: if the wallet reports no readable balance, the result is `known: false` with the
 * reason, and the user can still type an amount.
 */
export async function readRuneBalance(rune: Rune, options?: RequestOptions): Promise<RuneHolding> {
  try {
    return holdingOf(rune, await runeBalances(options));
  } catch (error) {
    return { known: false, reason: error instanceof WalletError ? error : unreadable(error) };
  }
}

/** Returns the wallet's balance of one rune in base units; 0 if it holds none. Throws WalletError if it is unknown. */
export async function runeBalance(runeName: string, options?: RequestOptions): Promise<bigint> {
  const holding = holdingOf({ name: runeName }, await runeBalances(options));
  if (!holding.known) throw holding.reason;
  return holding.total;
}

function holdingOf(rune: Rune, balances: readonly RuneBalanceEntry[]): RuneHolding {
  const name = bareName(rune.name);
  // The id identifies the rune. Names are compared if one of the two has no id.
  const matching = balances.filter(({ runeName, id }) =>
    id !== undefined && rune.id !== undefined
      ? id === rune.id
      : runeName !== undefined && bareName(runeName) === name,
  );
  const unnamed = balances.some(
    ({ runeName, id }) => runeName === undefined && (id === undefined || rune.id === undefined),
  );
  if (matching.length === 0)
    return unnamed ? { known: false, reason: unreadable(balances) } : { known: true, total: 0n, spendable: 0n };
  const [first] = matching;
  const amount = first!.amount;
  if (amount === undefined || matching.some((entry) => entry.amount !== amount))
    return { known: false, reason: unreadable(matching) };
  const total = BigInt(amount);
  const reported = first!.spendableBalance;
  const spendable = reported === undefined || matching.length > 1 || BigInt(reported) > total ? null : BigInt(reported);
  return { known: true, total, spendable };
}

function unreadable(data: unknown): WalletError {
  return new WalletError(RpcCode.internalError, sentence("balanceUnreadable"), data, { kind: "unreadable" });
}

function bareName(name: string): string {
  return name.replace(/[•.\s]/gu, "").toUpperCase();
}

/**
 * Sends runes and returns the transaction id after the wallet has broadcast it. `onLate` gets the id if the wallet
 * responds after the wait ended.
 *
 * Throws WalletError with the sentences of the specification; `maybeSent` says whether the caller has to look for the
 * transaction on the chain before another attempt.
 */
export async function transferRunes(transfer: RuneTransfer, options: RequestOptions<string> = {}): Promise<string> {
  const { runeName, runeId, amount, recipient } = transfer;
  const { onLate, ...asking } = options;
  const onLateTxid = onLate && (({ txid }: { txid: string }) => onLate(txid));
  try {
    const recipients = [{ runeName, amount: amount.toString(), address: recipient, ...(runeId ? { runeId } : {}) }];
    return (await callWallet("runes_transfer", { recipients }, { ...asking, onLate: onLateTxid })).txid;
  } catch (error) {
    if (!(error instanceof WalletError)) throw error;
    throw error.withMessage(error.rejected ? sentence("runesRejected") : sentence("runesFailed", error.sentence));
  }
}
