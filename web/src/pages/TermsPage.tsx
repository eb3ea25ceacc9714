import { language, languages, type Language } from "../lib/language.ts";
import { slot } from "../lib/served.ts";
import { text } from "../lib/text.ts";
import { Each, When } from "../ui/slots.tsx";
import { PageFoot } from "./PageFoot.tsx";
import { PageHead } from "./PageHead.tsx";

const { terms } = text.visit;

/** The terms as a complete document without script. Go inserts the operator's text (web/terms.go). */
export function TermsPage() {
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="dark" />
        <title>{slot("Title")}</title>
        <meta name="description" content={slot("Description")} />
        {(Object.keys(languages) as Language[]).map((code) => (
          <link key={code} rel="alternate" hrefLang={code} href={`${slot("Origin")}/terms?lang=${code}`} />
        ))}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {/* Go inserts the style here. */}
        <style />
      </head>
      <body className="flex min-h-dvh flex-col">
        <PageHead />
        <main id="content" className="mx-auto w-full max-w-4xl px-4 pt-4 pb-16 sm:px-6">
          <h1 className="text-4xl font-bold sm:text-5xl">{terms.title}</h1>
          <When name="Generic" yes={<OfTheFund />} no={<OfTheCommunity />} />
        </main>
        <PageFoot />
      </body>
    </html>
  );
}

function OfTheCommunity() {
  return (
    <When
      name="Terms"
      yes={
        <>
          <p className="mt-3 text-mist">
            {terms.version(slot("Version"))} · {terms.since} <time dateTime={slot("Date")}>{slot("DateText")}</time>
          </p>
          <div className="written mt-8 max-w-2xl">{slot("Terms")}</div>
        </>
      }
      no={<p className="mt-6 max-w-2xl border-l-2 border-amber pl-4 text-amber">{terms.missing(slot("Name"))}</p>}
    />
  );
}

function OfTheFund() {
  return (
    <>
      <p className="mt-6 max-w-2xl border-l-2 border-amber pl-4 text-amber">{terms.placeholder}</p>
      <When
        name="Communities"
        yes={
          <ul className="mt-6">
            <Each list="Communities">
              <When
                name="URL"
                yes={
                  <li>
                    <a href={`${slot("URL")}/terms`} className="inline-flex min-h-11 items-center underline">
                      {terms.of(slot("Name"))}
                    </a>
                  </li>
                }
              />
            </Each>
          </ul>
        }
      />
    </>
  );
}
