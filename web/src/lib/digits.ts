import { language, type Language } from "./language.ts";

/**
 * Amounts are written without Intl.NumberFormat: to make the first one takes a phone a tenth of a second, in
 * which the page hears nothing. digits.test.ts holds that every language here writes as Intl does.
 */
interface Marks {
  decimal: string;
  group: string;
  /**
   * From how many further digits on a whole number is written shorter, and what stands behind it then; largest first.
   */
  scales: readonly (readonly [digits: number, name: string])[];
}

const marks: Record<Language, Marks> = {
  en: { decimal: ".", group: ",", scales: [[12, "T"], [9, "B"], [6, "M"]] },
  de: { decimal: ",", group: ".", scales: [[12, "\u00a0Bio."], [9, "\u00a0Mrd."], [6, "\u00a0Mio."]] },
};

/** The decimal mark of the page's language. */
export const decimalMark = (): string => marks[language].decimal;

const GROUP = /\B(?=(\d{3})+$)/g;
const FRACTION = 2;

/**
 * Whole and fraction of a plain decimal such as "1234.5", as this language writes them; no more than so many fraction
 * digits.
 */
export function writeDecimal(plain: string, digits: number): string {
  const [whole = "", fraction = ""] = plain.split(".");
  return write(whole.replace(GROUP, marks[language].group), fraction.slice(0, digits));
}

/**
 * The same, from a million on in millions, billions or trillions with 2 fraction digits: 1.05B. Cut, never rounded up.
 */
export function writeCompact(plain: string): string {
  const [whole = ""] = plain.split(".");
  for (const [digits, name] of marks[language].scales) {
    const at = whole.length - digits;
    if (at <= 0) continue;
    // As Intl has it, a compact number is grouped from five digits on.
    const kept = whole.slice(0, at);
    return write(at < 5 ? kept : kept.replace(GROUP, marks[language].group), whole.slice(at, at + FRACTION)) + name;
  }
  return writeDecimal(plain, FRACTION);
}

function write(whole: string, fraction: string): string {
  const rest = fraction.replace(/0+$/, "");
  return rest === "" ? whole : whole + marks[language].decimal + rest;
}
