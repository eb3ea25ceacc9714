import { useRunningEpoch } from "../api/running.ts";
import { estimateOf, type Estimate } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";

/**
 * Returns what `stake` more tokens would earn at the running epoch's rewards and today's stakes: null if nobody else
 * stakes, undefined while that is unknown or no rewards are reserved.
 */
export function useRewardEstimate(stake: bigint): Estimate | null | undefined {
  const running = useRunningEpoch();
  if (!running?.budget) return undefined;
  return estimateOf(stake, { budget: running.budget, total: running.totalStaked, seconds: site.epochSeconds });
}
