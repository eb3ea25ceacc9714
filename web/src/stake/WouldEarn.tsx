import { useFeeRates } from "../api/feeRates.ts";
import { useRunningEpoch } from "../api/running.ts";
import { earn } from "../lib/earnText.ts";
import { formatRunesAbout, formatSats } from "../lib/format.ts";
import { rewardOf, yearlyRewardOf } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";

/** Epochs shorter than a day, as on a dev network, allow no statement about a year. */
const DAY_SECONDS = 86_400;

/**
 * What an amount would earn at the current total stake, and the cost of a withdrawal. Renders nothing while that is
 * unknown.
 */
export function WouldEarn({ amount }: { amount: bigint }) {
  const running = useRunningEpoch();
  const costs = useFeeRates().data;
  if (!running || running.budget === null || running.budget === 0n || amount === 0n) return null;
  const { budget, seconds } = running;
  const total = running.totalStaked + amount;
  return (
    <div className="mt-4 rounded-box bg-night p-4">
      <dl className="grid gap-3 sm:grid-cols-2">
        <Estimate name={earn.perEpoch} runes={rewardOf(budget, amount, total)} />
        {seconds >= DAY_SECONDS && (
          <Estimate name={earn.perYear} runes={yearlyRewardOf(budget, amount, total, seconds)} />
        )}
      </dl>
      <p className="mt-3 text-sm text-mist">
        {earn.caveat} {costs && earn.costs(formatSats(costs.withdrawal), formatSats(costs.claim))}
      </p>
    </div>
  );
}

function Estimate({ name, runes }: { name: string; runes: bigint }) {
  return (
    <div>
      <dt className="text-sm text-mist">{name}</dt>
      <dd className="num text-xl wrap-anywhere">{earn.about(formatRunesAbout(runes), site.token)}</dd>
    </div>
  );
}
