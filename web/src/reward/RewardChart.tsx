import { useEpochs, type EpochReward } from "../api/globals.ts";
import { toDecimal } from "../lib/amount.ts";
import { formatCompact, formatRunes } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Bars, type Bar } from "../ui/Bars.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { YearlyRate } from "./YearlyRate.tsx";

const COUNT = 8;

/**
 * What every epoch paid out, as bars to look at and a table to hear, and the yearly rate that follows from the last
 * ones.
 */
export function RewardChart() {
  const epochs = useEpochs(COUNT);
  return (
    <Loaded query={epochs} skeleton={<Lines count={1} className="h-56" />}>
      {(list) => (list.length === 0 ? <p className="text-mist">{text.rewards.noEpochs}</p> : <Chart list={list} />)}
    </Loaded>
  );
}

function Chart({ list }: { list: readonly EpochReward[] }) {
  const settled = list
    .filter((epoch) => epoch.settled)
    .map((epoch) => ({ ...epoch, staked: epoch.totalStaked, rewarded: epoch.amount }));
  return (
    <>
      <Bars
        caption={text.rewards.perEpoch}
        columns={[text.rewards.epochColumn, text.rewards.rewardColumn, text.rewards.ownersColumn]}
        bars={list.map(barOf)}
        places={COUNT}
      />
      <div className="mt-3 border-t border-line pt-3">
        <YearlyRate epochs={settled} />
      </div>
    </>
  );
}

/** The running epoch's budget is an outline. */
function barOf(epoch: EpochReward): Bar {
  return {
    id: epoch.epoch,
    value: epoch.amount,
    short: formatCompact(toDecimal(epoch.amount), 1),
    open: !epoch.settled,
    cells: [`${formatRunes(epoch.amount)} ${site.token}`, epoch.settled ? String(epoch.owners) : text.rewards.running],
  };
}
