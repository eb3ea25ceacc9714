import { type Check, digits, Mismatch, txid as txidText } from "./check.ts";

/**
 * Checks for wallet responses: tolerant of form, strict about meaning. Wallets write numbers as strings, omit fields,
 * write "" for "none" and add fields that are not in the standard. These checks read what is unambiguous and drop the
 * rest. Checks of params are strict: see check.ts.
 */

/** Treats undefined, null and "" as absent; any other value must pass the check. */
export function absentOr<T>(inner: Check<T>): Check<T | undefined> {
  return (value, path) => (value === undefined || value === null || value === "" ? undefined : inner(value, path));
}

/** An optional field: a value that fails the check is dropped. */
export function lenient<T>(inner: Check<T>): Check<T | undefined> {
  return (value, path) => {
    try {
      return inner(value, path);
    } catch (error) {
      if (error instanceof Mismatch) return undefined;
      throw error;
    }
  };
}

/** An optional field with a default for an absent value. */
export function withDefault<T>(inner: Check<T>, fallback: T): Check<T> {
  const tried = lenient(inner);
  return (value, path) => tried(value, path) ?? fallback;
}

/** A list without the entries that fail the check, so that one malformed entry does not invalidate the others. */
export function entries<T>(inner: Check<T>): Check<T[]> {
  const tried = lenient(inner);
  return (value, path) => {
    if (!Array.isArray(value)) throw new Mismatch(`${path} must be a list`);
    return value.map((item, i) => tried(item, `${path}[${i}]`)).filter((item) => item !== undefined);
  };
}

/**
 * A whole number from 0, as a string of digits, read from a string or a number. Rejects fractions, exponents, signs,
 * and numbers above 2^53, which a JSON number cannot represent exactly.
 */
export const wholeNumber: Check<string> = (value, path) =>
  digits(Number.isSafeInteger(value) && (value as number) >= 0 ? String(value) : value, path);

/** The response after sending: {txid}, {txId}, {txhash}, or the bare id. The id is converted to lower case. */
export const sent: Check<{ txid: string }> = (value, path) => {
  const fields = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { txid: value };
  return { txid: txidText(fields["txid"] ?? fields["txId"] ?? fields["txhash"], `${path}.txid`).toLowerCase() };
};
