import { useEpochs, type EpochReward } from "../api/globals.ts";
import { toDecimal } from "../lib/amount.ts";
import { formatCompact, formatRunes } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Bars, type Bar } from "../ui/Bars.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { YearlyRate } from "./YearlyRate.tsx";

/** The rewards of each epoch, as bars and as a table for screen readers, and the yearly rate of the last epochs. */
export function RewardChart({ count = 8 }: { count?: number }) {
  const epochs = useEpochs(count);
  return (
    <Loaded query={epochs} skeleton={<Lines count={1} className="h-56" />}>
      {(list) => <Chart list={list} />}
    </Loaded>
  );
}

function Chart({ list }: { list: readonly EpochReward[] }) {
  const settled = list
    .filter((epoch) => epoch.settled)
    .map((epoch) => ({ ...epoch, staked: epoch.totalStaked, rewarded: epoch.amount }));
  return (
    <>
      <Paid list={list} count={settled.length} />
      <div className="mt-3 border-t border-line pt-3">
        <YearlyRate epochs={settled} />
      </div>
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
        <Bars
          caption={text.rewards.perEpoch}
          columns={[text.rewards.epochColumn, text.rewards.rewardColumn, text.rewards.ownersColumn]}
          bars={list.map(barOf)}
          scale={(value) => formatCompact(toDecimal(value), 1)}
        />
        {note}
      </>
    );
  }
  const only = list.find((epoch) => epoch.settled);
  return (
    <>
      <p className="text-moon">
        {only
          ? earned.one(only.epoch, formatRunes(only.amount), site.token, earned.stakers(only.owners))
          : earned.none}
      </p>
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
