import { RpcCode, WalletError } from "./errors.ts";
import type { Result } from "./methods/catalogue.ts";
import { ask, type RequestOptions } from "./ask.ts";
import { sentence } from "./texts.ts";

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

/** A rune to look for. */
export interface Rune {
  /** With or without its spacers. */
  name: string;
  /** block:tx. */
  id?: string | undefined;
}

/** What the wallet says about one rune, in base units. */
export type RuneHolding =
  | {
      known: true;
      total: bigint;
      /** What can be sent now; null where the wallet does not say. */
      spendable: bigint | null;
    }
  | { known: false; reason: WalletError };

/** Every rune that the wallet holds. Amounts are base units in digits; what could not be read is not there. */
export async function runeBalances(options?: RequestOptions): Promise<RuneBalanceEntry[]> {
  return (await ask("runes_getBalance", null, options)).balances;
}

/**
 * What the wallet holds of one rune. Only this rune's entry is judged; a wallet that lists its runes and not this one
 * holds 0. Never throws: a wallet that tells no balance, or none that can be read, gives `known: false` and why. A
 * person can still type an amount then.
 */
export async function readRuneBalance(rune: Rune, options?: RequestOptions): Promise<RuneHolding> {
  try {
    return holdingOf(rune, await runeBalances(options));
  } catch (fault) {
    return { known: false, reason: fault instanceof WalletError ? fault : unreadable(fault) };
  }
}

/** What the wallet holds of one rune, in base units; 0 when it holds none. Throws WalletError where it is not known. */
export async function runeBalance(runeName: string, options?: RequestOptions): Promise<bigint> {
  const holding = holdingOf({ name: runeName }, await runeBalances(options));
  if (!holding.known) throw holding.reason;
  return holding.total;
}

function holdingOf(rune: Rune, balances: readonly RuneBalanceEntry[]): RuneHolding {
  const wanted = bareName(rune.name);
  // The id says which rune it is; names are compared where one of the two has no id.
  const own = balances.filter(({ runeName, id }) =>
    id !== undefined && rune.id !== undefined
      ? id === rune.id
      : runeName !== undefined && bareName(runeName) === wanted,
  );
  const unnamed = balances.some(
    ({ runeName, id }) => runeName === undefined && (id === undefined || rune.id === undefined),
  );
  if (own.length === 0)
    return unnamed ? { known: false, reason: unreadable(balances) } : { known: true, total: 0n, spendable: 0n };
  const [first] = own;
  const amount = first!.amount;
  if (amount === undefined || own.some((entry) => entry.amount !== amount))
    return { known: false, reason: unreadable(own) };
  const total = BigInt(amount);
  const said = first!.spendableBalance;
  const spendable = said === undefined || own.length > 1 || BigInt(said) > total ? null : BigInt(said);
  return { known: true, total, spendable };
}

function unreadable(data: unknown): WalletError {
  return new WalletError(RpcCode.internalError, sentence("balanceUnreadable"), data, { kind: "unreadable" });
}

function bareName(name: string): string {
  return name.replace(/[•.\s]/gu, "").toUpperCase();
}

/**
 * Sends runes; gives the transaction id once the wallet has broadcast it. `onLate` gets the id of an answer
 * that comes after the wait was over. Throws WalletError with the specification's sentences; `maybeSent` says
 * whether the chain has to be asked before another try.
 */
export async function transferRunes(transfer: RuneTransfer, options: RequestOptions<string> = {}): Promise<string> {
  const { runeName, runeId, amount, recipient } = transfer;
  const { onLate, ...asking } = options;
  const late = onLate && (({ txid }: { txid: string }) => onLate(txid));
  try {
    const recipients = [{ runeName, amount: amount.toString(), address: recipient, ...(runeId ? { runeId } : {}) }];
    return (await ask("runes_transfer", { recipients }, { ...asking, onLate: late })).txid;
  } catch (fault) {
    if (!(fault instanceof WalletError)) throw fault;
    throw fault.withMessage(fault.rejected ? sentence("runesRejected") : sentence("runesFailed", fault.sentence));
  }
}
