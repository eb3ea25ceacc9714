import type { LandingText } from "../lib/text/en.landing.ts";
import type { Language } from "../lib/language.ts";
import { trustPath } from "../lib/link.ts";
import { slot } from "../lib/served.ts";
import { OutIcon } from "../ui/icons.tsx";
import { Each, When } from "../ui/slots.tsx";
import { Product } from "./Product.tsx";
import { Section } from "./Section.tsx";

const link = "inline-flex min-h-11 items-center gap-1.5 font-semibold text-tide underline";

/** Links to what can be verified: each community's proofs, the page about trust, and the source code. */
function Check({ words: { trust, newTab } }: { words: LandingText }) {
  return (
    <div id="source" className="flex scroll-mt-8 flex-wrap items-center gap-x-6">
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
      <a href={trustPath} className={link}>
        {trust.trust}
      </a>
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

/** What the fund is, with a picture of a community's page. */
export function About({ words, product, language }: { words: LandingText; product: string; language: Language }) {
  const { about } = words;
  return (
    <Section id="about" title={about.title(product)} beside={<Product words={words} language={language} />}>
      <div className="mt-4 grid gap-y-3 leading-relaxed sm:text-lg">
        {about.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
    </Section>
  );
}

/** How staking works, and how to verify it. */
export function How({ words }: { words: LandingText }) {
  const { steps, trust } = words;
  return (
    <Section
      id="steps"
      title={steps.title}
      beside={
        <section aria-labelledby="trust">
          <h2 id="trust" className="scroll-mt-8 text-2xl font-bold text-basalt sm:text-3xl">
            {trust.title}
          </h2>
          <ul className="mt-4 grid gap-3">
            {trust.list.map(([title, body]) => (
              <Point key={title} title={title} body={body} />
            ))}
          </ul>
          <Check words={words} />
        </section>
      }
    >
      <ol className="mt-4 grid gap-3 sm:grid-cols-2 sm:gap-x-8 sm:gap-y-4">
        {steps.list.map(([title, body], index) => (
          <Point key={title} title={`${index + 1}. ${title}`} body={body} />
        ))}
      </ol>
    </Section>
  );
}

function Point({ title, body }: { title: string; body: string }) {
  return (
    <li className="border-t-2 border-dune pt-2">
      <h3 className="text-lg font-bold text-basalt">{title}</h3>
      <p className="mt-1 leading-snug">{body}</p>
    </li>
  );
}
