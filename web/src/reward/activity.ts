import type { Entry } from "../api/history.ts";

/** An event in the wallet's history, merged from its journal entries. */
export interface Activity extends Entry {
  /** Number of units in the event; `runes` is their sum. */
  units: number;
}

/**
 * Unit entries that an order causes. `shown`: the entry names the runes that change hands; `hidden`: the units only
 * change their lock.
 */
const orderEntries: Record<string, "shown" | "hidden"> = {
  CLAIM_ORDERED: "shown",
  WITHDRAW_ORDERED: "shown",
  PAYOUT_CONFIRMED: "shown",
  PAYOUT_UNCONFIRMED: "shown",
  ORDER_CLOSED: "shown",
  PAYMENT_BEGUN: "hidden",
  PAYMENT_GONE: "hidden",
  PAYMENT_COMPLETE: "hidden",
  PAYMENT_UNDONE: "hidden",
  ORDER_RESUMED: "hidden",
};

/**
 * Merges journal entries into events, newest first. The journal has one entry for an order's change and one for each of
 * its units: an order and its units are one event, and so are units that changed together.
 */
export function activitiesOf(entries: readonly Entry[]): Activity[] {
  const activities: Activity[] = [];
  for (let from = 0, to = 0; from < entries.length; from = to) {
    while (to < entries.length && entries[to]!.date === entries[from]!.date) to++;
    activities.push(...mergeMoment(entries.slice(from, to).toReversed()).toReversed());
  }
  return activities;
}

/**
 * Merges the entries of one time, oldest first. An order's entry precedes the entries of its units, but a new order's
 * entry follows the locks of its units.
 */
function mergeMoment(entries: readonly Entry[]): Activity[] {
  const activities: Activity[] = [];
  let order: Activity | null = null;
  for (const entry of entries) {
    const last = activities.at(-1);
    const ordered = entry.kind.endsWith("_ORDERED");
    if (entry.kind === "PROOF_ACCEPTED" && last?.kind.endsWith("_ORDERED")) {
      order = last;
      order.orderId = entry.orderId;
    } else if (entry.runes !== null && order && !ordered && orderEntries[entry.kind]) {
      if (orderEntries[entry.kind] === "shown") add(order, entry.runes);
    } else if (last && isSameChange(last, entry)) {
      add(last, entry.runes!);
    } else {
      const activity = { ...entry, units: entry.runes === null ? 0 : 1 };
      activities.push(activity);
      if (entry.orderId !== null && entry.runes === null && entry.sats === null) order = activity;
    }
  }
  return activities;
}

function add(activity: Activity, runes: bigint): void {
  activity.runes = (activity.runes ?? 0n) + runes;
  activity.units += 1;
}

/** Reports whether a unit changed in the same way at the same time. Each deposit transaction keeps its own row. */
function isSameChange(activity: Activity, entry: Entry): boolean {
  if (activity.runes === null || entry.runes === null || activity.kind !== entry.kind || activity.epoch !== entry.epoch)
    return false;
  return activity.txid === entry.txid || orderEntries[entry.kind] !== undefined;
}
