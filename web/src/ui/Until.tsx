import { useNow } from "../lib/clock.ts";
import { formatDate, formatRemaining, remaining } from "../lib/format.ts";
import { text } from "../lib/text.ts";

/** A ticking countdown to a moment. The moment is its title. */
export function Until({ at, className = "" }: { at: number; className?: string }) {
  const left = remaining(at, useNow());
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDate(at)} className={`whitespace-nowrap ${className}`}>
      {left.total === 0 ? text.unit.soon : text.unit.countdown(formatRemaining(left))}
    </time>
  );
}
