import { useMemo } from "react";
import { useSelection, type Selection } from "./selection.ts";
import type { Row } from "./SelectList.tsx";

/** Compares rows for a list that begins with the most runes. */
export function byRunes(a: Row, b: Row): number {
  return a.runes === b.runes ? 0 : a.runes > b.runes ? -1 : 1;
}

/** Returns the selection of a list, and the total runes of the selected rows. */
export function useRowSelection(rows: readonly Row[]): { selection: Selection; total: bigint } {
  const selectable = useMemo(() => rows.filter((row) => row.selectable), [rows]);
  const ids = useMemo(() => selectable.map((row) => row.id), [selectable]);
  const selection = useSelection(ids);
  const total = useMemo(
    () => selectable.filter((row) => selection.has(row.id)).reduce((sum, row) => sum + row.runes, 0n),
    [selectable, selection],
  );
  return { selection, total };
}
