import { UNIT } from "../lib/amount.ts";
import { formatPercent, formatRunes, formatShare } from "../lib/format.ts";
import { MAX_RATE } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { useRewardEstimate } from "../session/estimate.ts";
import { Disclosure } from "../ui/Disclosure.tsx";

/** The stake of the estimate, as in the key figures and at the start of the calculator. */
const STAKE = 1_000n * UNIT;
/** From this rate on, decimals would say nothing. */
const NO_DECIMALS = 10 / 100;

/** The yearly rate of the estimate, the share that it assumes, and how it is computed. */
export function YearlyRate() {
  const estimate = useRewardEstimate(STAKE);
  if (!estimate?.year || estimate.rate === null) return null;
  const { isMore, share } = estimate;
  const words = text.rewards;
  const rate = formatPercent(estimate.rate, Number(estimate.rate) < NO_DECIMALS ? 2 : 0);
  const most = formatPercent(String(MAX_RATE), 0);
  return (
    <div className="mt-3 border-t border-line pt-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-sm text-mist">{words.yearly}</span>
        <span className="num text-2xl">{isMore ? words.yearlyOver(rate) : rate}</span>
      </p>
      <p className="text-sm text-mist">{words.yearlyAssumed(formatRunes(STAKE), site.token, formatShare(share))}</p>
      <Disclosure title={words.yearlyHow} className="mt-1 text-sm">
        <p>{words.yearlyFormula(formatRunes(STAKE), site.token)}</p>
        <p className="mt-3 text-mist">{words.yearlyCaution(most)}</p>
      </Disclosure>
    </div>
  );
}
