import { language, type Language } from "./language.ts";
import type { conflict as ConflictText } from "./text/en.conflict.ts";

const files: Record<Language, () => Promise<{ conflict: typeof ConflictText }>> = {
  en: () => import("./text/en.conflict.ts"),
  de: () => import("./text/de.conflict.ts"),
};

/** Texts about statements that contradict each other. */
export const conflict: typeof ConflictText = (await files[language]()).conflict;
