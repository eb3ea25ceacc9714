import type { GuideText } from "../lib/text/en.guide.ts";
import { slot } from "../lib/served.ts";
import { Each } from "../ui/slots.tsx";
import { DocumentPage } from "./DocumentPage.tsx";

/** The page of a document of the source, which Go renders from Markdown (web/guide.go). The documents are English. */
export function GuidePage({ words }: { words: GuideText }) {
  return (
    <DocumentPage path={slot("Path")}>
      <h1 lang="en" className="max-w-3xl text-4xl font-bold sm:text-5xl">
        {slot("Heading")}
      </h1>
      {words.onlyEnglish !== "" && <p className="mt-3 text-mist">{words.onlyEnglish}</p>}
      <nav aria-labelledby="contents" className="mt-6 max-w-3xl rounded-card border border-line bg-den px-5 py-4">
        <h2 id="contents" className="text-base font-bold">
          {words.contents}
        </h2>
        <ul lang="en" className="mt-1 sm:columns-2">
          <Each list="Sections">
            <li className="break-inside-avoid">
              <a href={`#${slot("ID")}`} className="inline-flex min-h-11 items-center underline">
                {slot("Title")}
              </a>
            </li>
          </Each>
        </ul>
      </nav>
      <article lang="en" className="written mt-8 max-w-3xl">
        {slot("Text")}
      </article>
    </DocumentPage>
  );
}
