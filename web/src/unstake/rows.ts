import type { Expectation } from "../api/running.ts";
import type { Unit } from "../api/wallet.ts";
import { formatDay, formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { custodyOf } from "../action/custody.ts";
import type { Row } from "../ui/SelectList.tsx";

/**
 * Returns the Unstake list: STAKED units, and disabled PENDING_STAKE units that count down to their first earning
 * epoch.
 */
export function unstakeRows(units: readonly Unit[], token: string, expected: Expectation | null): Row[] {
  return units.flatMap((unit): Row[] => {
    if (unit.stage !== "PENDING_STAKE" && unit.stage !== "STAKED") return [];
    const pending = unit.stage === "PENDING_STAKE";
    const epoch = unit.eligibleEpoch ?? expected?.epochOf(unit.height) ?? null;
    const start = epoch === null || expected === null ? Number.NaN : expected.startOf(epoch);
    return [
      {
        id: unit.id,
        runes: unit.runes,
        primary: `${formatRunesExact(unit.runes)} ${token}`,
        chip: custodyOf(unit),
        date: formatDay(unit.date),
        txid: unit.txid,
        label: unit.contested ? text.unit.contested : pending ? pendingLabel(unit, epoch) : text.unstake.staked,
        state: unit.contested ? "locked" : pending ? "waiting" : "ready",
        selectable: !pending && !unit.contested,
        until: pending && !unit.contested && Number.isFinite(start) ? start : null,
        opens: null,
      },
    ];
  });
}

function pendingLabel(unit: Unit, epoch: number | null): string {
  if (epoch === null) return text.unstake.pending;
  return unit.eligibleEpoch === null ? later.start.pendingLikely(epoch) : text.unstake.pendingFrom(epoch);
}
