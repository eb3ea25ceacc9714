import { DocumentError } from "./errors.ts";

/** 2^128: amounts and sums are below it. */
export const AMOUNT_LIMIT = 1n << 128n;

const AMOUNT = /^(?:0|[1-9][0-9]{0,38})$/;

/** Parses a decimal integer below 2^128 without a sign or leading zeros. Throws DocumentError. */
export function parseAmount(text: string): bigint {
  if (!AMOUNT.test(text)) throw new DocumentError(`${JSON.stringify(text)} is not an amount`);
  const amount = BigInt(text);
  if (amount >= AMOUNT_LIMIT) throw new DocumentError(`${text} is not below 2^128`);
  return amount;
}

/** Returns a + b. Throws DocumentError if the sum is not below 2^128. */
export function addAmounts(a: bigint, b: bigint): bigint {
  const sum = a + b;
  if (sum >= AMOUNT_LIMIT) throw new DocumentError("a sum is not below 2^128");
  return sum;
}

/** Whether a text is a decimal number up to `most`, without a sign or leading zeros. */
export function isDecimal(text: string, most: bigint): boolean {
  return AMOUNT.test(text) && BigInt(text) <= most;
}
