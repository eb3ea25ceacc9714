import { UNIT } from "./amount.ts";

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 365n * 86_400n;
/** Denominator of a fraction: six decimals. */
const SCALE = 1_000_000n;

/** A year's rewards above this many times the stake only show that very little is staked: the estimate ends there. */
export const MAX_RATE = 10n;

/** What a stake would earn. Base units. */
export interface Estimate {
  /** Of one epoch, rounded down. */
  reward: bigint;
  /** Of a year, in whole tokens and without compounding; null if epochs have no fixed length of at least a day. */
  year: bigint | null;
  /** Whether it is more than `year`, which is then MAX_RATE times the stake. */
  isMore: boolean;
  /** A year's reward as a fraction of the stake, from the exact amounts; null if `year` is. */
  rate: string | null;
  /** The share of the total stake that this assumes, as a fraction in decimals. */
  share: string;
}

/** What an estimate is based on: the rewards of the running epoch, and what is staked. Base units. */
export interface Basis {
  budget: bigint;
  /** All that is staked, and the part of it that the same staker has. */
  total: bigint;
  own: bigint;
  /** Length of an epoch; 0 if epochs are ended by hand. */
  seconds: number;
}

/**
 * Estimates what `stake` more tokens would earn if nothing else changed. Returns null if nobody else stakes: the whole
 * reward for one staker says nothing about the next epoch.
 */
export function estimateOf(stake: bigint, { budget, total, own, seconds }: Basis): Estimate | null {
  if (total <= own) return null;
  const all = total + stake;
  const estimate = { reward: rewardOf(budget, stake, all), share: fractionOf(stake, all) };
  if (seconds < DAY_SECONDS) return { ...estimate, year: null, isMore: false, rate: null };
  const [budgets, stakes] = [budget * YEAR_SECONDS, all * BigInt(seconds)];
  if (budgets > MAX_RATE * stakes) return { ...estimate, year: MAX_RATE * stake, isMore: true, rate: `${MAX_RATE}` };
  const year = wholeOf((budgets * stake) / stakes);
  return { ...estimate, year, isMore: false, rate: fractionOf(budgets, stakes) };
}

/** Returns a part of a whole as a fraction in plain decimals. */
function fractionOf(part: bigint, whole: bigint): string {
  return (Number((part * SCALE) / whole) / Number(SCALE)).toFixed(6);
}

/** A year's estimate has no decimals, unless that leaves nothing: it is no more exact than the stakes of others. */
function wholeOf(runes: bigint): bigint {
  return runes > UNIT ? runes - (runes % UNIT) : runes;
}

/** Returns a stake's share of an epoch's budget in base units, rounded down. `total` includes the stake. */
export function rewardOf(budget: bigint, stake: bigint, total: bigint): bigint {
  return total > 0n ? (budget * stake) / total : 0n;
}

/** Returns the reward that a stake loses by leaving an epoch, in base units, rounded up. `total` includes the stake. */
export function lostRewardOf(budget: bigint, stake: bigint, total: bigint): bigint {
  return total > 0n ? (budget * stake + total - 1n) / total : 0n;
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
