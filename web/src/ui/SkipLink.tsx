import { cx } from "../lib/cx.ts";

/** The first link of a page, visible while it has the focus: it skips the header. */
export function SkipLink({ target, label }: { target: string; label: string }) {
  return (
    <a
      href={`#${target}`}
      className={cx(
        "sr-only z-10 rounded-box bg-amber px-4 py-3 text-ink",
        "focus:not-sr-only focus:absolute focus:top-2 focus:left-2",
      )}
    >
      {label}
    </a>
  );
}
