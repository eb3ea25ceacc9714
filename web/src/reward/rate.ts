/** What one settled epoch paid for what was staked in it. Base units; milliseconds since 1970. */
export interface Paid {
  epoch: number;
  staked: bigint;
  rewarded: bigint;
  start: number;
  end: number;
}

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
/** Decimals of the rate's fraction. */
const SCALE = 1_000_000n;

/** How many of the last epochs an estimate looks at: about a month. */
export const RATE_EPOCHS = 4;

/** A rate above this fraction is told as "more than" it: it says how little is staked, not what a year will bring. */
export const RATE_MOST = 10;

/** Whether an epoch is long enough to say something about a year. Those of a dev network take minutes. */
export function isLong({ start, end }: Paid): boolean {
  return end - start >= DAY_MS;
}

/**
 * What a stake earns in a year at the pace of these epochs, as a fraction in plain decimals, without
 * compounding: all rewards, divided by what was staked times how long, times a year. null when nothing was
 * staked.
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
