import { useFeeRates } from "../api/feeRates.ts";
import { useRunningEpoch } from "../api/running.ts";
import { earn } from "../lib/earnText.ts";
import { formatRunesAbout, formatSats } from "../lib/format.ts";
import { rewardOf, yearlyRewardOf } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";

/** Shorter epochs, those of a dev network, say nothing about a year. */
const DAY_SECONDS = 86_400;

/** What an amount would earn at today's stake, and what it costs to get it back. Nothing while that is not known. */
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
