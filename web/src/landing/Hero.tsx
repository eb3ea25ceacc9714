import { cx } from "../lib/cx.ts";
import type { Language } from "../lib/language.ts";
import type { LandingText } from "../lib/text/en.landing.ts";
import { LanguageLinks } from "../ui/LanguageLinks.tsx";
import { SkipLink } from "../ui/SkipLink.tsx";
import hero from "./hero.svg?inline";
import { MoonPhase } from "../ui/art/MoonPhase.tsx";
import { slot } from "../lib/served.ts";
import { When } from "../ui/slots.tsx";

interface HeroProps {
  words: LandingText;
  product: string;
  language: Language;
}

/** The head of the landing page: low, so that the communities are on the first screen as well. */
export function Hero({ words, product, language }: HeroProps) {
  return (
    <header id="top" className="relative isolate overflow-hidden bg-night">
      <SkipLink target="communities" label={words.skip} />
      <img
        src={hero}
        alt=""
        width={1440}
        height={720}
        fetchPriority="high"
        className={cx(
          "pointer-events-none absolute inset-x-0 bottom-0 -z-10 h-52 w-full object-cover object-[82%_100%]",
          "mask-[linear-gradient(to_bottom,transparent,black_25%)] sm:h-72 md:left-auto md:h-full md:w-1/2",
          "md:mask-[linear-gradient(to_right,transparent,black_35%)]",
        )}
      />
      <Menu words={words} product={product} language={language} />
      <When
        name="Missing"
        yes={
          <p className="mx-auto max-w-290 px-4 sm:px-6">
            <span className="block w-fit rounded-box border border-amber bg-night/80 px-4 py-3 text-moon">
              {words.missing(slot("Missing"))}
            </span>
          </p>
        }
      />
      <div className="mx-auto max-w-290 px-4 pt-4 pb-28 sm:px-6 sm:pt-5 sm:pb-36 md:pb-5">
        <h1 className="max-w-2xl text-4xl font-bold sm:text-6xl">{words.together(product)}</h1>
        <p className="mt-3 max-w-sm text-lg text-fur sm:max-w-lg sm:text-xl">{words.sub}</p>
        <a
          href={slot("LearnMore")}
          className={cx(
            "mt-5 inline-flex min-h-12 items-center rounded-box bg-amber px-6 text-lg font-semibold text-ink",
            "no-underline transition-colors duration-120 hover:bg-amber-bright",
          )}
        >
          {words.learnMore}
        </a>
      </div>
    </header>
  );
}

function Menu({ words, product, language }: HeroProps) {
  const menu = [
    ["communities", words.communities.menu],
    ["steps", words.steps.menu],
    ["roadmap", words.roadmap.title],
    ["faq", words.faq.title],
  ];
  return (
    <div className="mx-auto flex max-w-290 flex-wrap items-center justify-between gap-x-6 px-4 py-4 sm:px-6">
      <p className="flex items-center gap-3 font-display text-xl font-bold text-moon">
        <MoonPhase lit={0.72} className="size-9" />
        {product}
      </p>
      <nav aria-label={words.menu} className="ml-auto hidden gap-x-6 md:flex">
        {menu.map(([id, label]) => (
          <a
            key={id}
            href={`#${id}`}
            className="inline-flex min-h-11 items-center text-moon no-underline hover:underline"
          >
            {label}
          </a>
        ))}
      </nav>
      <LanguageLinks current={language} className="text-moon no-underline" />
    </div>
  );
}
