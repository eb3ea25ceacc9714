import { MoonPhase } from "./MoonPhase.tsx";

const PHASES = [0, 0.25, 0.5, 0.75, 1];

/** A waxing moon in five steps, shown while waiting. */
export function Phases({ className = "" }: { className?: string }) {
  return (
    <div aria-hidden="true" className={`relative flex items-center justify-between ${className}`}>
      <div className="absolute inset-x-4 top-1/2 h-px bg-line" />
      {PHASES.map((lit) => (
        <span key={lit} className="relative rounded-full bg-den px-2">
          <MoonPhase lit={lit} className="size-9 sm:size-14" />
        </span>
      ))}
    </div>
  );
}
