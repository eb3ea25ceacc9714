import { useFeeRates } from "../api/feeRates.ts";
import { useRunningEpoch } from "../api/running.ts";
import { earn } from "../lib/earnText.ts";
import { UNIT } from "../lib/amount.ts";
import { formatRunesAbout, formatSats, formatShare } from "../lib/format.ts";
import { rewardOf, yearlyRewardOf } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";

/** Epochs that are shorter, or ended by hand as on a dev network, allow no statement about a year. */
const DAY_SECONDS = 86_400;

/**
 * What an amount would earn at the current total stake, and the cost of a withdrawal. Renders nothing while that is
 * unknown.
 */
export function WouldEarn({ amount }: { amount: bigint }) {
  const running = useRunningEpoch();
  const costs = useFeeRates().data;
  if (!running || running.budget === null || running.budget === 0n || amount === 0n) return null;
  const { budget } = running;
  // Nobody else stakes: the whole reward to one stake says nothing about the next epoch.
  if (running.totalStaked === 0n) return <p className="mt-4 text-sm text-mist">{earn.alone}</p>;
  const total = running.totalStaked + amount;
  return (
    <div className="mt-4 rounded-box bg-night p-4">
      <dl className="grid gap-3 sm:grid-cols-2">
        <Estimate name={earn.perEpoch} runes={rewardOf(budget, amount, total)} />
        {site.epochSeconds >= DAY_SECONDS && (
          <Estimate
            name={earn.perYear}
            runes={wholeOf(yearlyRewardOf(budget, amount, total, site.epochSeconds))}
          />
        )}
      </dl>
      <p className="mt-3 text-sm text-mist">
        {earn.assumed(formatShare(shareOf(amount, total)))} {earn.caveat}{" "}
        {costs && earn.costs(formatSats(costs.withdrawal), formatSats(costs.claim))}
      </p>
    </div>
  );
}

/** A year's estimate has no decimals: it is no more exact than the stakes of others. */
function wholeOf(runes: bigint): bigint {
  return runes > UNIT ? runes - (runes % UNIT) : runes;
}

const SCALE = 1_000_000n;

/** Returns a part of a total as a fraction in decimals. */
function shareOf(part: bigint, total: bigint): string {
  return (Number((part * SCALE) / total) / Number(SCALE)).toFixed(6);
}

function Estimate({ name, runes }: { name: string; runes: bigint }) {
  return (
    <div>
      <dt className="text-sm text-mist">{name}</dt>
      <dd className="num text-xl wrap-anywhere">{earn.about(formatRunesAbout(runes), site.token)}</dd>
    </div>
  );
}
