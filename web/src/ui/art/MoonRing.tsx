/** A moon with a ring from 0 to 100 percent. A string is a slot for the percentage (lib/served.ts). */
export function MoonRing({ percent, className = "size-12" }: { percent: number | string; className?: string }) {
  const part = typeof percent === "string" ? percent : Math.min(100, Math.max(0, percent));
  return (
    <svg aria-hidden="true" viewBox="0 0 48 48" className={className}>
      <circle cx="24" cy="24" r="13" fill="#f6e3b8" />
      <circle cx="20" cy="21" r="3" fill="#e3cc98" />
      <circle cx="28" cy="27" r="4" fill="#e3cc98" />
      <circle cx="27" cy="17" r="1.5" fill="#e3cc98" />
      <circle cx="24" cy="24" r="20" fill="none" stroke="var(--color-line)" strokeWidth="3" />
      <circle
        cx="24"
        cy="24"
        r="20"
        fill="none"
        stroke="var(--color-amber)"
        strokeWidth="3"
        strokeLinecap="round"
        pathLength="100"
        strokeDasharray={`${part} 100`}
        transform="rotate(-90 24 24)"
      />
    </svg>
  );
}
