import { translate, type Sentence } from "./text.ts";

/** Why something failed. */
export interface Failure {
  /** The page's own sentence. */
  message: string;
  /** The sentence of the specification's catalogue, in English; null if `message` is the same. */
  details: string | null;
}

/** An error of the wallet library has a sentence, one of a call or of signing may have details. */
type Described = Error & { sentence?: Sentence; details?: string | null };

/** Returns what to show about an error. `fallback` is for what is thrown and no Error. */
export function failureOf(thrown: unknown, fallback: string): Failure {
  if (!(thrown instanceof Error)) return { message: fallback, details: null };
  const { message: words, sentence, details = null } = thrown as Described;
  const message = sentence ? translate(sentence) : words;
  const original = sentence?.message ?? details;
  return { message, details: original === message ? null : original };
}

/** Logs an error of the wallet or of a call, in the catalogue's words if it has any. Returns what was thrown. */
export function logged<T>(thrown: T): T {
  const { sentence, details } = (thrown ?? {}) as Partial<Described>;
  const words = sentence?.message ?? details;
  if (words) console.warn(words);
  return thrown;
}
