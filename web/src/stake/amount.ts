import { clamp, DECIMALS, parseDecimal, toDecimal } from "../lib/amount.ts";

/** Arrow up and down move by this many whole runes. */
export const STEP = 1000n;
const STEP_UNITS = STEP * 10n ** BigInt(DECIMALS);

/** The amount that the field's text stands for: empty is 0. */
export function amountOf(typed: string): bigint {
  return parseDecimal(typed) ?? 0n;
}

/**
 * What the field holds after something was typed. What is no number keeps the old text; digits beyond the eighth
 * decimal are cut off; more than the balance becomes the balance. `balance` null: not known, nothing is capped.
 */
export function nextText(typed: string, previous: string, balance: bigint | null): string {
  if (typed === "") return "";
  const amount = parseDecimal(typed);
  if (amount === null) return previous;
  if (balance !== null && amount > balance) return toDecimal(balance);
  const [whole = "", fraction] = typed.split(".");
  const shown = whole.replace(/^0+(?=\d)/, "");
  return fraction === undefined ? shown : `${shown || "0"}.${fraction.slice(0, DECIMALS)}`;
}

let mark = new Intl.NumberFormat().formatToParts(1.5).find((part) => part.type === "decimal")?.value ?? ".";

/** How this browser's number field separates decimals: by the browser's language, as far as it tells which that is. */
export const decimalMark = (): string => mark;

/** The field left the mark out: it reads by another language than the browser told. */
export function otherMark(): void {
  mark = mark === "." ? "," : ".";
}

/**
 * Whether something typed (a character) or pasted (a text) could mean another amount than the field would make of it: a number
 * field leaves out what it does not know, and "1,5" becomes 15. Letters mean nothing and are left out.
 */
export function isUnclear(added: string, value: string, mark = decimalMark()): boolean {
  const plain = mark === "." ? added.trim() : added.trim().replaceAll(".", "?").replace(mark, ".");
  if ([...added].length > 1) return parseDecimal(plain) === null;
  if (plain === ".") return value.includes(".");
  return !/^[0-9]?$/.test(plain) && !/^[a-df-zA-DF-Z]$/.test(plain);
}

/** One step up or down from the field's text, within 0 and the balance. */
export function stepText(text: string, direction: 1n | -1n, balance: bigint | null): string {
  const moved = amountOf(text) + direction * STEP_UNITS;
  return toDecimal(clamp(moved, 0n, balance ?? moved));
}
