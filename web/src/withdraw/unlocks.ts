import type { Unit } from "../api/wallet.ts";

/** What becomes free at one moment. Base units; milliseconds since 1970. */
export interface Unlock {
  at: number;
  runes: bigint;
}

/** The unlocks of a wallet's cooling units, in the order in which they come. */
export function unlocksOf(units: readonly Unit[]): Unlock[] {
  const byTime = new Map<number, bigint>();
  for (const { stage, timeout, runes, contested } of units) {
    if (stage !== "PENDING_UNLOCK" || contested || timeout === null || !Number.isFinite(timeout)) continue;
    byTime.set(timeout, (byTime.get(timeout) ?? 0n) + runes);
  }
  return [...byTime].map(([at, runes]) => ({ at, runes })).sort((a, b) => a.at - b.at);
}
