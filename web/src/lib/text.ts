import { language, type Language } from "./language.ts";
import type { Text } from "./text/en.ts";

export type { Text };

/** One language: its words, and what it says for the fixed English sentences that come from the server and from wallets. */
export interface Words {
  text: Text;
  /** English sentence → translation; `%s`, `%d` and `%q` stand for what differs. */
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

type Pattern = readonly [english: RegExp, own: string];

const patterns: readonly Pattern[] = Object.entries(words.sentences ?? {}).map(([english, own]) => [patternOf(english), own]);

function patternOf(english: string): RegExp {
  const source = english.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/%[sdq]/g, "(.+?)");
  return new RegExp(`^${source}$`, "su");
}

/**
 * A sentence of the server or of a wallet in the page's language; as it was sent where the page does not know it. Their exact
 * words are the contract (fault/testdata/sentences.txt, wallet/texts.ts), so the words themselves serve as the code.
 */
export function say(sentence: string): string {
  for (const [english, own] of patterns) {
    const found = english.exec(sentence);
    if (!found) continue;
    const parts = found.slice(1);
    return own.replace(/%[sdq]/g, () => say(parts.shift() ?? ""));
  }
  return sentence;
}
