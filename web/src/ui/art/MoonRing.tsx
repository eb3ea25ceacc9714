const RADIUS = 20;
const ROUND = 2 * Math.PI * RADIUS;

/** A moon whose ring fills from 0 to 1. */
export function MoonRing({ filled, className = "size-12" }: { filled: number; className?: string }) {
  const part = Math.min(1, Math.max(0, filled));
  return (
    <svg aria-hidden="true" viewBox="0 0 48 48" className={className}>
      <circle cx="24" cy="24" r="13" fill="#f6e3b8" />
      <circle cx="20" cy="21" r="3" fill="#e3cc98" />
      <circle cx="28" cy="27" r="4" fill="#e3cc98" />
      <circle cx="27" cy="17" r="1.5" fill="#e3cc98" />
      <circle cx="24" cy="24" r={RADIUS} fill="none" stroke="var(--color-line)" strokeWidth="3" />
      <circle
        cx="24"
        cy="24"
        r={RADIUS}
        fill="none"
        stroke="var(--color-amber)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray={`${part * ROUND} ${ROUND}`}
        transform="rotate(-90 24 24)"
      />
    </svg>
  );
}
