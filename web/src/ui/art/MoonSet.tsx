/** A crescent moon behind a ridge, for empty and error pages. Its shadow has the color of the background. */
export function MoonSet({
  className = "w-48",
  ground = "var(--color-night)",
}: {
  className?: string;
  ground?: string;
}) {
  return (
    <svg aria-hidden="true" viewBox="0 0 120 60" className={className}>
      <circle cx="60" cy="34" r="20" fill="#f6dfad" />
      <circle cx="67" cy="30" r="20" fill={ground} />
      <path d="M0 56l24-14 18 10 22-16 20 14 16-8 20 12v6H0z" fill="#172138" />
    </svg>
  );
}
