import { language, type Language } from "./language.ts";
import type { VerifyText } from "./text/en.verify.ts";

const files: Record<Language, () => Promise<{ verify: VerifyText }>> = {
  en: () => import("./text/en.verify.ts"),
  de: () => import("./text/de.verify.ts"),
};

/** Texts of the checks of statements. Import them only from modules that are loaded later. */
export const verifyText: VerifyText = (await files[language]()).verify;
