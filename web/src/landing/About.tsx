import type { LandingText } from "../lib/text/en.landing.ts";
import { slot } from "../lib/served.ts";
import { OutIcon } from "../ui/icons.tsx";
import { Each, When } from "../ui/slots.tsx";
import { Section } from "./Section.tsx";

const link = "inline-flex min-h-11 items-center gap-1.5 font-semibold text-tide underline";

/** Links to what can be verified: each community's proofs, and the source code. */
function Check({ words: { trust, newTab } }: { words: LandingText }) {
  return (
    <div id="source" className="mt-6 flex scroll-mt-8 flex-wrap items-center gap-x-8 gap-y-1">
      <Each list="Communities">
        <When
          name="Proofs"
          yes={
            <a href={slot("Proofs")} target="_blank" rel="noreferrer" className={link}>
              {trust.check(slot("Name"))} <OutIcon className="size-3.5" />
              <span className="sr-only">({newTab})</span>
            </a>
          }
        />
      </Each>
      <When
        name="Published"
        yes={
          <a href={slot("Published")} className={link}>
            {trust.source}
          </a>
        }
        no={<p>{trust.noSource}</p>}
      />
      <p>{trust.version(slot("Version"))}</p>
    </div>
  );
}

/** What the fund is, how staking works, and how to verify it. */
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
        <Check words={words} />
      </Section>
    </>
  );
}
