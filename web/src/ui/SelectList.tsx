import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { cx } from "../lib/cx.ts";
import { shortAddress } from "../lib/format.ts";
import { text } from "../lib/text.ts";
import { Button } from "./Button.tsx";
import { ArrowIcon, ClockIcon, LockIcon } from "./icons.tsx";
import { byRunes } from "./rowSelection.ts";
import type { Selection } from "./selection.ts";
import { Until } from "./Until.tsx";

export interface Row {
  id: string;
  /** Base units. */
  runes: bigint;
  primary: string;
  /** A short label beside it. */
  chip: string;
  /** The state in words. */
  label: string;
  /** When it was created. */
  date: string;
  /** Id of its transaction; null without one. */
  txid: string | null;
  state: "ready" | "waiting" | "locked";
  selectable: boolean;
  /** End of the countdown; null without one. */
  until: number | null;
  /** Id passed to `onOpen`; null if the row opens nothing. */
  opens: string | null;
}

export interface SelectListProps {
  title: string;
  rows: readonly Row[];
  selection: Selection;
  /** The selection in words, visible and announced. */
  summary: string;
  openLabel?: string;
  onOpen?: (id: string) => void;
}

/** Estimated height of a row with one line of each text, before it is measured; and the gap between rows. */
const ROW_HEIGHT = 90;
const GAP = 8;
/** Rows rendered above and below the viewport, so that keyboard navigation reaches the next row. */
const OVERSCAN = 12;
type Order = "date" | "runes";

/**
 * A list for selection with reset, a three-state checkbox for all, and sorting. Rows come newest first. Only rows near
 * the viewport are rendered.
 */
