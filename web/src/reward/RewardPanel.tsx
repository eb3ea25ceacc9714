import type { ReactNode } from "react";
import { useEpochs } from "../api/globals.ts";
import { cx } from "../lib/cx.ts";
import { text } from "../lib/text.ts";
import { Loaded } from "../ui/Loaded.tsx";
import { RewardChart } from "./RewardChart.tsx";

interface RewardPanelProps {
  title?: string;
  /** A note below the rewards. */
  children?: ReactNode;
}

/** The rewards of the last epochs; nothing until an epoch has paid some. */
export function RewardPanel({ title = text.rewards.perEpoch, children }: RewardPanelProps) {
  const epochs = useEpochs();
  const settled = epochs.data?.filter((epoch) => epoch.settled) ?? [];
  if (!settled.some(({ amount }) => amount > 0n)) return null;
  return (
    <section
      aria-labelledby="reward-chart"
      className={cx("card flex flex-col p-4 sm:p-5", settled.length > 1 && "fills")}
    >
      <h2 id="reward-chart" className="text-lg font-bold">
        {title}
      </h2>
      <p className="mb-2 text-sm text-mist sm:mb-3">{text.rewards.perEpochNote}</p>
      <Loaded query={epochs} skeleton={null}>
        {(list) => <RewardChart list={list} />}
      </Loaded>
      {children}
    </section>
  );
}
