import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";

export default function TermsPage() {
  return (
    <main className="mx-auto max-w-2xl px-4 py-12 sm:px-6">
      <a href="/" className="inline-flex min-h-11 items-center underline">
        {site.name || site.product}
      </a>
      <h1 className="mt-6 text-4xl font-bold">{text.terms.title}</h1>
      <p className="mt-4 text-amber">{text.terms.intro}</p>
      {text.terms.sections.map(([title, body]) => (
        <section key={title} className="mt-8">
          <h2 className="text-xl font-bold">{title}</h2>
          <p className="mt-2 leading-relaxed">{body}</p>
        </section>
      ))}
    </main>
  );
}
