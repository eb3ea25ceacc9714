const YEAR_SECONDS = 365n * 86_400n;

/** What a stake earns of an epoch's budget, in base units, cut off. `total` is everything staked, this stake included. */
export function rewardOf(budget: bigint, stake: bigint, total: bigint): bigint {
  return total > 0n ? (budget * stake) / total : 0n;
}

/** The same for a year of epochs of `seconds` each, without compounding. 0 when the epochs have no length. */
export function yearlyRewardOf(budget: bigint, stake: bigint, total: bigint, seconds: number): bigint {
  const divisor = total * BigInt(seconds);
  return divisor > 0n ? (budget * stake * YEAR_SECONDS) / divisor : 0n;
}
