import { language, type Language } from "./language.ts";
import type { proofs as ProofsText } from "./text/en.proofs.ts";

const files: Record<Language, () => Promise<{ proofs: typeof ProofsText }>> = {
  en: () => import("./text/en.proofs.ts"),
  de: () => import("./text/de.proofs.ts"),
};

/** Texts of the proofs page. */
export const proofs: typeof ProofsText = (await files[language]()).proofs;
