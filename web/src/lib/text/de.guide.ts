import type { GuideText } from "./en.guide.ts";

/** The texts around a guide in German. */
export const guide: GuideText = {
  contents: "Auf dieser Seite",
  onlyEnglish: "Diese Seite gibt es nur auf Englisch.",
};
