import type { EpochReward } from "../api/globals.ts";
import { toDecimal } from "../lib/amount.ts";
import { formatCompact, formatRunes } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { BarChart, type Bar } from "../ui/BarChart.tsx";
import { YearlyRate } from "./YearlyRate.tsx";

/** The rewards of each epoch, and the yearly rate. At least one epoch of the list has settled. */
export function RewardChart({ list }: { list: readonly EpochReward[] }) {
  return (
    <>
      <Paid list={list} count={list.filter(({ settled }) => settled).length} />
      <YearlyRate />
    </>
  );
}

/** Shows a single epoch as a sentence: a single bar would look like the maximum. */
function Paid({ list, count }: { list: readonly EpochReward[]; count: number }) {
  const { earned } = text.visit;
  const running = list.findLast((epoch) => !epoch.settled);
  const note = running && <p className="mt-2 text-sm text-mist">{earned.running(running.epoch)}</p>;
  if (count > 1) {
    return (
      <>
        <BarChart
          caption={text.rewards.perEpoch}
          columns={[text.rewards.epochColumn, text.rewards.rewardColumn, text.rewards.ownersColumn]}
          bars={list.map(barOf)}
          scale={(value) => formatCompact(toDecimal(value), 1)}
        />
        {note}
      </>
    );
  }
  const { epoch, amount, owners } = list.find(({ settled }) => settled)!;
  return (
    <>
      <p className="text-moon">{earned.one(epoch, formatRunes(amount), site.token, earned.stakers(owners))}</p>
      {note}
    </>
  );
}

/** An epoch that has not settled has an empty place, because nothing of it is earned yet. */
function barOf({ epoch, settled, amount, owners }: EpochReward): Bar {
  const cells = settled
    ? [`${formatRunes(amount)} ${site.token}`, String(owners)]
    : [text.visit.earned.unsettled, ""];
  return {
    id: epoch,
    value: settled ? amount : 0n,
    open: !settled,
    cells,
  };
}
