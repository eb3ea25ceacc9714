import { clamp, DECIMALS, parseDecimal, toDecimal, UNIT } from "./amount.ts";
import { decimalMark } from "./format.ts";

/** The arrow keys change the amount by this many whole tokens. */
export const STEP = 1000n * UNIT;
/** Page Up and Page Down change the amount by ten steps. */
export const LARGE_STEP = 10n * STEP;

/** The meaning of the field's text. All amounts are in base units. */
export type Reading =
  | { kind: "amount"; amount: bigint }
  /** One mark before three digits: `10.000` is 10,000 if the mark separates thousands, 10 if it separates decimals. */
  | { kind: "ambiguous"; large: bigint; small: bigint }
  | { kind: "unreadable" };

const UNREADABLE: Reading = { kind: "unreadable" };
/** Longer than any amount with separators. */
const MAX_LENGTH = 64;
const ALLOWED = /^[0-9.,'’\s]*$/;
const WHOLE = /^\d*$|^\d{1,3}([.,'’\s])\d{3}(?:\1\d{3})*$/;
const TOO_PRECISE = new RegExp(`([.,]\\d{${DECIMALS}})\\d+\\s*$`);
const DIGITS = /^\d*$/;

/**
 * Reads an amount with a point or a comma before the decimals and points, commas, spaces or apostrophes between
 * thousands. The result does not depend on a language, because the browser and the page can have different ones. An
 * empty text is 0.
 */
export function readAmount(text: string): Reading {
  const written = text.trim();
  if (written.length > MAX_LENGTH || !ALLOWED.test(written)) return UNREADABLE;
  const marks = [...written].filter((char) => char === "." || char === ",");
  // The last mark separates decimals unless it occurs more than once.
  const last = marks.at(-1);
  const isRepeated = marks.filter((mark) => mark === last).length > 1;
  const end = last === undefined || isRepeated ? written.length : written.lastIndexOf(last);
  const whole = written.slice(0, end);
  const decimals = written.slice(end + 1);
  if (!WHOLE.test(whole) || !DIGITS.test(decimals)) return UNREADABLE;
  const amount = parseDecimal(`${whole.replace(/\D/g, "") || "0"}.${decimals}`)!;
  if (decimals.length !== 3 || !couldBeThousands(whole)) return { kind: "amount", amount };
  return { kind: "ambiguous", large: parseDecimal(whole + decimals)!, small: amount };
}

/**
 * Reports whether the digits before a mark could be the first group of a number with thousands separators. 0.500 has no
 * such group.
 */
function couldBeThousands(whole: string): boolean {
  return /^0*[1-9]\d{0,2}$/.test(whole);
}

/**
 * Characters that can be dropped from a number. Signs and the e of 1e3 are not among them: without them the rest would
 * be another amount.
 */
const NON_NUMERIC = /[^\p{N}.,'’\s+\-eE]/gu;

/**
 * Returns the field's text after an edit: the previous text if only letters were added, at most the rune's decimals,
 * and at most `max` if it is known. An ambiguous text stays as typed.
 */
export function nextText(typed: string, previous: string, max: bigint | null): string {
  if (typed !== previous && typed.replace(NON_NUMERIC, "") === previous) return previous;
  const reading = readAmount(typed);
  if (reading.kind !== "amount") return typed;
  if (max !== null && reading.amount > max) return writeAmount(max);
  return typed.replace(TOO_PRECISE, "$1");
}

/** Returns the field's text after the amount changed by `change`, limited to 0 and `max`. An ambiguous text stays. */
export function stepText(text: string, change: bigint, max: bigint | null): string {
  const reading = readAmount(text);
  if (reading.kind !== "amount") return text;
  const changed = reading.amount + change;
  return writeAmount(clamp(changed, 0n, max ?? (changed > 0n ? changed : 0n)));
}

/**
 * Writes an amount with the decimal mark of the page's language and without thousands separators. `readAmount` reads
 * the same amount.
 */
export function writeAmount(amount: bigint): string {
  const decimal = toDecimal(amount);
  // A fourth decimal prevents `readAmount` from taking three decimals for thousands.
  const unambiguous = readAmount(decimal).kind === "ambiguous" ? `${decimal}0` : decimal;
  return unambiguous.replace(".", decimalMark());
}
