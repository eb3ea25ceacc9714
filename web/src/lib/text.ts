import { language, type Language } from "./language.ts";
import type { Text } from "./text/en.ts";

export type { Text };

/** The texts of one language: the page's texts, and translations of messages from the server and wallets. */
export interface Words {
  text: Text;
  /** By code; `%s` is replaced by a value. A language without them shows the English message. */
  sentences?: Readonly<Record<string, string>>;
}

/** Each language is a separate chunk. The server has the browser fetch it together with the page's script. */
const files: Record<Language, () => Promise<Words>> = {
  en: () => import("./text/en.ts"),
  de: () => import("./text/de.ts"),
};

const words = await files[language]();

/** Every text of the page, in the page's language. */
export const text: Text = words.text;

/** A message from the server or a wallet: its code, its values, and the message in English. */
export interface Sentence {
  code?: string | undefined;
  values?: readonly (string | Sentence)[] | undefined;
  message: string;
}

const marks: Record<Language, { group: string; decimal: string }> = {
  en: { group: ",", decimal: "." },
  de: { group: ".", decimal: "," },
};

/**
 * Returns an amount that the server wrote in English ("1,000.5 LOBO") with the decimal marks of the page's language.
 */
function localizeAmount(value: string): string {
  return value.replace(/^\d{1,3}(?:,\d{3})*(?:\.\d+)?(?= |$)/, (amount) =>
    amount.replaceAll(/[,.]/g, (mark) => (mark === "," ? marks[language].group : marks[language].decimal)),
  );
}

/**
 * Returns a message in the page's language, chosen by its code; the English message if the page has no text for the
 * code.
 */
export function translate({ code = "", values = [], message }: Sentence): string {
  const template = words.sentences?.[code];
  if (template === undefined) return message;
  const remaining = [...values];
  return template.replaceAll("%s", () => {
    const value = remaining.shift() ?? "";
    return typeof value === "string" ? localizeAmount(value) : translate(value);
  });
}
