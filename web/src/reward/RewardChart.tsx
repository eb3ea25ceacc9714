import { useEpochs, type EpochReward } from "../api/globals.ts";
import { toDecimal } from "../lib/amount.ts";
import { formatCompact, formatRunes } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Lines, Loaded } from "../ui/Loaded.tsx";

const COUNT = 8;
const HEIGHT = 120;
const SLOT = 40;
const BAR = 30;

/** What every epoch paid out, as bars to look at and a table to hear. The running epoch's budget is dashed. */
export function RewardChart() {
  const epochs = useEpochs(COUNT);
  return (
    <section aria-labelledby="reward-chart" className="card p-5">
      <h2 id="reward-chart" className="text-lg font-bold">
        {text.rewards.perEpoch}
      </h2>
      <p className="mb-4 text-sm text-mist">{text.rewards.perEpochNote}</p>
      <Loaded query={epochs} skeleton={<Lines count={1} className="h-36" />}>
        {(list) => (list.length === 0 ? <p className="text-mist">{text.rewards.noEpochs}</p> : <Bars epochs={list} />)}
      </Loaded>
    </section>
  );
}

function Bars({ epochs }: { epochs: readonly EpochReward[] }) {
  const most = epochs.reduce((max, epoch) => (epoch.amount > max ? epoch.amount : max), 1n);
  const height = (amount: bigint): number => Math.max(2, Number((amount * BigInt(HEIGHT)) / most));
  const width = Math.max(epochs.length, COUNT) * SLOT;
  return (
    <>
      <svg aria-hidden="true" viewBox={`0 -16 ${width} ${HEIGHT + 38}`} className="w-full max-w-80">
        {epochs.map((epoch, i) => {
          const tall = height(epoch.amount);
          const x = i * SLOT + (SLOT - BAR) / 2;
          return (
            <g key={epoch.epoch} className="text-ice">
              <rect
                x={x}
                y={HEIGHT - tall}
                width={BAR}
                height={tall}
                rx="4"
                fill={epoch.settled ? "currentColor" : "none"}
                stroke={epoch.settled ? "none" : "currentColor"}
                strokeDasharray="4 3"
              />
              <text x={x + BAR / 2} y={HEIGHT - tall - 5} textAnchor="middle" className="fill-fur text-[9px]">
                {formatCompact(toDecimal(epoch.amount), 1)}
              </text>
              <text x={x + BAR / 2} y={HEIGHT + 16} textAnchor="middle" className="fill-mist text-[11px]">
                {epoch.epoch}
              </text>
            </g>
          );
        })}
      </svg>
      <table className="sr-only">
        <caption>{text.rewards.perEpoch}</caption>
        <thead>
          <tr>
            <th scope="col">{text.rewards.epochColumn}</th>
            <th scope="col">{text.rewards.rewardColumn}</th>
            <th scope="col">{text.rewards.ownersColumn}</th>
          </tr>
        </thead>
        <tbody>
          {epochs.map((epoch) => (
            <tr key={epoch.epoch}>
              <th scope="row">{epoch.epoch}</th>
              <td>
                {formatRunes(epoch.amount)} {site.token}
              </td>
              <td>{epoch.settled ? epoch.owners : text.rewards.running}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
