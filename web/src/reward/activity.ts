import type { Entry } from "../api/history.ts";

/** Something that happened to a wallet, told once. */
export interface Deed extends Entry {
  /** How many units moved in it; `runes` are those of all of them. */
  units: number;
}

/**
 * What an order's units do when it moves. `told`: runes change hands in it; `quiet`: they only stay locked under
 * another word.
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
 * The journal as a person tells it, newest first like the journal. It has one posting for an order that moves
 * and one for each of its units; an order and its units are one deed, and so are units that moved together.
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
 * What was posted at one time, oldest first. An order moves before its units do; it is created after they were locked
 * for it.
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

/** Units that moved in the same way at the same time. A deposit's transaction is worth a row of its own. */
function together(deed: Deed, entry: Entry): boolean {
  if (deed.runes === null || entry.runes === null || deed.kind !== entry.kind || deed.epoch !== entry.epoch)
    return false;
  return deed.txid === entry.txid || ofOrder[entry.kind] !== undefined;
}
