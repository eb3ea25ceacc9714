import { UNIT } from "./amount.ts";

const YEAR_SECONDS = 365n * 86_400n;

/** What a stake earns of an epoch's budget, in base units, cut off. `total` is what all stake, this one included. */
export function rewardOf(budget: bigint, stake: bigint, total: bigint): bigint {
  return total > 0n ? (budget * stake) / total : 0n;
}

/** The same for a year of epochs of `seconds` each, without compounding. 0 when the epochs have no length. */
export function yearlyRewardOf(budget: bigint, stake: bigint, total: bigint, seconds: number): bigint {
  const divisor = total * BigInt(seconds);
  return divisor > 0n ? (budget * stake * YEAR_SECONDS) / divisor : 0n;
}

/** Sats per whole token, with 8 decimals as a base unit has them, cut off. */
export function costPerToken(sats: bigint, runes: bigint): bigint {
  return runes > 0n ? (sats * UNIT * UNIT) / runes : 0n;
}

/**
 * What share of some runes their cost in sats is, in hundredths of a percent, at a price in sats per whole token with 8
 * decimals. null without runes or a price.
 */
export function costShare(sats: bigint, runes: bigint, price: bigint): bigint | null {
  const value = runes * price;
  return value > 0n ? (sats * UNIT * UNIT * 10_000n) / value : null;
}
