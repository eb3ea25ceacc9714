import type { LandingText } from "../lib/text/en.landing.ts";
import { Section } from "./Section.tsx";

/** What the fund is, how a stake goes, and why nobody need take it on trust. */
export function About({ words, product }: { words: LandingText; product: string }) {
  const { about, steps, trust } = words;
  return (
    <>
      <Section id="about" title={about.title(product)}>
        <div className="mt-6 grid gap-x-12 gap-y-4 text-lg leading-relaxed lg:grid-cols-2">
          {about.text.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      </Section>
      <Section id="steps" title={steps.title}>
        <ol className="mt-8 grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
          {steps.list.map(([title, body], index) => (
            <li key={title} className="border-t-2 border-basalt pt-4">
              <p aria-hidden="true" className="font-display text-lg text-tide">
                {index + 1}
              </p>
              <h3 className="mt-1 text-xl font-bold text-basalt">{title}</h3>
              <p className="mt-2 leading-relaxed">{body}</p>
            </li>
          ))}
        </ol>
      </Section>
      <Section id="trust" title={trust.title}>
        <ul className="mt-8 grid gap-5 lg:grid-cols-3">
          {trust.list.map(([title, body]) => (
            <li key={title} className="rounded-card border border-dune bg-paper p-6">
              <h3 className="text-xl font-bold text-basalt">{title}</h3>
              <p className="mt-2 leading-relaxed">{body}</p>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
