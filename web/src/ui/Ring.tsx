const RADIUS = 9;
const ROUND = 2 * Math.PI * RADIUS;
/** Minimum part, so that a very small one stays visible. */
const MIN_PART = 0.03;

/** A ring that shows a part of a whole, from 0 to 1. The number is shown beside it. */
export function Ring({ part, className = "size-6" }: { part: number; className?: string }) {
  const shown = part > 0 ? Math.min(1, Math.max(MIN_PART, part)) : 0;
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className={`shrink-0 ${className}`} fill="none" strokeWidth="4">
      <circle cx="12" cy="12" r={RADIUS} className="stroke-line" />
      <circle
        cx="12"
        cy="12"
        r={RADIUS}
        className="stroke-ice"
        strokeDasharray={`${shown * ROUND} ${ROUND}`}
        transform="rotate(-90 12 12)"
      />
    </svg>
  );
}
