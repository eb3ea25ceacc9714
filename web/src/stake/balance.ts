import { readRuneBalance, type Rune } from "../wallet/index.ts";

export interface Holding {
  /** Base units. */
  total: bigint;
  /** What can be sent now: all of it where the wallet does not say. */
  spendable: bigint;
}

/** What the wallet holds of the community's rune. Throws WalletError when it is not known. */
export async function readHolding(rune: Rune): Promise<Holding> {
  const holding = await readRuneBalance(rune);
  if (!holding.known) throw holding.reason;
  return { total: holding.total, spendable: holding.spendable ?? holding.total };
}
