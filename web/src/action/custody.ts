import type { Unit } from "../api/wallet.ts";
import { text } from "../lib/text.ts";

/** Who can move a unit, in a word. */
export function custodyOf({ virtual, custody }: Pick<Unit, "virtual" | "custody">): string {
  if (virtual) return text.unit.reward;
  return custody === "self" ? text.unit.self : text.unit.operator;
}
