import { fetchText } from "./source.ts";

/** How a community shows amounts of its rune. Its server says so; nothing signs it. */
export interface Tokens {
  community: string;
  /** The rune's id. */
  rune: string;
  name: string;
  decimals: number;
}

/** The most decimals of a rune. */
const MAX_DECIMALS = 38;

/** Fetches the tokens of the community that publishes statements at an address; null if its server does not say. */
export async function fetchTokens(statements: string): Promise<Tokens | null> {
  try {
    const { data } = JSON.parse(await fetchText(statements.replace(/statements$/, "community"))) as {
      data: { prefix?: unknown; rune_id?: unknown; token?: unknown; divisibility?: unknown };
    };
    const { prefix: community, rune_id: rune, token: name, divisibility: decimals } = data;
    if (typeof community !== "string" || typeof rune !== "string" || typeof name !== "string") return null;
    const isValid = typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0;
    return isValid && decimals <= MAX_DECIMALS ? { community, rune, name, decimals } : null;
  } catch {
    return null;
  }
}

/** Returns base units in tokens, with all decimals: "1,234.5 LOBO". */
export function inTokens(amount: bigint, { name, decimals }: Tokens, language: string): string {
  const digits = amount.toString().padStart(decimals + 1, "0");
  const at = digits.length - decimals;
  const decimal = `${digits.slice(0, at)}.${digits.slice(at)}` as Intl.StringNumericLiteral;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: decimals }).format(decimal)} ${name}`;
}
