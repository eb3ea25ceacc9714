import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import type { Selection } from "../ui/selection.ts";
import type { Row } from "../ui/SelectList.tsx";

/** Units that one signed action can name: the server takes requests of 64 KiB. */
export const MOST_PER_SIGNATURE = 800;

interface TooManyProps {
  /** Why it is too many. */
  sentence: string;
  limit: number;
  rows: readonly Row[];
  selection: Selection;
}

/** More is chosen than one action can take: why, and the way to what it can. */
export function TooMany({ sentence, limit, rows, selection }: TooManyProps) {
  function keep(): void {
    const chosen = rows.filter((row) => row.selectable && selection.has(row.id));
    const largest = chosen.toSorted((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1));
    selection.only(largest.slice(0, limit).map((row) => row.id));
  }
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-amber">
      {sentence}
      <Button kind="quiet" className="px-0!" onClick={keep}>
        {text.common.keepLargest(limit)}
      </Button>
    </p>
  );
}
