import { lazy, Suspense, type ReactNode } from "react";
import { useEpochs } from "../api/globals.ts";
import { text } from "../lib/text.ts";
import { Lines } from "../ui/Loaded.tsx";

/** Not part of the first load: it is below the first screen. */
const RewardChart = lazy(() => import("./RewardChart.tsx").then((file) => ({ default: file.RewardChart })));

/** Number of epochs in the chart. */
const CHART_EPOCHS = 8;

interface RewardPanelProps {
  title?: string;
  /** A note below the chart. */
  children?: ReactNode;
}

/** The rewards of the last epochs; nothing until an epoch has paid some. */
export function RewardPanel({ title = text.rewards.perEpoch, children }: RewardPanelProps) {
  const { data: epochs } = useEpochs(CHART_EPOCHS);
  if (!epochs?.some(({ settled }) => settled)) return null;
  return (
    <section aria-labelledby="reward-chart" className="card p-4 sm:p-5">
      <h2 id="reward-chart" className="text-lg font-bold">
        {title}
      </h2>
      <p className="mb-2 text-sm text-mist sm:mb-3">{text.rewards.perEpochNote}</p>
      <Suspense fallback={<Lines count={1} className="h-56" />}>
        <RewardChart count={CHART_EPOCHS} />
      </Suspense>
      {children}
    </section>
  );
}
