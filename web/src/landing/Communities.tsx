import type { ReactNode } from "react";
import { cx } from "../lib/cx.ts";
import type { LandingText } from "../lib/text/en.landing.ts";
import { OutIcon } from "../ui/icons.tsx";
import { MoonPhase } from "../ui/art/MoonPhase.tsx";
import { Section } from "./Section.tsx";
import { slot } from "../lib/served.ts";
import { Each, When, With } from "../ui/slots.tsx";

const card = cx(
  "relative flex h-full flex-col overflow-hidden rounded-card border border-dune bg-paper p-5",
  "group-only:lg:has-[>img]:pr-[36%]",
);

/**
 * The fund's communities, each with a logo, a sentence, figures and a link to its page. Beside the only community there
 * is room for its picture.
 */
export function Communities({ words }: { words: LandingText }) {
  const { communities } = words;
  return (
    <Section id="communities" title={communities.title}>
      <When
        name="Communities"
        no={<p className="mt-4 text-lg">{communities.none}</p>}
        yes={
          <ul className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,20rem),1fr))] gap-5">
            <Each list="Communities">
              <li className="group">
                <When
                  name="URL"
                  yes={
                    <a
                      href={slot("URL")}
                      target="_blank"
                      rel="noreferrer"
                      className={`${card} text-slate no-underline transition-colors duration-120 hover:border-tide`}
                    >
                      <Card words={words} />
                      <p
                        className={cx(
                          "mt-auto flex flex-wrap items-center gap-1.5 pt-3",
                          "font-semibold wrap-anywhere text-tide underline",
                        )}
                      >
                        {slot("Host")} <OutIcon className="size-3.5" />
                        <span className="sr-only">({words.newTab})</span>
                      </p>
                    </a>
                  }
                  no={
                    <div className={card}>
                      <Card words={words} />
                      <p className="mt-auto pt-5">{communities.soon}</p>
                    </div>
                  }
                />
              </li>
            </Each>
          </ul>
        }
      />
    </Section>
  );
}

function Card({ words }: { words: LandingText }) {
  const { communities } = words;
  return (
    <>
      <Hero />
      <div className="flex items-center gap-4">
        <When
          name="Image"
          yes={
            <img
              src={slot("Image")}
              alt=""
              width={56}
              height={56}
              loading="lazy"
              fetchPriority="low"
              className="size-14 rounded-box"
            />
          }
          no={<MoonPhase lit={1} />}
        />
        <div className="min-w-0">
          <h3 className="text-2xl font-bold wrap-anywhere text-basalt">{slot("Name")}</h3>
          <p>
            {communities.token} <span className="font-semibold text-basalt">${slot("Token")}</span>
            <When
              name="Ordinals"
              yes={
                <span>
                  {" · "}
                  {communities.ordinals}: {slot("Ordinals")}
                </span>
              }
            />
          </p>
        </div>
      </div>
      <When name="Description" yes={<p className="mt-2">{slot("Description")}</p>} />
      <Figures words={words} />
    </>
  );
}

/** The picture of its page, on a wide screen beside the only community. */
function Hero() {
  return (
    <When
      name="Hero"
      yes={
        <img
          src={slot("Hero")}
          alt=""
          width={1440}
          height={480}
          loading="lazy"
          fetchPriority="low"
          className={cx(
            "absolute inset-y-0 right-0 hidden h-full w-1/3 object-cover object-[100%_100%]",
            "group-only:lg:block",
          )}
        />
      }
    />
  );
}

function Figures({ words: { communities } }: { words: LandingText }) {
  return (
    <With name="Live">
      <dl
        className={cx(
          "mt-3 grid grid-cols-2 gap-x-4 gap-y-2 border-t border-dune pt-3",
          "group-only:sm:grid-cols-[repeat(4,auto)]",
        )}
      >
        <Figure label={communities.staked}>
          <span title={slot("StakedExact")}>{slot("Staked")}</span>
        </Figure>
        <Figure label={communities.issued}>
          <span title={slot("IssuedExact")}>{slot("Issued")}</span>
        </Figure>
        <Figure label={communities.epoch}>{slot("Epoch")}</Figure>
        <When
          name="Ends"
          yes={
            <Figure label={communities.ends}>
              <time dateTime={slot("EndsMachine")}>{slot("Ends")}</time>
            </Figure>
          }
        />
      </dl>
    </With>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm">{label}</dt>
      <dd className="font-semibold wrap-anywhere text-basalt">{children}</dd>
    </div>
  );
}