export function SelectList({ title, rows, selection, summary, openLabel, onOpen }: SelectListProps) {
  const [order, setOrder] = useState<Order>("date");
  const sorted = useMemo(() => (order === "date" ? rows : rows.toSorted(byRunes)), [rows, order]);
  const { list, above, below, shown, measure } = useVisibleRows(sorted);

  return (
    <section aria-label={title}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <AllBox selection={selection} disabled={!rows.some((row) => row.selectable)} />
        <div className="flex min-w-0 items-center gap-2 max-[419px]:w-full">
          <SortSelect value={order} onChange={setOrder} />
          <Button onClick={() => selection.setAll(false)} disabled={selection.all === "none"}>
            {text.common.reset}
          </Button>
        </div>
      </div>
      <p role="status" className="mb-3 text-sm text-mist">
        {summary}
      </p>
      <div ref={list} role="list" className="rows gap-2" style={{ paddingTop: above, paddingBottom: below }}>
        {shown.map(({ index, row }) => (
          <div
            key={row.id}
            ref={measure}
            role="listitem"
            data-index={index}
            aria-setsize={sorted.length}
            aria-posinset={index + 1}
          >
            <SelectRow
              row={row}
              checked={row.selectable && selection.has(row.id)}
              onToggle={selection.toggle}
              openLabel={openLabel}
              onOpen={onOpen}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

/** Returns the rows in and near the viewport, and the height of the rows above and below them. */
function useVisibleRows(rows: readonly Row[]) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // Content above the list can move it at any time. The page's height then changes too, so observe that.
  useLayoutEffect(() => {
    const place = () => setTop(Math.round(list.current!.getBoundingClientRect().top + window.scrollY));
    place();
    const page = new ResizeObserver(place);
    page.observe(document.body);
    return () => page.disconnect();
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    // A page without layout, as in jsdom, has no heights.
    measureElement: (row) => row.getBoundingClientRect().height || ROW_HEIGHT,
    getItemKey: (index) => rows[index]!.id,
    gap: GAP,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  // The page scrolls smoothly: adjusting the scroll position would stop a scroll in progress.
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  const items = virtualizer.getVirtualItems();
  const above = items.length > 0 ? items[0]!.start - top : 0;
  const below = items.length > 0 ? virtualizer.getTotalSize() - (items.at(-1)!.end - top) : 0;
  const shown = items.map(({ index }) => ({ index, row: rows[index]! }));
  return { list, above, below, shown, measure: virtualizer.measureElement };
}

function AllBox({ selection, disabled }: { selection: Selection; disabled: boolean }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = selection.all === "some";
  }, [selection.all]);
  return (
    <label className={`flex min-h-11 items-center gap-3 pl-4 font-medium ${disabled ? "text-mist" : "text-moon"}`}>
      <input
        ref={box}
        type="checkbox"
        className="size-5"
        checked={selection.all === "every"}
        disabled={disabled}
        onChange={() => selection.setAll(selection.all !== "every")}
      />
      {text.common.selectAll}
    </label>
  );
}

export function SortSelect({ value, onChange }: { value: Order; onChange: (order: Order) => void }) {
  return (
    <select
      aria-label={text.common.sort}
      className="field max-w-48 min-w-0 flex-1 text-sm"
      value={value}
      onChange={(event) => onChange(event.target.value as Order)}
    >
      <option value="date">{text.common.sortDate}</option>
      <option value="runes">{text.common.sortRunes}</option>
    </select>
  );
}

interface RowProps {
  row: Row;
  checked: boolean;
  onToggle: (id: string) => void;
  openLabel: string | undefined;
  onOpen: ((id: string) => void) | undefined;
}

const SelectRow = memo(function SelectRow({ row, checked, onToggle, openLabel, onOpen }: RowProps) {
  const isLink = row.opens !== null && onOpen !== undefined && !row.selectable;
  return (
    <div
      className={cx(
        "relative flex min-h-17 items-center",
        "rounded-box border border-line bg-night has-checked:border-amber",
        // A row that only opens something opens it wherever it is clicked.
        isLink && "transition-colors duration-120 hover:border-edge",
      )}
    >
      <label
        className={cx(
          "flex min-w-0 flex-1 items-center gap-3 self-stretch px-4 py-3",
          row.selectable && "cursor-pointer",
        )}
      >
        {row.state === "locked" ? (
          <Locked />
        ) : (
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={checked}
            disabled={!row.selectable}
            onChange={() => onToggle(row.id)}
          />
        )}
        <RowWords row={row} />
      </label>
      {row.opens !== null && onOpen && (
        <OpenButton id={row.opens} label={openLabel} onOpen={onOpen} isWide={isLink} />
      )}
    </div>
  );
});

function Locked() {
  return (
    <span className="grid size-5 place-items-center text-mist">
      <LockIcon />
      <span className="sr-only">{text.unit.locked}</span>
    </span>
  );
}

function RowWords({ row }: { row: Row }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span translate="no" className={`num wrap-anywhere ${row.state === "ready" ? "" : "text-fur!"}`}>
          {row.primary}
        </span>
        <span className="text-sm text-mist">{row.chip}</span>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-sm text-mist">
        <span className="flex min-w-0 gap-x-2">
          {row.state === "waiting" && <ClockIcon className="mt-[0.2em] size-3.5 shrink-0" />}
          <span>{row.label}</span>
        </span>
        {row.until !== null && <Until at={row.until} className="text-fur" />}
      </span>
      <span className="flex flex-wrap gap-x-2 text-sm text-mist">
        <span>{row.date}</span>
        {row.txid && (
          <span translate="no" className="font-mono" title={row.txid}>
            {shortAddress(row.txid)}
          </span>
        )}
      </span>
    </span>
  );
}

interface OpenButtonProps {
  id: string;
  label: string | undefined;
  onOpen: (id: string) => void;
  /** Covers the whole row. */
  isWide: boolean;
}

function OpenButton({ id, label, onOpen, isWide }: OpenButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={() => onOpen(id)}
      className={cx(
        "mr-3 grid size-11 shrink-0 place-items-center rounded-box text-ice",
        "transition-colors duration-120 hover:bg-raised",
        isWide && "after:absolute after:inset-0 after:rounded-box",
      )}
    >
      <ArrowIcon />
    </button>
  );
}
