import { useMemo, useState } from "react";
import { useEarnings, type Earning } from "../api/history.ts";
import type { WalletFields } from "../api/client.ts";
import { sum, toDecimal } from "../lib/amount.ts";
import { toCSV } from "../lib/csv.ts";
import { saveFile } from "../lib/file.ts";
import { formatCompact, formatDay, formatRunes, formatRunesExact, formatShare } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { BarChart, type Bar } from "../ui/BarChart.tsx";
import { Button } from "../ui/Button.tsx";
import { Disclosure } from "../ui/Disclosure.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";

/** The wallet's rewards and stake per epoch: as bars, as rows, and as a CSV file. Nothing before the first reward. */
export function Earnings({ wallet }: { wallet: WalletFields }) {
  const earnings = useEarnings(wallet);
  if (earnings.data?.length === 0) return null;
  return (
    <section aria-labelledby="earnings">
      <h2 id="earnings" className="text-lg font-bold">
        {later.history.earnings}
      </h2>
      <Loaded query={earnings} skeleton={<Lines count={2} className="mt-3 h-24" />}>
        {(all) => <EarningList all={all} />}
      </Loaded>
    </section>
  );
}

/** Rows shown before "show all". */
const INITIAL_ROWS = 8;
/** Maximum number of bars that stay distinguishable: two years. */
const MAX_BARS = 104;

function EarningList({ all }: { all: readonly Earning[] }) {
  const newest = all[0]!.epoch;
  const oldest = all.at(-1)!.epoch;
  // null: up to the latest epoch, including new ones.
  const [from, setFrom] = useState<number | null>(null);
  const [to, setTo] = useState<number | null>(null);
  const [whole, setWhole] = useState(false);
  const shown = useMemo(
    () => all.filter(({ epoch }) => epoch >= (from ?? oldest) && epoch <= (to ?? newest)),
    [all, from, to, oldest, newest],
  );
  const rows = whole ? shown : shown.slice(0, INITIAL_ROWS);
  return (
    <>
      <p className="num mt-1 text-lg sm:text-2xl" role="status">
        {later.history.earned(formatRunesExact(sum(shown.map(({ reward }) => reward))), site.token, shown.length)}
      </p>
      <Uses all={shown} />
      {shown.length > 1 && <Chart newest={shown.slice(0, MAX_BARS)} />}
      <Disclosure title={later.history.details} className="mt-1 not-open:-mb-2.5">
        <div className="mt-1 flex flex-wrap items-end gap-3">
          <EpochSelect
            label={later.history.from}
            value={from ?? oldest}
            all={all}
            onChange={(epoch) => setFrom(epoch === oldest ? null : epoch)}
          />
          <EpochSelect
            label={later.history.to}
            value={to ?? newest}
            all={all}
            onChange={(epoch) => setTo(epoch === newest ? null : epoch)}
          />
          <Button className="sm:ml-auto" disabled={shown.length === 0} onClick={() => save(shown)}>
            {later.history.csv}
          </Button>
        </div>
        {shown.length === 0 ? (
          <p className="mt-3 text-mist">{later.history.nothingHere}</p>
        ) : (
          <EarningTable rows={rows} />
        )}
        {shown.length > rows.length && (
          <Button className="mt-3 w-full" onClick={() => setWhole(true)}>
            {text.common.showMore(shown.length - rows.length)}
          </Button>
        )}
      </Disclosure>
    </>
  );
}

type Use = Earning["use"];
/** The color of the stakes. */
const BELOW = "bg-edge";
const PERCENT = 100n;

/** The color of each use in the chart, in the order of the list above it. */
const tones: Readonly<Record<Use, string>> = { COMPOUNDED: "bg-aurora", CLAIMED: "bg-ice", CLAIMABLE: "bg-fur" };

/** What became of the rewards, in total: also the key to the colors of the chart. */
function Uses({ all }: { all: readonly Earning[] }) {
  const totals = (Object.keys(tones) as Use[])
    .map((use) => ({ use, total: sum(all.filter((one) => one.use === use).map(({ reward }) => reward)) }))
    .filter(({ total }) => total > 0n);
  return (
    <ul aria-label={later.history.use} className="mt-1 flex flex-wrap gap-x-5 text-sm text-fur">
      {totals.map(({ use, total }) => (
        <li key={use} className="flex items-center gap-2">
          <Swatch tone={tones[use]} />
          <span title={formatRunesExact(total)}>{later.history.used(later.history.uses[use], formatRunes(total))}</span>
        </li>
      ))}
      {all.length > 1 && (
        <li className="flex items-center gap-2">
          <Swatch tone={BELOW} />
          {later.history.stake}
        </li>
      )}
    </ul>
  );
}

