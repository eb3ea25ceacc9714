import type { KeyboardEvent, PointerEvent } from "react";
import { cx } from "../lib/cx.ts";
import type { Bar, BarChartProps } from "./BarChart.tsx";

interface BarsProps extends BarChartProps {
  /** The index of the chosen bar, and its values. */
  at: number;
  values: string;
  /** null: the last closed bar. */
  onChoose(id: number | null): void;
}

/** The number of ids below the bars that have room on a phone. */
const MAX_IDS = 10;
/** Of more bars, a pixel on each side would leave nothing on a phone. */
const MAX_SPACED = 50;
const PERCENT = 100n;

/** The drawing of a bar chart. */
export default function Bars({ caption, bars, scale, markBelow, at, values, onChoose }: BarsProps) {
  const most = bars.reduce((max, bar) => (!bar.open && bar.value > max ? bar.value : max), 1n);
  const every = Math.ceil(bars.length / MAX_IDS);
  const space = bars.length <= MAX_IDS ? "px-[2%]" : bars.length <= MAX_SPACED ? "px-px" : "px-[0.1%]";

  const chooseAt = (index: number): void => onChoose(bars[Math.min(bars.length - 1, Math.max(0, index))]!.id);
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    chooseAt(Math.floor(((event.clientX - left) / width) * bars.length));
  };
  const press = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    chooseAt(next);
  };
  return (
    <div className="flex gap-2">
      <Axis marks={[most, most / 2n, 0n].map(scale)} below={markBelow} />
      <div
        role="slider"
        tabIndex={0}
        aria-label={caption}
        aria-valuemin={0}
        aria-valuemax={bars.length - 1}
        aria-valuenow={at}
        aria-valuetext={values}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={({ pointerType }) => pointerType === "mouse" && onChoose(null)}
        onKeyDown={press}
        className="relative flex min-w-0 flex-1 touch-pan-y items-stretch"
      >
        <Lines className={markBelow ? "bottom-16" : "bottom-6"} />
        {bars.map((bar, i) => (
          <Column
            key={bar.id}
            bar={bar}
            most={most}
            chosen={i === at}
            named={(bars.length - 1 - i) % every === 0}
            space={space}
          />
        ))}
      </div>
    </div>
  );
}

/** The marks of the bars, and the largest value of the bars below them. */
function Axis({ marks, below }: { marks: readonly string[]; below: string | undefined }) {
  return (
    <div aria-hidden="true" className="flex flex-col pb-6 text-right text-xs leading-none text-mist">
      <div className="flex flex-1 flex-col justify-between">
        {marks.map((mark, i) => (
          <span key={i}>{mark}</span>
        ))}
      </div>
      {below && <span className="mt-2 h-8">{below}</span>}
    </div>
  );
}

/** The lines at the marks of the axis. */
function Lines({ className }: { className: string }) {
  return (
    <span aria-hidden="true" className={`absolute inset-x-0 top-0 flex flex-col justify-between ${className}`}>
      {[0, 1, 2].map((line) => (
        <span key={line} className="h-px bg-line" />
      ))}
    </span>
  );
}

interface ColumnProps {
  bar: Bar;
  most: bigint;
  chosen: boolean;
  /** Whether its id stands below it. */
  named: boolean;
  /** The class of the space beside it. */
  space: string;
}

function Column({ bar, most, chosen, named, space }: ColumnProps) {
  const height = bar.open ? 0 : `${Number((bar.value * PERCENT) / most)}%`;
  return (
    <span
      aria-hidden="true"
      className={cx("relative flex min-w-0 flex-1 flex-col justify-end", space)}
    >
      <span className="flex min-h-0 flex-1 flex-col justify-end">
        <span
          className={cx(
            "min-h-0.5 shrink-0",
            bar.open ? "border-t-2 border-dashed border-edge" : "paint rounded-t-sm",
            !bar.open && (bar.tone ?? (chosen ? "bg-amber" : "bg-ice")),
            chosen && bar.tone !== undefined && "outline-2 outline-amber",
          )}
          style={{ height }}
        />
      </span>
      {bar.below}
      <span className="flex h-6 justify-center pt-1.5 text-xs text-mist">{named && bar.id}</span>
    </span>
  );
}
