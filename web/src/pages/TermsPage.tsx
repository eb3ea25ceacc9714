import { later } from "../lib/laterText.ts";
import { PageHead } from "./PageHead.tsx";

export default function TermsPage() {
  return (
    <>
      <PageHead />
      <main id="content" className="mx-auto max-w-4xl px-4 pt-4 pb-16 sm:px-6">
        <h1 className="text-4xl font-bold sm:text-5xl">{later.terms.title}</h1>
        <p className="mt-4 max-w-2xl border-l-2 border-amber pl-4 text-amber">{later.terms.intro}</p>
        <ol className="mt-10 grid gap-x-12 gap-y-8 sm:grid-cols-2">
          {later.terms.sections.map(([title, body], i) => (
            <li key={title} className="border-t border-line pt-5">
              <h2 className="text-xl font-bold">
                <span className="mr-2 text-mist">{i + 1}</span>
                {title}
              </h2>
              <p className="mt-2 leading-relaxed">{body}</p>
            </li>
          ))}
        </ol>
      </main>
    </>
  );
}
