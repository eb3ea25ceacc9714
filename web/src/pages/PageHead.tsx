import { Link, useSearch } from "wouter";
import { language } from "../lib/language.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { MoonPhase } from "../ui/art/MoonPhase.tsx";
import { WolfMark } from "../ui/art/WolfMark.tsx";
import { LanguageLinks } from "../ui/LanguageLinks.tsx";

/**
 * The head of a page to read: the way home and the other languages. The home of the fund's own host is a document of
 * its own.
 */
export function PageHead() {
  const name = site.name || site.product;
  const look = "flex min-h-11 items-center gap-3 font-display text-xl font-bold text-moon no-underline";
  return (
    <header className="mx-auto flex max-w-4xl items-center justify-between gap-4 px-4 py-4 sm:px-6">
      {site.variant === "generic" ? (
        <a href="/" className={look}>
          <MoonPhase lit={0.72} className="size-9" /> {name}
        </a>
      ) : (
        <Link href="/" aria-label={`${name}, ${text.header.home}`} className={look}>
          <WolfMark /> {name}
        </Link>
      )}
      <nav aria-label={text.header.language}>
        <LanguageLinks current={language} search={useSearch()} />
      </nav>
    </header>
  );
}
