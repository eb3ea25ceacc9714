import { useCallback, useMemo, useState } from "react";

export interface Selection {
  /** Chosen ids that can still be chosen, in the order of the list. */
  ids: string[];
  has(id: string): boolean;
  toggle(id: string): void;
  /** Everything that can be chosen, or nothing. */
  setAll(on: boolean): void;
  /** These and no others. */
  only(ids: readonly string[]): void;
  /** State of a box for all: every, some or none of those that can be chosen. */
  all: "every" | "some" | "none";
}

/** Which of the selectable ids are chosen. One that stops being selectable is forgotten. */
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
