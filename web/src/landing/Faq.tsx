import { cx } from "../lib/cx.ts";
import type { LandingText } from "../lib/text/en.landing.ts";
import { Section } from "./Section.tsx";

/**
 * Questions as native <details> elements, which need no script. Each answer has a hash: a browser opens the `details`
 * element around the target of a hash.
 */
export function Faq({ words: { faq } }: { words: LandingText }) {
  return (
    <Section id="faq" title={faq.title}>
      <div className="mt-5 grid items-start gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {faq.list.map(([id, question, answer, more]) => (
          <details key={id} className="group rounded-card border border-dune bg-paper">
            <summary
              className={cx(
                "flex min-h-11 list-none items-center justify-between gap-4 rounded-card px-4 py-2",
                "font-semibold text-basalt [&::-webkit-details-marker]:hidden",
              )}
            >
              {question}
              <Chevron />
            </summary>
            <div id={id} className="scroll-mt-24 px-4 pb-4">
              {answer.map((paragraph) => (
                <p key={paragraph} className="mb-3 leading-relaxed">
                  {paragraph}
                </p>
              ))}
              {more && (
                <p className="mb-2">
                  <a href={more[0]} className="inline-flex min-h-11 items-center font-semibold text-tide underline">
                    {more[1]}
                  </a>
                </p>
              )}
              <a href={`#${id}`} className="inline-flex min-h-6 items-center text-sm text-tide underline">
                {faq.link}
                <span className="sr-only">: {question}</span>
              </a>
            </div>
          </details>
        ))}
      </div>
    </Section>
  );
}

function Chevron() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className="size-5 shrink-0 text-tide transition-transform duration-120 group-open:rotate-180"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M3 6l5 5 5-5" />
    </svg>
  );
}
