import type { LandingText } from "../lib/text/en.landing.ts";
import { MoonPhase } from "../ui/art/MoonPhase.tsx";
import { Section } from "./Section.tsx";

/** The roadmap: each step has a phase of the moon, from new to full. */
export function Roadmap({ words: { roadmap } }: { words: LandingText }) {
  const last = roadmap.list.length - 1;
  return (
    <Section id="roadmap" title={roadmap.title} dark>
      <p className="mt-2 text-lg">{roadmap.sub}</p>
      <ol className="mt-10 grid gap-8 lg:grid-cols-5 lg:gap-6">
        {roadmap.list.map(([phase, title, body], index) => (
          <li key={phase} className="flex gap-5 lg:block">
            <MoonPhase lit={index / last} className="size-14 lg:size-20" />
            <div className="lg:mt-5">
              <p className="text-amber">{phase}</p>
              <h3 className="mt-1 text-xl font-bold">{title}</h3>
              <p className="mt-2 leading-relaxed">{body}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
