/** The rewards and the total stake of one settled epoch. Base units; milliseconds since 1970. */
export interface Paid {
  epoch: number;
  staked: bigint;
  rewarded: bigint;
  start: number;
  end: number;
}

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
/** Denominator of the rate: six decimals. */
const SCALE = 1_000_000n;

/** Number of epochs in an estimate: about one month. */
export const RATE_EPOCHS = 4;

/**
 * A rate above this fraction is displayed as "more than": it shows that the total stake is small and predicts nothing.
 */
export const MAX_RATE = 10;

/** Whether an epoch is long enough to estimate a year. Epochs of a dev network last minutes. */
export function isLong({ start, end }: Paid): boolean {
  return end - start >= DAY_MS;
}

/**
 * Returns a year's rewards at the rate of these epochs, as a fraction in plain decimals, without compounding: total
 * rewards divided by the sum of stake times duration, times one year. Returns null if nothing was staked.
 */
export function yearlyRate(epochs: readonly Paid[]): string | null {
  let [rewards, stakeTime] = [0n, 0n];
  for (const { staked, rewarded, start, end } of epochs) {
    if (!(end > start)) continue;
    rewards += rewarded;
    stakeTime += staked * BigInt(Math.round(end - start));
  }
  if (stakeTime === 0n) return null;
  const scaled = (rewards * BigInt(YEAR_MS) * SCALE) / stakeTime;
  return `${scaled / SCALE}.${(scaled % SCALE).toString().padStart(6, "0")}`;
}
