import { UNIT } from "./amount.ts";

const YEAR_SECONDS = 365n * 86_400n;

/** Returns a stake's share of an epoch's budget in base units, rounded down. `total` includes the stake. */
export function rewardOf(budget: bigint, stake: bigint, total: bigint): bigint {
  return total > 0n ? (budget * stake) / total : 0n;
}

/** Returns the reward that a stake loses by leaving an epoch, in base units, rounded up. `total` includes the stake. */
export function lostRewardOf(budget: bigint, stake: bigint, total: bigint): bigint {
  return total > 0n ? (budget * stake + total - 1n) / total : 0n;
}

/** Returns the rewards of a year of epochs of `seconds` each, without compounding; 0 if epochs have no fixed length. */
export function yearlyRewardOf(budget: bigint, stake: bigint, total: bigint, seconds: number): bigint {
  const divisor = total * BigInt(seconds);
  return divisor > 0n ? (budget * stake * YEAR_SECONDS) / divisor : 0n;
}

/** Returns sats per whole token, rounded up, with as many decimals as the rune. */
export function costPerToken(sats: bigint, runes: bigint): bigint {
  return runes > 0n ? (sats * UNIT * UNIT + runes - 1n) / runes : 0n;
}

/**
 * Returns a cost in sats as a share of the runes' value, in hundredths of a percent, rounded up. `price` is in sats per
 * whole token with as many decimals as the rune. Returns null without runes or a price.
 */
export function costShare(sats: bigint, runes: bigint, price: bigint): bigint | null {
  const value = runes * price;
  return value > 0n ? (sats * UNIT * UNIT * 10_000n + value - 1n) / value : null;
}
