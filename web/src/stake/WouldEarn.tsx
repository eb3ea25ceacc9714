import type { ReactNode } from "react";
import { useFeeRates } from "../api/feeRates.ts";
import { earn } from "../lib/earnText.ts";
import { formatRunesAbout, formatSats, formatShare } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { useRewardEstimate } from "../session/estimate.ts";

/** What an amount would earn, and the cost of a withdrawal. Renders nothing while that is unknown. */
export function WouldEarn({ amount }: { amount: bigint }) {
  const estimate = useRewardEstimate(amount);
  const costs = useFeeRates().data;
  if (estimate === undefined || amount === 0n) return null;
  if (estimate === null) return <p className="mt-4 text-sm text-mist">{earn.alone}</p>;
  const { reward, year, isMore, share } = estimate;
  return (
    <div className="mt-4 rounded-box bg-night p-4">
      <dl className="grid gap-3 sm:grid-cols-2">
        <Amount name={earn.perEpoch}>{earn.about(formatRunesAbout(reward), site.token)}</Amount>
        {year !== null && (
          <Amount name={earn.perYear}>{(isMore ? earn.more : earn.about)(formatRunesAbout(year), site.token)}</Amount>
        )}
      </dl>
      <p className="mt-3 text-sm text-mist">
        {earn.assumed(formatShare(share))} {earn.caveat}{" "}
        {costs && earn.costs(formatSats(costs.withdrawal), formatSats(costs.claim))}
      </p>
    </div>
  );
}

function Amount({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-mist">{name}</dt>
      <dd className="num text-xl wrap-anywhere">{children}</dd>
    </div>
  );
}
