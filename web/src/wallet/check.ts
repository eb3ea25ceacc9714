/**
 * Checks for values that are exchanged with a wallet. A check takes an unknown value and returns it typed, or throws a
 * Mismatch that says where and why. Unknown fields are accepted, because wallets add fields; only the fields that this
 * library reads must be valid.
 */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
  /** The message is a sentence of the specification, to be shown without a prefix. */
  readonly verbatim: boolean;

  constructor(message: string, verbatim = false) {
    super(message);
    this.verbatim = verbatim;
  }
}

export type Check<T> = (value: unknown, path: string) => T;
export type Checked<C> = C extends Check<infer T> ? T : never;

function fail(path: string, expected: string): never {
  throw new Mismatch(`${path} must be ${expected}`);
}

export const anything: Check<unknown> = (value) => value;

/** A string. `max` counts code points, not UTF-16 units. */
export function text(limits: { min?: number; max?: number; tooLong?: string } = {}): Check<string> {
  return (value, path) => {
    if (typeof value !== "string") fail(path, "a text");
    const length = [...value].length;
    if (length < (limits.min ?? 0)) fail(path, "a text that is not empty");
    if (limits.max !== undefined && length > limits.max) {
      if (limits.tooLong) throw new Mismatch(limits.tooLong, true);
      fail(path, `at most ${limits.max} characters`);
    }
    return value;
  };
}

/** A string that matches a regular expression; `wanted` describes the expected form. */
export function pattern(expression: RegExp, expected: string): Check<string> {
  return (value, path) => (typeof value === "string" && expression.test(value) ? value : fail(path, expected));
}

/** Whole numbers as a string, as JSON carries amounts that may exceed 2^53. No sign, no fraction. */
export const digits = pattern(/^(0|[1-9][0-9]{0,38})$/, "a whole number in digits");
export const hex = pattern(/^([0-9a-fA-F]{2})+$/, "hexadecimal");
export const txid = pattern(/^[0-9a-fA-F]{64}$/, "a transaction id of 64 hexadecimal digits");
export const base64 = pattern(/^[A-Za-z0-9+/]+={0,2}$/, "base64");

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Check<number> {
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
      ? (value as number)
      : fail(path, `a whole number from ${min}`);
}

/** Any number except NaN and the infinities. */
export const number: Check<number> = (value, path) =>
  typeof value === "number" && Number.isFinite(value) ? value : fail(path, "a number");

/** A check with an additional rule; `wanted` describes the rule. */
export function refine<T>(inner: Check<T>, holds: (value: T) => boolean, expected: string): Check<T> {
  return (value, path) => {
    const checked = inner(value, path);
    return holds(checked) ? checked : fail(path, expected);
  };
}

/** The first of two checks that accepts the value. If both fail, the second one's error is thrown. */
export function union<A, B>(first: Check<A>, second: Check<B>): Check<A | B> {
  return (value, path) => {
    try {
      return first(value, path);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      return second(value, path);
    }
  };
}

export const flag: Check<boolean> = (value, path) => (typeof value === "boolean" ? value : fail(path, "true or false"));

export function oneOf<const T extends readonly (string | boolean)[]>(...allowed: T): Check<T[number]> {
  return (value, path) =>
    allowed.includes(value as T[number]) ? (value as T[number]) : fail(path, `one of ${allowed.join(", ")}`);
}

export function optional<T>(inner: Check<T>): Check<T | undefined> {
  return (value, path) => (value === undefined ? undefined : inner(value, path));
}

/** Treats null and undefined as absent and returns null. */
export function nullable<T>(inner: Check<T>): Check<T | null> {
  return (value, path) => (value === undefined || value === null ? null : inner(value, path));
}

/** The params of a method without params. */
export const noParams: Check<null> = (value, path) =>
  value === undefined || value === null ? null : fail(path, "left out");

export function list<T>(inner: Check<T>, min = 0): Check<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) fail(path, "a list");
    if (value.length < min) fail(path, `a list of at least ${min}`);
    return value.map((item, i) => inner(item, `${path}[${i}]`));
  };
}

/** An object used as a map. Every key and every value is checked. */
export function map<T>(inner: Check<T>): Check<Record<string, T>> {
  return (value, path) => {
    const entries = Object.entries(asObject(value, path));
    return Object.fromEntries(entries.map(([key, item]) => [key, inner(item, `${path}.${key}`)]));
  };
}

type Shape = Record<string, Check<unknown>>;
type OptionalKeys<S extends Shape> = { [K in keyof S]: undefined extends Checked<S[K]> ? K : never }[keyof S];
type Shaped<S extends Shape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: Checked<S[K]> } & {
  [K in OptionalKeys<S>]?: Checked<S[K]>;
};

/** An object with these fields. The result has these fields only. */
export function object<S extends Shape>(shape: S): Check<Shaped<S>> {
  return (value, path) => {
    const record = asObject(value, path);
    const result: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(shape)) {
      const checked = inner(record[key], `${path}.${key}`);
      if (checked !== undefined) result[key] = checked;
    }
    return result as Shaped<S>;
  };
}

function asObject(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail(path, "an object");
  return value as Record<string, unknown>;
}
