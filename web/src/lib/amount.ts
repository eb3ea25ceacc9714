/** Amounts are bigint until they are displayed: runes in base units, bitcoin in sats. Both have 8 decimals. */

export const DECIMALS = 8;
/** Base units per whole token; sats per bitcoin. */
export const UNIT = 10n ** BigInt(DECIMALS);

/**
 * Parses a plain decimal such as "12.5" into base units. Digits after the eighth decimal are cut off. Returns null for
 * anything else: signs, exponents, separators, words.
 */
export function parseDecimal(text: string): bigint | null {
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text);
  const [whole, fraction] = [match?.[1] ?? "", match?.[2] ?? ""];
  if (!match || whole + fraction === "") return null;
  return BigInt(whole || "0") * UNIT + BigInt(fraction.slice(0, DECIMALS).padEnd(DECIMALS, "0"));
}

/** Returns the shortest plain decimal of an amount in base units: 150000000n is "1.5". */
export function toDecimal(amount: bigint): string {
  const fraction = fractionOf(amount).replace(/0+$/, "");
  return wholeOf(amount) + (fraction && `.${fraction}`);
}

/** Returns a plain decimal with eight decimals, as in bitcoin: URIs. */
export function toFullDecimal(amount: bigint): string {
  return `${wholeOf(amount)}.${fractionOf(amount)}`;
}

function wholeOf(amount: bigint): string {
  return (amount < 0n ? "-" : "") + (magnitude(amount) / UNIT).toString();
}

function fractionOf(amount: bigint): string {
  return (magnitude(amount) % UNIT).toString().padStart(DECIMALS, "0");
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
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
