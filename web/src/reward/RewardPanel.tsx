import type { ReactNode } from "react";
import { text } from "../lib/text.ts";
import { Lines } from "../ui/Loaded.tsx";
import { RewardChart } from "./RewardChart.tsx";

interface RewardPanelProps {
  title?: string;
  /** A note below the chart. */
  children?: ReactNode;
}

/** The rewards of the last epochs. */
export function RewardPanel({ title = text.rewards.perEpoch, children }: RewardPanelProps) {
  return (
    <section aria-labelledby="reward-chart" className="card p-4 sm:p-5">
      <h2 id="reward-chart" className="text-lg font-bold">
        {title}
      </h2>
      <p className="mb-2 text-sm text-mist sm:mb-3">{text.rewards.perEpochNote}</p>
      {/* As high as the skeleton, so that a sentence instead of a chart moves nothing below; on a phone it is last. */}
      <div className="sm:min-h-56">{import.meta.env.SSR ? <Lines count={1} className="h-56" /> : <RewardChart />}</div>
      {children}
    </section>
  );
}
