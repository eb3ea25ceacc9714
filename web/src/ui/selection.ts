import { useCallback, useMemo, useState } from "react";

export interface Selection {
  /** Selected ids that are still selectable, in the order of the list. */
  ids: string[];
  has(id: string): boolean;
  toggle(id: string): void;
  /** Selects all selectable ids, or none. */
  setAll(on: boolean): void;
  /** Replaces the selection. */
  only(ids: readonly string[]): void;
  /** State of the checkbox for all. */
  all: "every" | "some" | "none";
}

/** Holds the selected ids. An id that stops being selectable is removed. */
export function useSelection(selectable: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = useMemo(() => selectable.filter((id) => chosen.has(id)), [selectable, chosen]);
  const has = useCallback((id: string) => chosen.has(id), [chosen]);
  const toggle = useCallback((id: string) => {
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const setAll = useCallback((on: boolean) => setChosen(new Set(on ? selectable : [])), [selectable]);
  const only = useCallback((wanted: readonly string[]) => setChosen(new Set(wanted)), []);
  const all = ids.length === 0 ? "none" : ids.length === selectable.length ? "every" : "some";
  return { ids, has, toggle, setAll, only, all };
}
