import { useState, type ReactNode } from "react";
import { formatRemaining, remaining } from "../lib/format.ts";
import { useNow } from "../lib/clock.ts";
import { failureOf } from "../lib/failure.ts";
import { text } from "../lib/text.ts";
import { Button } from "./Button.tsx";
import { FailureText } from "./FailureText.tsx";
import { ClockIcon } from "./icons.tsx";

/** The fields of a query that a panel needs for its four states. */
export interface Loadable<T> {
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch(): unknown;
}

/** Shows a loading, error or stale state, or the content. The content handles the empty state itself. */
export function Loaded<T>({
  query,
  skeleton,
  children,
}: {
  query: Loadable<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}) {
  // While a query without data refetches, it clears its error. Keep the error so that the panel does not flicker.
  const [failure, setFailure] = useState(query.error);
  if (query.error && query.error !== failure) setFailure(query.error);
  if (query.data !== undefined) {
    return (
      <>
        {query.error && <Stale since={query.dataUpdatedAt} />}
        {children(query.data)}
      </>
    );
  }
  if (failure) {
    return (
      <div role="alert" className="rounded-box border border-ember p-4">
        <p className="text-ember">{text.common.failed}</p>
        <div className="mt-1 text-sm text-mist">
          <FailureText failure={failureOf(failure, "")} />
        </div>
        <Button className="mt-3" busy={query.isFetching} onClick={() => void query.refetch()}>
          {text.common.retry}
        </Button>
      </div>
    );
  }
  return (
    <div aria-busy="true">
      <span className="sr-only">{text.common.loading}</span>
      {skeleton}
    </div>
  );
}

/** Shows how old a value is while the server can't be reached. */
export function Stale({ since }: { since: number }) {
  const now = useNow();
  return (
    <p className="mb-3 flex items-center gap-2 text-sm text-amber">
      <ClockIcon />
      <span>
        {text.common.stale(formatRemaining(remaining(now, since)))} {text.common.updating}
      </span>
    </p>
  );
}

/** Placeholder bars in the size of the expected lines. */
export function Lines({ count, className = "h-14" }: { count: number; className?: string }) {
  return (
    <div className="grid gap-2" aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className={`skeleton ${className}`} />
      ))}
    </div>
  );
}
