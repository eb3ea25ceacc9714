import type { Unit } from "../api/wallet.ts";

/** The runes that unlock at one time. Base units; milliseconds since 1970. */
export interface Unlock {
  at: number;
  runes: bigint;
}

/** Returns the unlocks of a wallet's units in cooldown, in chronological order. */
export function unlocksOf(units: readonly Unit[]): Unlock[] {
  const byTime = new Map<number, bigint>();
  for (const { stage, timeout, runes, contested } of units) {
    if (stage !== "PENDING_UNLOCK" || contested || timeout === null || !Number.isFinite(timeout)) continue;
    byTime.set(timeout, (byTime.get(timeout) ?? 0n) + runes);
  }
  return [...byTime].map(([at, runes]) => ({ at, runes })).sort((a, b) => a.at - b.at);
}
