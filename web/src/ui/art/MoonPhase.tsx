const RADIUS = 22;

/** A waxing moon; `lit` goes from 0 (new) to 1 (full). */
export function MoonPhase({ lit, className = "size-14" }: { lit: number; className?: string }) {
  // The outer edge of the lit side is a semicircle. The inner edge is half an ellipse that bends to either side.
  const terminator = Math.abs(1 - 2 * lit) * RADIUS;
  const shape = `M24 2A22 22 0 0 1 24 46A${terminator} 22 0 0 ${lit < 0.5 ? 0 : 1} 24 2Z`;
  return (
    <svg aria-hidden="true" viewBox="0 0 48 48" className={`shrink-0 ${className}`}>
      <circle cx="24" cy="24" r={RADIUS} fill="#1a2133" stroke="#65738f" strokeWidth="1" />
      {lit > 0 && <path d={shape} fill="#f6e3b8" />}
      {lit > 0.4 && (
        <g fill="#e0c795">
          <circle cx="34" cy="19" r="3.5" />
          <circle cx="32" cy="33" r="2.5" />
          {lit > 0.6 && <circle cx="22" cy="29" r="4.5" />}
          {lit > 0.6 && <circle cx="24" cy="13" r="2" />}
        </g>
      )}
    </svg>
  );
}
