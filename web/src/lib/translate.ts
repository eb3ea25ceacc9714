import { language, type Language } from "./language.ts";

type Sentences = Readonly<Record<string, string>>;

const files: Record<Language, () => Promise<{ sentences: Sentences }>> = {
  en: () => import("./text/en.sentences.ts"),
  de: () => import("./text/de.sentences.ts"),
};

/** By code; `%s` is replaced by a value. */
let sentences: Sentences = {};

/**
 * Loads what `translate` needs. It is not part of the first load, which has no messages. If it can't be loaded,
 * messages stay English.
 */
export async function loadSentences(): Promise<void> {
  try {
    ({ sentences } = await files[language]());
  } catch (error) {
    console.error(error);
  }
}

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
 * code, or has not loaded it.
 */
export function translate({ code = "", values = [], message }: Sentence): string {
  const template = sentences[code];
  if (template === undefined) return message;
  const remaining = [...values];
  return template.replaceAll("%s", () => {
    const value = remaining.shift() ?? "";
    return typeof value === "string" ? localizeAmount(value) : translate(value);
  });
}
