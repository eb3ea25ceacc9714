/** One bar of a chart, and its row for those who read it. */
export interface Bar {
  id: number;
  value: bigint;
  /** What stands above the bar. */
  short: string;
  /** Not final yet: drawn as an outline. */
  open: boolean;
  /** The cells of its row, after the one that names it. */
  cells: readonly string[];
}

interface BarsProps {
  caption: string;
  /** Names of the row's cells; the first is that of `id`. */
  columns: readonly string[];
  bars: readonly Bar[];
  /** So many places, filled from the right; more bars make narrower ones. */
  places?: number;
}

const HEIGHT = 112;
const SLOT = 40;
const BAR = 28;
/** Above this many, there is no room for a number on each. */
const NUMBERED = 10;

/** Bars to look at and a table to hear: the same numbers. */
export function Bars({ caption, columns, bars, places = 8 }: BarsProps) {
  const slots = Math.max(bars.length, places);
  const most = bars.reduce((max, bar) => (bar.value > max ? bar.value : max), 1n);
  const every = Math.ceil(bars.length / NUMBERED);
  return (
    <>
      <svg aria-hidden="true" viewBox={`0 -18 ${slots * SLOT} ${HEIGHT + 42}`} className="w-full">
        {Array.from({ length: slots - bars.length }, (_, i) => (
          <rect key={i} x={left(i)} y={HEIGHT - 3} width={BAR} height={3} rx="1.5" className="fill-line" />
        ))}
        {bars.map((bar, i) => {
          const x = left(slots - bars.length + i);
          const tall = Math.max(3, Number((bar.value * BigInt(HEIGHT)) / most));
          return (
            <g key={bar.id} className="text-ice">
              <rect
                x={x}
                y={HEIGHT - tall}
                width={BAR}
                height={tall}
                rx={Math.min(5, tall / 2)}
                className={bar.open ? "fill-none stroke-current" : "fill-current"}
                strokeDasharray="4 3"
                strokeWidth="1.5"
              />
              {bars.length <= NUMBERED && (
                <text x={x + BAR / 2} y={HEIGHT - tall - 6} textAnchor="middle" className="fill-fur text-[10px]">
                  {bar.short}
                </text>
              )}
              {(bars.length - 1 - i) % every === 0 && (
                <text x={x + BAR / 2} y={HEIGHT + 17} textAnchor="middle" className="fill-mist text-[11px]">
                  {bar.id}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <table className="sr-only">
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
    </>
  );
}

const left = (slot: number): number => slot * SLOT + (SLOT - BAR) / 2;
