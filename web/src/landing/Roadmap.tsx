import type { LandingText } from "../lib/text/en.landing.ts";
import { MoonPhase } from "../ui/art/MoonPhase.tsx";
import { Section } from "./Section.tsx";

/** The roadmap: each step has a phase of the moon, from new to full. */
export function Roadmap({ words: { roadmap } }: { words: LandingText }) {
  const last = roadmap.list.length - 1;
  return (
    <Section id="roadmap" title={roadmap.title} dark>
      <p className="mt-1">{roadmap.sub}</p>
      <ol className="mt-5 grid gap-4 lg:grid-cols-5 lg:gap-6">
        {roadmap.list.map(([phase, title, body], index) => (
          <li key={phase} className="flex gap-4">
            <MoonPhase lit={index / last} className="size-10" />
            <div className="min-w-0">
              <p className="text-sm text-amber">{phase}</p>
              <h3 className="font-bold">{title}</h3>
              <p className="mt-1 text-[0.9375rem] leading-snug">{body}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
