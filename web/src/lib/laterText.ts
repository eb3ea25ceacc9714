import { language, type Language } from "./language.ts";
import type { LaterText } from "./text/en.later.ts";
import { loadSentences } from "./translate.ts";

const files: Record<Language, () => Promise<{ later: LaterText }>> = {
  en: () => import("./text/en.later.ts"),
  de: () => import("./text/de.later.ts"),
};

const [loaded] = await Promise.all([files[language](), loadSentences()]);

/** Texts that the first screen does not need. Import them only from modules that are loaded later. */
export const later: LaterText = loaded.later;
