import { lazy, Suspense } from "react";
import type { StatementConflict } from "./conflict.ts";

// Loaded only when statements contradict each other.
const Details = lazy(() => import("./ConflictDetails.tsx"));

/** By its name, so that the class is not part of the first load. */
const isConflict = (error: Error | null): error is StatementConflict => error?.name === "StatementConflict";

/** Explains an error if it is a conflict of statements. */
export function Conflict({ error }: { error: Error | null }) {
  return isConflict(error) ? (
    <Suspense>
      <Details error={error} />
    </Suspense>
  ) : null;
}
