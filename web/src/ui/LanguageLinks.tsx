import { inLanguage, languages, type Language } from "../lib/language.ts";

interface LanguageLinksProps {
  /** The page's language. */
  current: Language;
  /** The URL's query, which the links keep. */
  search?: string;
  className?: string;
}

/** Links to the page in its other languages. Each link is written in its own language. */
export function LanguageLinks({ current, search, className = "" }: LanguageLinksProps) {
  const others = (Object.keys(languages) as Language[]).filter((code) => code !== current);
  return others.map((code) => (
    <a
      key={code}
      href={inLanguage(code, search)}
      hrefLang={code}
      lang={code}
      className={`inline-flex min-h-11 items-center gap-1.5 underline-offset-4 hover:underline ${className}`}
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        className="size-4 shrink-0"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
      >
        <circle cx="8" cy="8" r="6.25" />
        <path d="M1.75 8h12.5M8 1.75c4 4 4 8.5 0 12.5M8 1.75c-4 4-4 8.5 0 12.5" />
      </svg>
      {languages[code]}
    </a>
  ));
}
