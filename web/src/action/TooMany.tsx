import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { byRunes } from "../ui/rowSelection.ts";
import type { Selection } from "../ui/selection.ts";
import type { Row } from "../ui/SelectList.tsx";

/** Maximum units per signed action: the server accepts requests of 64 KiB. */
export const MAX_PER_SIGNATURE = 800;

interface TooManyProps {
  /** Why the selection is too large. */
  sentence: string;
  limit: number;
  rows: readonly Row[];
  selection: Selection;
}

/** Shown when the selection exceeds the limit of one action. Offers a selection within the limit. */
export function TooMany({ sentence, limit, rows, selection }: TooManyProps) {
  function keep(): void {
    const chosen = rows.filter((row) => row.selectable && selection.has(row.id));
    const largest = chosen.toSorted(byRunes);
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

/** Shown when the selection exceeds the limit of one signed action. */
export function TooManyToSign({ rows, selection }: Pick<TooManyProps, "rows" | "selection">) {
  if (selection.ids.length <= MAX_PER_SIGNATURE) return null;
  const sentence = text.common.tooManyToSign(MAX_PER_SIGNATURE);
  return <TooMany sentence={sentence} limit={MAX_PER_SIGNATURE} rows={rows} selection={selection} />;
}
