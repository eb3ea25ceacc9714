import type { WalletFields } from "../api/client.ts";
import { useUnits, type Unit } from "../api/wallet.ts";
import { text } from "../lib/text.ts";

/** Who can move a unit, in a word. */
export function custodyOf({ virtual, custody }: Pick<Unit, "virtual" | "custody">): string {
  if (virtual) return text.unit.reward;
  return custody === "self" ? text.unit.self : text.unit.operator;
}

/** Whether some of a wallet's units are in self-custody: their owner signs the delivery of a paid order. */
export function useHasSelf(wallet: WalletFields | null, ids: readonly string[]): boolean {
  const units = useUnits(wallet).data ?? [];
  return units.some(({ id, custody }) => custody === "self" && ids.includes(id));
}
