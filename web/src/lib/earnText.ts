import { language, type Language } from "./language.ts";
import type { EarnText } from "./text/en.earn.ts";

const files: Record<Language, () => Promise<{ earn: EarnText }>> = {
  en: () => import("./text/en.earn.ts"),
  de: () => import("./text/de.earn.ts"),
};

/** Words of what a stake earns and costs, in the page's language. They are loaded with what shows them. */
export const earn: EarnText = (await files[language]()).earn;
