import { UNIT } from "../lib/amount.ts";
import { formatPercent, formatRunes, formatShare } from "../lib/format.ts";
import { fractionOf, MAX_RATE } from "../lib/rewards.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { useRewardEstimate } from "../session/estimate.ts";
import { Disclosure } from "../ui/Disclosure.tsx";

/** The stake of the estimate, as in the key figures and at the start of the calculator. */
const STAKE = 1_000n * UNIT;
/** Below one percent, a rate without decimals would be 0. */
const DECIMALS = 2;

/** The yearly rate of the estimate, the share that it assumes, and how it is computed. */
export function YearlyRate() {
  const estimate = useRewardEstimate(STAKE);
  if (!estimate?.year) return null;
  const { year, isMore, share } = estimate;
  const words = text.rewards;
  const fraction = fractionOf(year, STAKE);
  const rate = formatPercent(fraction, Number(fraction) < 1 / 100 ? DECIMALS : 0);
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
