/** Supported languages: the code (BCP 47) and the name in the language itself. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

const isLanguage = (code: string): code is Language => Object.hasOwn(languages, code);

/**
 * The language of this document. The server selects it (web/language.go): the saved choice, else the browser's
 * languages.
 */
export const language: Language = isLanguage(document.documentElement.lang) ? document.documentElement.lang : "en";

/**
 * Returns the address of this page in another language. The server saves the choice in a cookie when the link is
 * followed.
 */
export function inLanguage(code: Language, search = ""): string {
  const query = new URLSearchParams(search);
  query.set("lang", code);
  return `?${query}`;
}
