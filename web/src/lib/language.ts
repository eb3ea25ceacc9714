/** Every language of the page: its code (BCP 47) and its own name. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

const known = (code: string): code is Language => Object.hasOwn(languages, code);

/**
 * The language of this document. The server chose it (web/language.go): by the person's choice, else by their
 * browser's.
 */
export const language: Language = known(document.documentElement.lang) ? document.documentElement.lang : "en";

/** The same page in another language. Following it makes the choice, which the server keeps in a cookie. */
export function inLanguage(code: Language, search = ""): string {
  const query = new URLSearchParams(search);
  query.set("lang", code);
  return `?${query}`;
}
