import { slot } from "../lib/served.ts";
import { text } from "../lib/text.ts";
import { Each, When } from "../ui/slots.tsx";
import { DocumentPage } from "./DocumentPage.tsx";

const { terms } = text.visit;

/** The terms. Go inserts the operator's text (web/terms.go). */
export function TermsPage() {
  return (
    <DocumentPage path="/terms">
      <h1 className="text-4xl font-bold sm:text-5xl">{terms.title}</h1>
      <When name="Generic" yes={<OfTheFund />} no={<OfTheCommunity />} />
    </DocumentPage>
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
