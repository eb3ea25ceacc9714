import { memo, useEffect, useMemo, useRef, useState } from "react";
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
type Order = "date" | "weight";

/** A list to choose from: reset, a three-state box for all, sorting, and pages of 200 rows. Rows come newest first. */
export function SelectList({ title, rows, selection, summary, openLabel, onOpen }: SelectListProps) {
  const [order, setOrder] = useState<Order>("date");
  const [shown, setShown] = useState(PAGE);
  const sorted = useMemo(
    () => (order === "date" ? rows : rows.toSorted((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))),
    [rows, order],
  );
  const { has, toggle } = selection;

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
      <ul className="rows gap-2">
        {sorted.slice(0, shown).map((row) => (
          <SelectRow
            key={row.id}
            row={row}
            checked={row.selectable && has(row.id)}
            onToggle={toggle}
            openLabel={openLabel}
            onOpen={onOpen}
          />
        ))}
      </ul>
      {sorted.length > shown && (
        <Button className="mt-3 w-full" onClick={() => setShown(shown + PAGE)}>
          {text.common.showMore(Math.min(PAGE, sorted.length - shown))}
        </Button>
      )}
    </section>
  );
}

function AllBox({ selection, disabled }: { selection: Selection; disabled: boolean }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = selection.all === "some";
  }, [selection.all]);
  return (
    <label className="flex min-h-11 items-center gap-3 pl-4 font-medium text-moon">
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

interface SelectRowProps {
  row: Row;
  checked: boolean;
  onToggle: (id: string) => void;
  openLabel: string | undefined;
  onOpen: ((id: string) => void) | undefined;
}

const SelectRow = memo(function SelectRow({ row, checked, onToggle, openLabel, onOpen }: SelectRowProps) {
  const { opens } = row;
  return (
    <li
      className={`row flex min-h-17 items-center gap-3 rounded-box border bg-night pr-3 ${checked ? "border-amber" : "border-line"}`}
    >
      <label className={`flex min-w-0 flex-1 items-center gap-3 py-3 pl-4 ${row.selectable ? "cursor-pointer" : ""}`}>
        {row.look === "locked" ? (
          <span className="grid size-5 place-items-center text-mist">
            <LockIcon />
            <span className="sr-only">{text.unit.locked}</span>
          </span>
        ) : (
          <input
            type="checkbox"
            className="size-5 shrink-0"
            checked={checked}
            disabled={!row.selectable}
            onChange={() => onToggle(row.id)}
          />
        )}
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
      </label>
      {opens !== null && onOpen && (
        <button
          type="button"
          aria-label={openLabel}
          onClick={() => onOpen(opens)}
          className="grid size-11 shrink-0 place-items-center rounded-box text-ice transition-colors duration-120 hover:bg-raised"
        >
          <ArrowIcon />
        </button>
      )}
    </li>
  );
});
