import { language, type Language } from "./language.ts";
import * as de from "./text/de.etching.ts";
import * as en from "./text/en.etching.ts";

const words: Record<Language, en.EtchingText> = { en: en.etching, de: de.etching };

/** Texts of the page "Etch and mint". */
export const etchingText: en.EtchingText = words[language];
