import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";

/** A native <details>: it opens without script and by keyboard. */
export function Disclosure({
  title,
  className = "",
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <details className={className}>
      <summary
        className={cx(
          "inline-flex min-h-11 list-none items-center gap-1.5 text-ice underline-offset-4 hover:underline",
          "[&::-webkit-details-marker]:hidden",
        )}
      >
        <svg
          aria-hidden="true"
          viewBox="0 0 16 16"
          className="size-3 transition-transform duration-120 [[open]>summary>&]:rotate-90"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        >
          <path d="m5 2 6 6-6 6" />
        </svg>
        {title}
      </summary>
      <div className="pb-2">{children}</div>
    </details>
  );
}
