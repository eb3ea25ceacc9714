import { runeBalances } from "../wallet/index.ts";

export interface Holding {
  /** Base units. */
  total: bigint;
  /** What can be sent now: all of it where the wallet does not say. */
  spendable: bigint;
}

/** What the wallet holds of the community's rune; entries of other runes are not judged. Throws when it is not known. */
export async function readHolding(runeName: string): Promise<Holding> {
  const bare = (name: string): string => name.replace(/[•.\s]/gu, "").toUpperCase();
  const own = (await runeBalances()).find((entry) => bare(entry.runeName) === bare(runeName));
  const total = BigInt(own?.amount ?? 0);
  return { total, spendable: BigInt(own?.spendableBalance ?? total) };
}
