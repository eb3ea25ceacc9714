import { translate, type Sentence } from "./translate.ts";

/** Why something failed. */
export interface Failure {
  /** The page's own sentence. */
  message: string;
  /** The sentence of the specification's catalogue, in English; null if `message` is the same. */
  details: string | null;
}

/** An error whose message is a text of the page. The messages of other errors are for developers. */
export class PageError extends Error {}

/** An error of the wallet library has a sentence, one of a call or of signing may have details. */
type Described = Error & { sentence?: Sentence; details?: string | null };

/** Codes of the wallet library for the words of a wallet, which may be in any language and about anything. */
const WALLETS_WORDS: readonly (string | undefined)[] = ["foreign", "declined"];

/**
 * Returns what to show about an error. `fallback` is for what is thrown and has no text of the page. A wallet's own
 * words are not shown.
 */
export function failureOf(thrown: unknown, fallback: string): Failure {
  const { message: words = "", sentence, details = null } = (thrown ?? {}) as Partial<Described>;
  if (!sentence && !(thrown instanceof PageError)) return { message: fallback, details: null };
  const message = sentence ? translate(sentence) : words;
  const original = WALLETS_WORDS.includes(sentence?.code) ? null : (sentence?.message ?? details);
  return { message, details: original === message ? null : original };
}

/** Logs an error of the wallet or of a call, in the catalogue's words if it has any. Returns what was thrown. */
export function logged<T>(thrown: T): T {
  const { sentence, details } = (thrown ?? {}) as Partial<Described>;
  const words = sentence?.message ?? details;
  if (words) console.warn(words);
  return thrown;
}
