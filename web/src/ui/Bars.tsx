import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

/** One bar of a chart, and its row in the table for screen readers. */
export interface Bar {
  id: number;
  value: bigint;
  /** The text above the bar. */
  short: string;
  /** Not settled yet: the bar is empty, whatever its value. */
  open: boolean;
  /** The cells of the row, without the first cell, which is its name. */
  cells: readonly string[];
}

interface BarsProps {
  caption: string;
  /** Column headings, beginning with the heading of `id`. */
  columns: readonly string[];
  bars: readonly Bar[];
  /** Number of places, filled from the right. More bars make narrower ones. */
  places?: number;
}

/** With more bars there is no room for a number above each. */
const MAX_NUMBERED = 10;
const PERCENT = 100n;

/** A bar chart, and the same numbers in a table for screen readers. */
export function Bars({ caption, columns, bars, places = 8 }: BarsProps) {
  const most = bars.reduce((max, bar) => (!bar.open && bar.value > max ? bar.value : max), 1n);
  const every = Math.ceil(bars.length / MAX_NUMBERED);
  return (
    <>
      <div aria-hidden="true" className="flex h-32 items-stretch sm:h-40 gap-[3%]">
        <Places count={places - bars.length} />
        {bars.map((bar, i) => (
          <span key={bar.id} className="flex min-w-0 flex-1 flex-col justify-end text-center">
            {bars.length <= MAX_NUMBERED && (
              <span className="overflow-visible text-[0.6875rem] whitespace-nowrap text-fur">{bar.short}</span>
            )}
            <span
              className={cx(
                "mt-0.5 min-h-1 shrink-0",
                bar.open ? "border-t-2 border-dashed border-edge" : "paint rounded-md bg-ice",
              )}
              style={{ height: bar.open ? 0 : `${Number((bar.value * PERCENT) / most) * 0.7}%` }}
            />
            <span className="flex h-6 justify-center pt-1.5 text-xs text-mist">
              {(bars.length - 1 - i) % every === 0 && bar.id}
            </span>
          </span>
        ))}
      </div>
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
    </>
  );
}

interface NoBarsProps {
  places: number;
  /** The height. */
  className?: string;
  children: ReactNode;
}

/** The place of a chart that has no bars yet, with the reason in it. */
export function NoBars({ places, className = "h-32 sm:h-40", children }: NoBarsProps) {
  return (
    <div className={`flex flex-col ${className}`}>
      <div className="grid flex-1 place-items-center px-4 text-center text-balance">{children}</div>
      <div aria-hidden="true" className="flex gap-[3%]">
        <Places count={places} />
      </div>
    </div>
  );
}

function Places({ count }: { count: number }) {
  return Array.from({ length: count }, (_, i) => (
    <span key={i} className="mb-6 h-1 flex-1 self-end rounded-full bg-line" />
  ));
}
