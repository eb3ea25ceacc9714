import { language, type Language } from "./language.ts";
import type { push as PushText } from "./text/en.push.ts";

const files: Record<Language, () => Promise<{ push: typeof PushText }>> = {
  en: () => import("./text/en.push.ts"),
  de: () => import("./text/de.push.ts"),
};

/** Texts about messages to this browser. */
export const pushText: typeof PushText = (await files[language]()).push;
