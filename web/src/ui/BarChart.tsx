import { lazy, useState, type ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import { Near } from "./Near.tsx";

/** Not part of the first load, nor of the page until it is nearly seen. */
const Bars = lazy(() => import("./Bars.tsx"));

/** One bar of a chart, and its row in the table. */
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

export interface BarChartProps {
  caption: string;
  /** Column headings, beginning with the heading of `id`. */
  columns: readonly string[];
  bars: readonly Bar[];
  /** Writes a value at the axis. */
  scale(value: bigint): string;
  /** The mark at the axis of what stands below the bars. */
  markBelow?: string;
}

/**
 * A bar chart, and the same numbers in a table, for screen readers and for paper, where browsers omit the bars' colors.
 * The values of one bar stand above it: of the last closed one, or of the one that the pointer, a finger or the arrow
 * keys choose.
 */
export function BarChart(props: BarChartProps) {
  const { columns, bars, markBelow } = props;
  const [chosen, choose] = useState<number | null>(null);
  const latest = bars.findLast(({ open }) => !open) ?? bars.at(-1)!;
  const found = bars.findIndex(({ id }) => id === (chosen ?? latest.id));
  const at = found < 0 ? bars.length - 1 : found;
  const values = describe(columns, bars[at]!);
  return (
    <>
      <div className="flex grow flex-col print:hidden">
        <p className="mb-2 min-h-5 text-sm text-fur">{values}</p>
        <Near height={cx("grid grow", markBelow ? "h-36 sm:h-50" : "h-28 sm:h-40")}>
          <Bars {...props} at={at} values={values} onChoose={choose} />
        </Near>
      </div>
      <Table {...props} />
    </>
  );
}

function Table({ caption, columns, bars }: BarChartProps) {
  return (
    <div className="sr-only print:not-sr-only">
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
