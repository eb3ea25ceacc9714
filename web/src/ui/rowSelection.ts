import { useMemo } from "react";
import { useSelection, type Selection } from "./selection.ts";
import type { Row } from "./SelectList.tsx";

/** Returns the selection of a list, and the total weight of the selected rows. */
export function useRowSelection(rows: readonly Row[]): { selection: Selection; total: bigint } {
  const selectable = useMemo(() => rows.filter((row) => row.selectable), [rows]);
  const ids = useMemo(() => selectable.map((row) => row.id), [selectable]);
  const selection = useSelection(ids);
  const total = useMemo(
    () => selectable.filter((row) => selection.has(row.id)).reduce((sum, row) => sum + row.weight, 0n),
    [selectable, selection],
  );
  return { selection, total };
}
