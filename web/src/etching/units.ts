/** Maximum integer of a runestone: 2^128 − 1. */
export const MAX_U128 = (1n << 128n) - 1n;

/**
 * Parses "12.5" with 2 decimals as 1250n base units; null if the text is not a number with at most `decimals` decimals.
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,39})(?:\.(\d*))?$/.exec(text.trim());
  if (!match) return null;
  const fraction = match[2] ?? "";
  if (fraction.length > decimals) return null;
  const units = BigInt(match[1]! + fraction.padEnd(decimals, "0"));
  return units <= MAX_U128 ? units : null;
}

/** Formats 1250n with 2 decimals as "12.5". */
export function unitsText(units: bigint, decimals: number): string {
  if (decimals === 0) return units.toString();
  const digits = units.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return digits.slice(0, -decimals) + (fraction && `.${fraction}`);
}

/** Normalizes a typed rune name: capital letters with single bullets between them. */
export function nameText(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[\s.•·]+/gu, "•")
    .replace(/[^A-Z•]/gu, "")
    .replace(/^•+/u, "");
}
