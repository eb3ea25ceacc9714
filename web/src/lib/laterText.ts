import { language, type Language } from "./language.ts";
import type { LaterText } from "./text/en.later.ts";

const files: Record<Language, () => Promise<{ later: LaterText }>> = {
  en: () => import("./text/en.later.ts"),
  de: () => import("./text/de.later.ts"),
};

/** Words of what is no part of the first screen, in the page's language: only what is loaded later may import them. */
export const later: LaterText = (await files[language]()).later;
