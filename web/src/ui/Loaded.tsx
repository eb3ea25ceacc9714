import { useState, type ReactNode } from "react";
import { formatRemaining, remaining } from "../lib/format.ts";
import { useNow } from "../lib/clock.ts";
import { text } from "../lib/text.ts";
import { Button } from "./Button.tsx";
import { ClockIcon } from "./icons.tsx";

/** The part of a query that a panel needs to show its four states. */
export interface Loadable<T> {
  data: T | undefined;
  error: Error | null;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch(): unknown;
}

/** Loading, error, stale or the content. Empty is the content's own affair: only it knows what to say. */
export function Loaded<T>({
  query,
  skeleton,
  children,
}: {
  query: Loadable<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}) {
  // While it asks again, a query that never had an answer forgets that it has failed: the panel must not flicker.
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
        <p className="mt-1 text-sm text-mist">{failure.message}</p>
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

/** Says how old the shown value is while the server is away. */
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

/** Bars of the size of lines to come. */
export function Lines({ count, className = "h-14" }: { count: number; className?: string }) {
  return (
    <div className="grid gap-2" aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className={`skeleton ${className}`} />
      ))}
    </div>
  );
}
