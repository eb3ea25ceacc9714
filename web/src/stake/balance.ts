import { readRuneBalance, type Rune } from "../wallet/index.ts";

export interface Holding {
  /** Base units. */
  total: bigint;
  /** The part that can be sent now; the total if the wallet does not report it. */
  spendable: bigint;
}

/** Returns the wallet's balance of the community's rune. Throws WalletError if it can't be read. */
export async function readHolding(rune: Rune): Promise<Holding> {
  const holding = await readRuneBalance(rune);
  if (!holding.known) throw holding.reason;
  return { total: holding.total, spendable: holding.spendable ?? holding.total };
}
