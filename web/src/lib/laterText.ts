import { language, type Language } from "./language.ts";
import type { LaterText } from "./text/en.later.ts";

const files: Record<Language, () => Promise<{ later: LaterText }>> = {
  en: () => import("./text/en.later.ts"),
  de: () => import("./text/de.later.ts"),
};

/** Texts that the first screen does not need. Import them only from modules that are loaded later. */
export const later: LaterText = (await files[language]()).later;
