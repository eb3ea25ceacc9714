import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";

interface SectionHeadProps {
  /** Labels the section: its `aria-labelledby`. */
  id: string;
  title: string;
  /** Number of entries, if it is known. */
  count?: number;
  open: boolean;
  /** Undefined if the section shows everything at once. */
  onToggle: (() => void) | undefined;
}

/** The heading of a section that shows its newest entries, with a button for all of them. */
export function SectionHead({ id, title, count, open, onToggle }: SectionHeadProps) {
  return (
    // The button is higher than the heading, which has the distance of any other heading.
    <div className="-my-1.5 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
      <h2 id={id} className="text-lg font-bold">
        {title}
      </h2>
      {onToggle && (
        <Button kind="quiet" className="px-0! text-sm" aria-expanded={open} onClick={onToggle}>
          {open ? later.history.showLess : later.history.showAll(count)}
          <span className="sr-only">: {title}</span>
        </Button>
      )}
    </div>
  );
}
