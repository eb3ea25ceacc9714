import { decimalMark } from "../lib/format.ts";

const RATE = /^(\d{1,6})(?:[.,](\d{1,3}))?$/;

/** Reads a fee rate in sat/vB, with a point or a comma, as sats per 1,000 vB. Null for any other text. */
export function readRate(typed: string): number | null {
  const [, whole, decimals = ""] = RATE.exec(typed.trim()) ?? [];
  return whole === undefined ? null : Number(whole + decimals.padEnd(3, "0"));
}

/** Writes sats per 1,000 vB as sat/vB, without trailing zeros: 2500 is "2.5". */
export function writeRate(rate: number, mark = decimalMark()): string {
  const digits = String(rate).padStart(4, "0");
  const decimals = digits.slice(-3).replace(/0+$/, "");
  return digits.slice(0, -3) + (decimals && mark + decimals);
}
