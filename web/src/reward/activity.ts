import type { Entry } from "../api/history.ts";

/** An event in the wallet's history, merged from its journal entries. */
export interface Deed extends Entry {
  /** Number of units in the event; `runes` is their sum. */
  units: number;
}

/**
 * Unit entries that an order causes. `told`: the entry names the runes that change hands; `quiet`: the units only
 * change their lock.
 */
const ofOrder: Record<string, "told" | "quiet"> = {
  CLAIM_ORDERED: "told",
  WITHDRAW_ORDERED: "told",
  PAYOUT_CONFIRMED: "told",
  PAYOUT_UNCONFIRMED: "told",
  ORDER_CLOSED: "told",
  PAYMENT_BEGUN: "quiet",
  PAYMENT_GONE: "quiet",
  PAYMENT_COMPLETE: "quiet",
  PAYMENT_UNDONE: "quiet",
  ORDER_RESUMED: "quiet",
};

/**
 * Merges journal entries into events, newest first. The journal has one entry for an order's change and one for each of
 * its units: an order and its units are one event, and so are units that changed together.
 */
export function deedsOf(entries: readonly Entry[]): Deed[] {
  const deeds: Deed[] = [];
  for (let from = 0, to = 0; from < entries.length; from = to) {
    while (to < entries.length && entries[to]!.date === entries[from]!.date) to++;
    deeds.push(...moment(entries.slice(from, to).toReversed()).toReversed());
  }
  return deeds;
}

/**
 * Merges the entries of one time, oldest first. An order's entry precedes those of its units, except that a new order
 * follows the locks of its units.
 */
function moment(entries: readonly Entry[]): Deed[] {
  const deeds: Deed[] = [];
  let order: Deed | null = null;
  for (const entry of entries) {
    const last = deeds.at(-1);
    const ordered = entry.kind.endsWith("_ORDERED");
    if (entry.kind === "PROOF_ACCEPTED" && last?.kind.endsWith("_ORDERED")) {
      order = last;
      order.orderId = entry.orderId;
    } else if (entry.runes !== null && order && !ordered && ofOrder[entry.kind]) {
      if (ofOrder[entry.kind] === "told") add(order, entry.runes);
    } else if (last && together(last, entry)) {
      add(last, entry.runes!);
    } else {
      const deed = { ...entry, units: entry.runes === null ? 0 : 1 };
      deeds.push(deed);
      if (entry.orderId !== null && entry.runes === null && entry.sats === null) order = deed;
    }
  }
  return deeds;
}

function add(deed: Deed, runes: bigint): void {
  deed.runes = (deed.runes ?? 0n) + runes;
  deed.units += 1;
}

/** Reports whether a unit changed in the same way at the same time. Each deposit transaction keeps its own row. */
function together(deed: Deed, entry: Entry): boolean {
  if (deed.runes === null || entry.runes === null || deed.kind !== entry.kind || deed.epoch !== entry.epoch)
    return false;
  return deed.txid === entry.txid || ofOrder[entry.kind] !== undefined;
}
