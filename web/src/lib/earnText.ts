import { language, type Language } from "./language.ts";
import type { EarnText } from "./text/en.earn.ts";

const files: Record<Language, () => Promise<{ earn: EarnText }>> = {
  en: () => import("./text/en.earn.ts"),
  de: () => import("./text/de.earn.ts"),
};

/** Texts about what a stake earns and costs. A separate chunk, loaded with the components that use it. */
export const earn: EarnText = (await files[language]()).earn;
