/** A value with one change, and the description of the change. */
export type Variant = [change: string, value: unknown];

const HTML = "<!doctype html><html><body>502 Bad Gateway</body></html>";
const ALIKE = 3;
/** More entries than a wallet can have. */
const MANY = 10_000;

/** Wrong values for a field of any type. */
const STRANGE: readonly (readonly [string, unknown])[] = [
  ["null", null],
  ["empty", ""],
  ["a number", 7.5],
  ["negative", -1],
  ["1e+21", "1e+21"],
  ["1e21 as a number", 1e21],
  ["HTML", HTML],
  ["an object", { moon: "dust" }],
  ["a list", ["dust"]],
  ["true", true],
];

/**
 * Returns the value with each of its fields, at any depth, removed, set to null, retyped and enlarged, including the
 * value itself.
 */
export function variantsOf(value: unknown): Variant[] {
  return at(value, "answer");
}

function at(value: unknown, path: string): Variant[] {
  const own: Variant[] = [...STRANGE, ...retyped(value), ...enlarged(value)].map(([name, strange]) => [
    `${path} is ${name}`,
    strange,
  ]);
  if (Array.isArray(value)) {
    // The entries of a long list are alike.
    const inner = value
      .slice(0, ALIKE)
      .flatMap((item, i) =>
        at(item, `${path}[${i}]`).map(([name, changed]): Variant => [name, value.with(i, changed)]),
      );
    return [...own, ...inner];
  }
  if (typeof value !== "object" || value === null) return own;
  const record = value as Record<string, unknown>;
  return [
    ...own,
    ...Object.keys(record).flatMap((key): Variant[] => {
      const { [key]: inner, ...rest } = record;
      const changes = at(inner, `${path}.${key}`).map(([name, changed]): Variant => [
        name,
        { ...record, [key]: changed },
      ]);
      return [[`${path}.${key} removed`, rest], ...changes];
    }),
  ];
}

/** The same meaning in another type. */
function retyped(value: unknown): Variant[] {
  if (typeof value === "number") return [["a text", String(value)]];
  return typeof value === "string" && /^\d+$/.test(value) ? [["a number of the same value", Number(value)]] : [];
}

function enlarged(value: unknown): Variant[] {
  if (Array.isArray(value))
    return [["10,000 odd entries more", [...value, ...Array.from({ length: MANY }, (_, i) => ({ moon: i }))]]];
  return typeof value === "string" ? [["far too long", value.repeat(Math.ceil(MANY / Math.max(1, value.length)))]] : [];
}
