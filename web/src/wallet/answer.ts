import { type Check, digits, Mismatch, txid as txidText } from "./check.ts";

/**
 * Checks for what wallets answer: tolerant in form, strict in meaning. Wallets write numbers as texts, leave
 * fields out, write "" for "none" and add entries that nobody asked about. These checks read what can be read
 * without guessing and leave the rest out. Checks of params stay strict: see check.ts.
 */

/** Undefined, null and "" mean "not there"; any other value must pass the check. */
export function absentOr<T>(inner: Check<T>): Check<T | undefined> {
  return (value, path) => (value === undefined || value === null || value === "" ? undefined : inner(value, path));
}

/** A field that is not needed: a value that does not pass the check is left out. */
export function unneeded<T>(inner: Check<T>): Check<T | undefined> {
  return (value, path) => {
    try {
      return inner(value, path);
    } catch (fault) {
      if (fault instanceof Mismatch) return undefined;
      throw fault;
    }
  };
}

/** A field that is not needed, with the value that stands for "not there". */
export function otherwise<T>(inner: Check<T>, instead: T): Check<T> {
  const tried = unneeded(inner);
  return (value, path) => tried(value, path) ?? instead;
}

/** A list whose entries that do not pass the check are left out: one odd entry does not spoil the others. */
export function entries<T>(inner: Check<T>): Check<T[]> {
  const tried = unneeded(inner);
  return (value, path) => {
    if (!Array.isArray(value)) throw new Mismatch(`${path} must be a list`);
    return value.map((item, i) => tried(item, `${path}[${i}]`)).filter((item) => item !== undefined);
  };
}

/**
 * A whole number from 0 as digits, from a text or a number. Fractions, exponents, signs, and numbers above
 * 2^53, which a JSON number cannot hold exactly, are refused.
 */
export const wholeNumber: Check<string> = (value, path) =>
  digits(Number.isSafeInteger(value) && (value as number) >= 0 ? String(value) : value, path);

/** What a wallet says after sending: {txid}, {txId}, {txhash}, or the bare id. Ids come out in lower case. */
export const sent: Check<{ txid: string }> = (value, path) => {
  const fields = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { txid: value };
  return { txid: txidText(fields["txid"] ?? fields["txId"] ?? fields["txhash"], `${path}.txid`).toLowerCase() };
};
