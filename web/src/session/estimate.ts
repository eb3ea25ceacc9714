import { useRunningEpoch } from "../api/running.ts";
import { useTotals } from "../api/wallet.ts";
import { estimateOf, type Estimate } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";
import { fieldsOf, useSession } from "./session.ts";

/**
 * Returns what `stake` more tokens would earn at the running epoch's rewards and today's stakes: null if nobody but the
 * connected wallet stakes, undefined while that is unknown or no rewards are reserved.
 */
export function useRewardEstimate(stake: bigint): Estimate | null | undefined {
  const session = useSession();
  const running = useRunningEpoch();
  const totals = useTotals(session && fieldsOf(session)).data;
  const own = session === null ? 0n : totals?.staked;
  if (!running?.budget || own === undefined) return undefined;
  return estimateOf(stake, { budget: running.budget, total: running.totalStaked, own, seconds: site.epochSeconds });
}
