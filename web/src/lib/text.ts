import { language, type Language } from "./language.ts";
import type { Text } from "./text/en.ts";

export type { Text };

/** Each language is a separate chunk. The server has the browser fetch it together with the page's script. */
const files: Record<Language, () => Promise<{ text: Text }>> = {
  en: () => import("./text/en.ts"),
  de: () => import("./text/de.ts"),
};

/** Every text of the page, in the page's language. */
export const text: Text = (await files[language]()).text;
