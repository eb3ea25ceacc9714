import { isWaiting, statusText, type Order } from "../api/orders.ts";
import type { Stage, Unit } from "../api/wallet.ts";
import { formatDay, formatRunesExact } from "../lib/format.ts";
import { text } from "../lib/text.ts";
import { custodyOf } from "../action/custody.ts";
import type { Row } from "../ui/SelectList.tsx";

/** Label and countdown of each stage in the Withdraw list. Other stages are not listed. */
const stages: Partial<Record<Stage, { label: string; countdown: boolean }>> = {
  UNLOCKED: { label: text.withdraw.unlocked, countdown: false },
  PENDING_UNLOCK: { label: text.withdraw.pendingUnlock, countdown: true },
  PO_LOCKED: { label: text.withdraw.poLocked, countdown: true },
  BATCH_LOCKED: { label: text.withdraw.batchLocked, countdown: false },
  PENDING_WITHDRAW: { label: text.withdraw.pendingWithdraw, countdown: false },
};

/** Returns the Withdraw list: selectable unlocked units, and locked units that open their payment order. */
export function withdrawRows(units: readonly Unit[], orders: readonly Order[], token: string): Row[] {
  const byId = new Map(orders.map((order) => [order.id, order]));
  return units.flatMap((unit): Row[] => {
    const stage = stages[unit.stage];
    if (!stage) return [];
    const order = unit.orderId === null ? undefined : byId.get(unit.orderId);
    const paid = unit.stage === "PENDING_WITHDRAW" && order !== undefined && order.due === 0n;
    const signUntil = order?.signUntil ?? null;
    const hasOwnLabel = order !== undefined && (isWaiting(order) || signUntil !== null);
    const label = paid ? text.withdraw.paidUnconfirmed : hasOwnLabel ? statusText(order) : stage.label;
    const isFree = unit.stage === "UNLOCKED" && !unit.contested;
    return [
      {
        id: unit.id,
        runes: unit.runes,
        primary: `${formatRunesExact(unit.runes)} ${token}`,
        chip: custodyOf(unit),
        date: formatDay(unit.date),
        txid: unit.txid,
        label: unit.contested ? text.unit.contested : label,
        state: isFree ? "ready" : "locked",
        selectable: isFree,
        until: unit.contested ? null : stage.countdown ? unit.timeout : signUntil,
        opens: unit.orderId,
      },
    ];
  });
}
