import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { cx } from "../lib/cx.ts";

/** One bar of a chart, and its row in the table for screen readers. */
export interface Bar {
  id: number;
  value: bigint;
  /** Not settled yet: the bar is empty, whatever its value. */
  open: boolean;
  /** The class of its color, in a chart of several kinds of bars. */
  tone?: string;
  /** What stands below it, 40 px high: a second value with a scale of its own. */
  below?: ReactNode;
  /** The cells of the row, without the first cell, which is its name. */
  cells: readonly string[];
}

interface BarsProps {
  caption: string;
  /** Column headings, beginning with the heading of `id`. */
  columns: readonly string[];
  bars: readonly Bar[];
  /** Writes a value at the axis. */
  scale(value: bigint): string;
  /** The mark at the axis of what stands below the bars. */
  markBelow?: string;
}

/** The number of ids below the bars that have room on a phone. */
const MAX_IDS = 10;
const PERCENT = 100n;

/**
 * A bar chart, and the same numbers in a table for screen readers. The values of one bar stand above it: of the last
 * closed one, or of the one that the pointer, a finger or the arrow keys choose.
 */
export function Bars({ caption, columns, bars, scale, markBelow }: BarsProps) {
  const [chosen, choose] = useState<number | null>(null);
  const most = bars.reduce((max, bar) => (!bar.open && bar.value > max ? bar.value : max), 1n);
  const every = Math.ceil(bars.length / MAX_IDS);
  const latest = bars.findLast(({ open }) => !open) ?? bars.at(-1)!;
  const found = bars.findIndex(({ id }) => id === (chosen ?? latest.id));
  const at = found < 0 ? bars.length - 1 : found;
  const described = describe(columns, bars[at]!);

  const chooseAt = (index: number): void => choose(bars[Math.min(bars.length - 1, Math.max(0, index))]!.id);
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
    <>
      <p className="mb-2 min-h-5 text-sm text-fur">{described}</p>
      <div className="flex gap-2">
        <Axis marks={[most, most / 2n, 0n].map(scale)} below={markBelow} />
        <div
          role="slider"
          tabIndex={0}
          aria-label={caption}
          aria-valuemin={0}
          aria-valuemax={bars.length - 1}
          aria-valuenow={at}
          aria-valuetext={described}
          onPointerDown={point}
          onPointerMove={point}
          onPointerLeave={({ pointerType }) => pointerType === "mouse" && choose(null)}
          onKeyDown={press}
          className={cx(
            "relative flex min-w-0 flex-1 touch-pan-y items-stretch",
            markBelow ? "h-36 sm:h-50" : "h-28 sm:h-40",
          )}
        >
          <Lines className={markBelow ? "bottom-16" : "bottom-6"} />
          {bars.map((bar, i) => (
            <Column
              key={bar.id}
              bar={bar}
              most={most}
              chosen={i === at}
              named={(bars.length - 1 - i) % every === 0}
              narrow={bars.length > MAX_IDS}
            />
          ))}
        </div>
      </div>
      <Table caption={caption} columns={columns} bars={bars} />
    </>
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
  narrow: boolean;
}

function Column({ bar, most, chosen, named, narrow }: ColumnProps) {
  const height = bar.open ? 0 : `${Number((bar.value * PERCENT) / most)}%`;
  return (
    <span
      aria-hidden="true"
      className={cx("relative flex min-w-0 flex-1 flex-col justify-end", narrow ? "px-px" : "px-[2%]")}
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

/** The same numbers for screen readers. */
function Table({ caption, columns, bars }: Pick<BarsProps, "caption" | "columns" | "bars">) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.id}>
              <th scope="row">{bar.id}</th>
              {bar.cells.map((cell, i) => (
                <td key={columns[i + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the values of a bar with the headings of their columns. */
function describe(columns: readonly string[], { id, cells }: Bar): string {
  const values = [String(id), ...cells];
  return values.map((value, i) => value && `${columns[i]} ${value}`).filter(Boolean).join(" · ");
}
