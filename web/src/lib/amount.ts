/** Amounts are bigint until they are displayed: runes in base units, bitcoin in sats. */
import { site } from "./site.ts";

/** Decimals of the community's rune. */
export const DECIMALS = site.divisibility;
const BITCOIN_DECIMALS = 8;
/** Base units per whole token. */
export const UNIT = 10n ** BigInt(DECIMALS);

/**
 * Parses a plain decimal such as "12.5" into base units. Digits after the last decimal of the rune are cut off. Returns
 * null for anything else: signs, exponents, separators, words.
 */
export function parseDecimal(text: string): bigint | null {
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text);
  const [whole, fraction] = [match?.[1] ?? "", match?.[2] ?? ""];
  if (!match || whole + fraction === "") return null;
  return BigInt(whole || "0") * UNIT + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}

/** Returns the shortest plain decimal of an amount in base units: 150n with 2 decimals is "1.5". */
export function toDecimal(amount: bigint, decimals = DECIMALS): string {
  const [whole, fraction] = partsOf(amount, decimals);
  const trimmed = fraction.replace(/0+$/, "");
  return whole + (trimmed && `.${trimmed}`);
}

/** Returns sats as bitcoin with all decimals, as in bitcoin: URIs. */
export function toBitcoin(sats: bigint): string {
  return partsOf(sats, BITCOIN_DECIMALS).join(".");
}

function partsOf(amount: bigint, decimals: number): [whole: string, fraction: string] {
  const sign = amount < 0n ? "-" : "";
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return [sign + digits.slice(0, point), digits.slice(point)];
}

export function clamp(amount: bigint, low: bigint, high: bigint): bigint {
  return amount < low ? low : amount > high ? high : amount;
}

export function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

/** Parses base units as servers send them: "150000000000", a JSON integer, or 'None' for 0. */
export function fromWire(value: string | number | null | undefined): bigint {
  if (value === "None" || value === null || value === undefined) return 0n;
  return BigInt(value);
}
