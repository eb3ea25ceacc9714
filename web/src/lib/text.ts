import { language, type Language } from "./language.ts";
import type { Text } from "./text/en.ts";

export type { Text };

/** One language: its words, and its sentences for what the server and wallets report in English. */
export interface Words {
  text: Text;
  /** By code; `%s` stands for a value. A language without them shows the English sentence. */
  sentences?: Readonly<Record<string, string>>;
}

/** A language is a chunk of its own, which the server has the browser fetch together with the page's script. */
const files: Record<Language, () => Promise<Words>> = {
  en: () => import("./text/en.ts"),
  de: () => import("./text/de.ts"),
};

const words = await files[language]();

/** Every sentence and word that the page shows, in its language. */
export const text: Text = words.text;

/** What the server or a wallet reports: a code, what the sentence names, and the sentence in English. */
export interface Sentence {
  code?: string | undefined;
  values?: readonly (string | Sentence)[] | undefined;
  message: string;
}

const marks: Record<Language, { group: string; decimal: string }> = {
  en: { group: ",", decimal: "." },
  de: { group: ".", decimal: "," },
};

/** The server writes amounts in English ("1,000.5 LOBO"). Returns the value with the page's marks. */
function localizeAmount(value: string): string {
  return value.replace(/^\d{1,3}(?:,\d{3})*(?:\.\d+)?(?= |$)/, (amount) =>
    amount.replaceAll(/[,.]/g, (mark) => (mark === "," ? marks[language].group : marks[language].decimal)),
  );
}

/**
 * Returns a sentence in the page's language, chosen by its code; the English one where the page has no words for the
 * code.
 */
export function say({ code = "", values = [], message }: Sentence): string {
  const own = words.sentences?.[code];
  if (own === undefined) return message;
  const rest = [...values];
  return own.replaceAll("%s", () => {
    const value = rest.shift() ?? "";
    return typeof value === "string" ? localizeAmount(value) : say(value);
  });
}
