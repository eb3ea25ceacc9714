import { useSearch } from "wouter";
import { language } from "../lib/language.ts";
import { served } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Logo } from "../ui/art/Logo.tsx";
import { LanguageLinks } from "../ui/LanguageLinks.tsx";

/** The header of a text page: links to the home page and to the other languages. */
export function PageHead() {
  const name = served("Name", site.name || site.product);
  return (
    <header className="mx-auto flex w-full max-w-4xl items-center justify-between gap-4 px-4 py-4 sm:px-6">
      <a
        href="/"
        aria-label={`${name}, ${text.header.home}`}
        className="flex min-h-11 items-center gap-3 font-display text-xl font-bold text-moon no-underline"
      >
        <Logo /> {name}
      </a>
      <nav aria-label={text.header.language}>
        <LanguageLinks current={language} search={useSearch()} />
      </nav>
    </header>
  );
}
