/** Confirmations that a deposit needs before an epoch starts, to earn in it. */
export const QUALIFYING = 3;

/** Twice the usual time between blocks: they rarely take longer on average. */
const CONFIRMATION_MS = 20 * 60_000;
/** Where epochs are short, on a dev network, blocks come faster too. */
const EPOCH_PARTS = 12;

/** What the prediction needs to know of the running epoch. */
export interface Boundary {
  epoch: number;
  /** When it ends, in milliseconds since 1970. */
  end: number;
  seconds: number;
  /** Whether the block that starts it is in the ledger. */
  begun: boolean;
}

/**
 * The epoch from which a deposit with so many confirmations is likely to earn. A deposit needs three confirmations
 * before an epoch starts, so one that comes shortly before the boundary is likely to miss it.
 */
export function likelyEpoch({ epoch, end, seconds, begun }: Boundary, confirmations: number, now: number): number {
  const missing = Math.max(0, QUALIFYING - confirmations);
  // No block after the boundary yet: the confirmations of now are those that count.
  if (!begun) return missing === 0 ? epoch : epoch + 1;
  const wait = missing * Math.min(CONFIRMATION_MS, (seconds * 1000) / EPOCH_PARTS);
  return now + wait <= end ? epoch + 1 : epoch + 2;
}

/** When an epoch starts, by the end of the running one. */
export function startOf({ epoch, end, seconds }: Boundary, wanted: number): number {
  return end + (wanted - epoch - 1) * seconds * 1000;
}
