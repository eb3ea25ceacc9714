import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState, type CSSProperties } from "react";
import { text } from "../lib/text.ts";
import { Button } from "./Button.tsx";
import { ArrowIcon, ClockIcon, LockIcon } from "./icons.tsx";
import type { Selection } from "./selection.ts";
import { Until } from "./Until.tsx";

export interface Row {
  id: string;
  /** What is largest comes first when sorted by it. */
  weight: bigint;
  primary: string;
  /** A small word beside it. */
  chip: string;
  /** Its state in words. */
  label: string;
  look: "ready" | "waiting" | "locked";
  selectable: boolean;
  /** Counted down to, where something ends by itself. */
  until: number | null;
  /** Id that `onOpen` gets: the row leads somewhere. */
  opens: string | null;
}

export interface SelectListProps {
  title: string;
  rows: readonly Row[];
  selection: Selection;
  /** What is chosen, in words, for everyone to read and hear. */
  summary: string;
  openLabel?: string;
  onOpen?: (id: string) => void;
}

const PAGE = 200;
/** Rows that the browser skips together while they are out of sight: one by one, a thousand of them would cost a frame. */
const GROUP = 20;
type Order = "date" | "weight";

/** A list to choose from: reset, a three-state box for all, sorting, and pages of 200 rows. Rows come newest first. */
export function SelectList({ title, rows, selection, summary, openLabel, onOpen }: SelectListProps) {
  const [order, setOrder] = useState<Order>("date");
  const [shown, setShown] = useState(PAGE);
  const sorted = useMemo(
    () => (order === "date" ? rows : rows.toSorted((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))),
    [rows, order],
  );
  const { toggle } = selection;
  const list = useBoxes(selection);
  const groups = useMemo(
    () =>
      Array.from({ length: Math.ceil(Math.min(shown, sorted.length) / GROUP) }, (_, group) => (
        <RowGroup key={group} rows={sorted.slice(group * GROUP, Math.min((group + 1) * GROUP, shown))} {...{ onToggle: toggle, openLabel, onOpen }} />
      )),
    [sorted, shown, toggle, openLabel, onOpen],
  );

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
      <div ref={list} role="list" className="rows gap-2">
        {groups}
      </div>
      {sorted.length > shown && (
        <Button className="mt-3 w-full" onClick={() => setShown(shown + PAGE)}>
          {text.common.showMore(Math.min(PAGE, sorted.length - shown))}
        </Button>
      )}
    </section>
  );
}

/**
 * Ticks the boxes of the list as they are chosen, without drawing a row anew: all of a thousand rows are chosen at once, within a
 * frame. A box's value is its row's id.
 */
function useBoxes(selection: Selection) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (const box of list.current!.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
      const chosen = !box.disabled && selection.has(box.value);
      if (box.checked !== chosen) box.checked = chosen;
    }
  });
  return list;
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
      <option value="weight">{text.common.sortRunes}</option>
    </select>
  );
}

interface RowProps {
  onToggle: (id: string) => void;
  openLabel: string | undefined;
  onOpen: ((id: string) => void) | undefined;
}

function RowGroup({ rows, ...props }: { rows: readonly Row[] } & RowProps) {
  return (
    <div role="none" className="row-group rows gap-2" style={{ "--rows": rows.length } as CSSProperties}>
      {rows.map((row) => (
        <SelectRow key={row.id} row={row} {...props} />
      ))}
    </div>
  );
}

const SelectRow = memo(function SelectRow({ row, onToggle, openLabel, onOpen }: { row: Row } & RowProps) {
  return (
    <div
      role="listitem"
      className="flex min-h-17 items-center gap-3 rounded-box border border-line bg-night pr-3 has-checked:border-amber"
    >
      <label className={`flex min-w-0 flex-1 items-center gap-3 py-3 pl-4 ${row.selectable ? "cursor-pointer" : ""}`}>
        {row.look === "locked" ? (
          <Locked />
        ) : (
          <input type="checkbox" className="size-5 shrink-0" value={row.id} disabled={!row.selectable} onChange={() => onToggle(row.id)} />
        )}
        <RowWords row={row} />
      </label>
      {row.opens !== null && onOpen && <OpenButton id={row.opens} label={openLabel} onOpen={onOpen} />}
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
        <span className={`num wrap-anywhere ${row.look === "ready" ? "" : "text-fur!"}`}>{row.primary}</span>
        <span className="text-sm text-mist">{row.chip}</span>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-sm text-mist">
        {row.look === "waiting" && <ClockIcon className="size-3.5" />}
        <span>{row.label}</span>
        {row.until !== null && <Until at={row.until} className="text-fur" />}
      </span>
    </span>
  );
}

function OpenButton({ id, label, onOpen }: { id: string; label: string | undefined; onOpen: (id: string) => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={() => onOpen(id)}
      className="grid size-11 shrink-0 place-items-center rounded-box text-ice transition-colors duration-120 hover:bg-raised"
    >
      <ArrowIcon />
    </button>
  );
}
