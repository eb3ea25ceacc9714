import type { Unit } from "../api/wallet.ts";
import { formatRunesExact } from "../lib/format.ts";
import { text } from "../lib/text.ts";
import type { Row } from "../ui/SelectList.tsx";

/** The Unstake list: PENDING_STAKE, off, counting down to the epoch's end, and STAKED. */
export function unstakeRows(units: readonly Unit[], token: string, epochEnd: number): Row[] {
  return units.flatMap((unit): Row[] => {
    if (unit.stage !== "PENDING_STAKE" && unit.stage !== "STAKED") return [];
    const pending = unit.stage === "PENDING_STAKE";
    return [
      {
        id: unit.id,
        weight: unit.runes,
        primary: `${formatRunesExact(unit.runes)} ${token}`,
        chip: unit.virtual ? text.unit.reward : text.unit.stake,
        label: label(unit, pending),
        look: unit.contested ? "locked" : pending ? "waiting" : "ready",
        selectable: !pending && !unit.contested,
        until: pending && !unit.contested && Number.isFinite(epochEnd) ? epochEnd : null,
        opens: null,
      },
    ];
  });
}

function label(unit: Unit, pending: boolean): string {
  if (unit.contested) return text.unit.contested;
  if (!pending) return text.unstake.staked;
  return unit.eligibleEpoch === null ? text.unstake.pending : text.unstake.pendingFrom(unit.eligibleEpoch);
}
