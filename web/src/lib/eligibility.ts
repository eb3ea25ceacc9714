/** Confirmations that a deposit needs before an epoch starts to earn in that epoch. */
export const QUALIFYING = 3;

/** Twice the usual time between blocks: the average of three blocks is rarely longer. */
const CONFIRMATION_MS = 20 * 60_000;
/** On a dev network with short epochs, blocks are faster too. */
const EPOCH_PARTS = 12;

/** The input of the prediction: the running epoch. */
export interface Boundary {
  epoch: number;
  /** End of the epoch, in milliseconds since 1970. */
  end: number;
  seconds: number;
  /** Whether the ledger has processed the block that starts the epoch. */
  begun: boolean;
}

/**
 * Returns the first epoch in which a deposit with `confirmations` is likely to earn. A deposit needs three
 * confirmations before an epoch starts, so a deposit shortly before the boundary is likely to miss it.
 */
export function likelyEpoch({ epoch, end, seconds, begun }: Boundary, confirmations: number, now: number): number {
  const missing = Math.max(0, QUALIFYING - confirmations);
  // No block after the boundary yet: the current confirmations count.
  if (!begun) return missing === 0 ? epoch : epoch + 1;
  const delay = missing * Math.min(CONFIRMATION_MS, (seconds * 1000) / EPOCH_PARTS);
  return now + delay <= end ? epoch + 1 : epoch + 2;
}

/** Returns when the epoch `wanted` starts, computed from the end of the running epoch. */
export function startOf({ epoch, end, seconds }: Boundary, wanted: number): number {
  return end + (wanted - epoch - 1) * seconds * 1000;
}
