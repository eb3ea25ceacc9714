import { language, type Language } from "./language.ts";
import * as de from "./text/de.etching.ts";
import * as en from "./text/en.etching.ts";

const words: Record<Language, en.EtchingText> = { en: en.etching, de: de.etching };

/** Every sentence and word of the page "Etch and mint", in the page's language. */
export const etchingText: en.EtchingText = words[language];
