import { formatPercent, formatRunes } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Disclosure } from "../ui/Disclosure.tsx";
import { isLong, RATE_EPOCHS, MAX_RATE, yearlyRate, type Paid } from "./rate.ts";

/** A stake's yearly rate at the rewards of the last epochs, and a disclosure with the computation. */
export function YearlyRate({ epochs }: { epochs: readonly Paid[] }) {
  const last = epochs.slice(-RATE_EPOCHS).filter(isLong);
  const rate = yearlyRate(last);
  if (rate === null) {
    const short = epochs.length > 0 && last.length === 0;
    return <p className="text-sm text-mist">{short ? text.rewards.yearlyShort : text.rewards.yearlyNone}</p>;
  }
  const most = formatPercent(String(MAX_RATE));
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="text-sm text-mist">{text.rewards.yearly}</span>
        <span className="num text-2xl">
          {Number(rate) > MAX_RATE ? text.rewards.yearlyOver(most) : formatPercent(rate)}
        </span>
      </p>
      <Disclosure title={text.rewards.yearlyHow} className="mt-1 text-sm">
        <p>{text.rewards.yearlyFormula}</p>
        <PaidTable epochs={last} />
        <p className="mt-3 text-mist">{text.rewards.yearlyLimits(most)}</p>
        <p className="mt-3 text-mist">{text.rewards.yearlyCaution}</p>
      </Disclosure>
    </div>
  );
}

function PaidTable({ epochs }: { epochs: readonly Paid[] }) {
  return (
    <table className="mt-3 w-full text-left">
      <thead className="text-mist">
        <tr>
          <th scope="col" className="pr-2 font-normal">{text.rewards.epochColumn}</th>
          <th scope="col" className="px-2 text-right font-normal">{text.rewards.rewardColumn}</th>
          <th scope="col" className="pl-2 text-right font-normal">{text.rewards.stakedColumn}</th>
        </tr>
      </thead>
      <tbody>
        {epochs.map((one) => (
          <tr key={one.epoch}>
            <th scope="row" className="pr-2 font-normal">{one.epoch}</th>
            <td className="px-2 text-right">{formatRunes(one.rewarded)}</td>
            <td className="pl-2 text-right">{formatRunes(one.staked)} <span className="sr-only">{site.token}</span></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