function Swatch({ tone }: { tone: string }) {
  return <span aria-hidden="true" className={`paint size-3 rounded-xs ${tone}`} />;
}

/** The rewards of each epoch, and below them the stake that earned them. */
function Chart({ newest }: { newest: readonly Earning[] }) {
  const most = newest.reduce((max, { stake }) => (stake > max ? stake : max), 1n);
  const scale = (value: bigint): string => formatCompact(toDecimal(value), 1);
  return (
    <div className="mt-2 rounded-box bg-night p-3">
      <BarChart
        caption={later.history.earnings}
        columns={[text.rewards.epochColumn, later.history.reward, later.history.use, later.history.stake]}
        bars={newest.map((one) => barOf(one, most)).reverse()}
        scale={scale}
        markBelow={scale(most)}
      />
    </div>
  );
}

/** The bar of an epoch. `most` is the largest stake of the chart. */
function barOf({ epoch, reward, use, stake }: Earning, most: bigint): Bar {
  const cells = [
    `${formatRunes(reward)} ${site.token}`,
    reward > 0n ? later.history.uses[use] : "",
    `${formatRunes(stake)} ${site.token}`,
  ];
  const below = (
    <span className="mt-2 flex h-8 flex-col justify-end">
      <span
        className={`paint min-h-0.5 shrink-0 rounded-t-sm ${BELOW}`}
        style={{ height: `${Number((stake * PERCENT) / most)}%` }}
      />
    </span>
  );
  return { id: epoch, value: reward, open: false, tone: tones[use], below, cells };
}

function EarningTable({ rows }: { rows: readonly Earning[] }) {
  return (
    <table className="mt-4 w-full text-[0.9375rem]">
      <thead className="border-b border-line text-sm text-mist">
        <tr>
          <th scope="col" className="py-2 pr-2 text-left font-normal">{text.rewards.epochColumn}</th>
          <th scope="col" className="hidden p-2 text-left font-normal sm:table-cell">{later.history.ends}</th>
          <th scope="col" className="p-2 text-right font-normal">{later.history.stake}</th>
          <th scope="col" className="p-2 text-right font-normal max-[359px]:hidden">{later.history.share}</th>
          <th scope="col" className="py-2 pl-2 text-right font-normal">{later.history.reward}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.epoch} className="border-b border-line">
            <th scope="row" className="py-2.5 pr-2 text-left font-semibold text-moon">{row.epoch}</th>
            <td className="hidden p-2 whitespace-nowrap text-mist sm:table-cell">{formatDay(row.end)}</td>
            <td className="p-2 text-right" title={formatRunesExact(row.stake)}>{formatRunes(row.stake)}</td>
            <td className="p-2 text-right text-mist max-[359px]:hidden">{formatShare(shareOf(row))}</td>
            <td className="py-2.5 pl-2 text-right font-semibold text-aurora" title={formatRunesExact(row.reward)}>
              {formatRunes(row.reward)}
              {row.reward > 0n && (
                <span className="block text-sm font-normal text-mist">{later.history.uses[row.use]}</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface EpochSelectProps {
  label: string;
  value: number;
  all: readonly Earning[];
  onChange(epoch: number): void;
}

function EpochSelect({ label, value, all, onChange }: EpochSelectProps) {
  return (
    <label className="text-sm text-mist">
      {label}
      <select
        className="field mt-1 block min-w-24"
        value={value}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {all.map(({ epoch }) => (
          <option key={epoch} value={epoch}>
            {epoch}
          </option>
        ))}
      </select>
    </label>
  );
}

const SHARE_DECIMALS = 8;

/** Returns the share of the total stake as a fraction with SHARE_DECIMALS, truncated like the server's. */
function shareOf({ stake, totalStaked }: Earning): string {
  return totalStaked === 0n ? "0" : toDecimal((stake * 10n ** BigInt(SHARE_DECIMALS)) / totalStaked, SHARE_DECIMALS);
}

/** Saves machine-readable CSV: plain decimals, RFC 3339 dates, one row per epoch. */
function save(rows: readonly Earning[]): void {
  const head = ["epoch", "start", "end", "token", "stake", "total_staked", "rewarded", "reward", "use"];
  const lines = rows.map((row) => [
    String(row.epoch),
    date(row.start),
    date(row.end),
    site.token,
    toDecimal(row.stake),
    toDecimal(row.totalStaked),
    toDecimal(row.rewarded),
    toDecimal(row.reward),
    row.use,
  ]);
  saveFile(`${site.prefix}-earnings.csv`, "text/csv", toCSV([head, ...lines]));
}

const date = (at: number): string => (Number.isFinite(at) ? new Date(at).toISOString() : "");
