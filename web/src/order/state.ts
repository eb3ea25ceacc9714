import { isCancelable, isOpen, type Economy, type Order, type OrderStatus, type Payment } from "../api/orders.ts";
import { sum, toBitcoin } from "../lib/amount.ts";

/**
 * What the dialog shows: payment details, "all paid", the re-rate button, a paid order whose owner signs its delivery,
 * a paid economy order, a transaction that the wallet signed and the server will sign, such a transaction while it can
 * be replaced, or the state of a closed order.
 */
export type Phase = "pay" | "complete" | "rerate" | "sign" | "waits" | "signed" | "replaceable" | "closed";

export function phaseOf(order: Pick<Order, "status" | "due" | "economy" | "oneTx" | "signUntil">): Phase {
  if (order.status === "PENDING_RERATE") return "rerate";
  if (order.signUntil !== null) return "sign";
  if (isCancelable(order.status) && order.oneTx?.state === "signed") return "signed";
  if (order.status === "SENT" && order.oneTx) return "replaceable";
  if (order.status === "PAID" && order.economy) return "waits";
  if (!isOpen(order.status)) return "closed";
  return order.due === 0n ? "complete" : "pay";
}

const PENDING_MS = 30 * 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Returns the sats of one more payment that completes the order, or makes a paid economy order a normal one. */
export function dueOf({ status, due, economy }: Pick<Order, "status" | "due" | "economy">): bigint {
  return status === "PAID" ? (economy?.difference?.due ?? 0n) : due;
}

/** The size of the input that spends one more payment, in vB. */
const INPUT_SIZE = 58n;

/**
 * Estimates the sats that a paid economy order costs more at the network's rate, with one more payment, rounded up. The
 * server sets the exact amount at the rate of the moment.
 */
export function estimatedDifference({ fees }: Pick<Order, "fees">, { rate, networkRate }: Economy): bigint {
  const paid = fees.network + fees.rutxos;
  const own = BigInt(Math.round(rate * 1000));
  const network = BigInt(Math.round(networkRate * 1000));
  return network > own ? (paid * (network - own) + own - 1n) / own + feeOf(INPUT_SIZE, networkRate) : 0n;
}

/**
 * Returns the payment deadline: 30 minutes after the rate without a payment, one week once a payment was seen, and for
 * a paid economy order the deadline of the difference. An economy order can end sooner, before one of its units can be
 * recovered.
 */
export function deadlineOf(order: Pick<Order, "status" | "deadline" | "rateDate" | "economy">): number {
  if (order.status === "PAID" && order.economy?.difference) return order.economy.difference.until;
  const deadline = order.deadline ?? order.rateDate + (order.status === "PENDING" ? PENDING_MS : WEEK_MS);
  return order.economy ? Math.min(deadline, order.economy.ends) : deadline;
}

/** Returns when the fixed price expires. */
export function rateEnd(order: Pick<Order, "rateDate">): number {
  return order.rateDate + PENDING_MS;
}

/** The size of a refund without its inputs, in vB, and the least that it pays out, in sats: order/refund.go. */
const REFUND_SIZE = 54n;
const LEAST_REFUND = 546n;

/**
 * Estimates what of an order's payments is lost and what is returned if it is canceled now. Payments that are worth no
 * more than the fee of spending them are lost, and all of them if too little would be left. Losses are rounded up.
 */
export function cancelLoss(
  payments: readonly Pick<Payment, "value">[],
  { fees, economy }: Pick<Order, "fees" | "economy">,
): { lost: bigint; returned: bigint } {
  const rate = Math.max(fees.rate, economy?.networkRate ?? 0);
  const worth = payments.map(({ value }) => value).filter((value) => value > feeOf(INPUT_SIZE, rate));
  const left = sum(worth) - feeOf(REFUND_SIZE + INPUT_SIZE * BigInt(worth.length), rate);
  const returned = left < LEAST_REFUND ? 0n : left;
  return { lost: sum(payments.map(({ value }) => value)) - returned, returned };
}

/** Returns the network fee of a size in vB at a rate in sat/vB, rounded up. */
function feeOf(size: bigint, rate: number): bigint {
  return (size * BigInt(Math.round(rate * 1000)) + 999n) / 1000n;
}

/** Returns a BIP-21 URI for the QR code. */
export function paymentURI(address: string, sats: bigint, label: string, message: string): string {
  const query = [
    `amount=${toBitcoin(sats)}`,
    `label=${encodeURIComponent(label)}`,
    `message=${encodeURIComponent(message)}`,
  ];
  return `bitcoin:${address}?${query.join("&")}`;
}

/** The last stage. */
export const DELIVERED = 3;

/** Returns the stage to show: an order that is paid in full is paid, though its payment is in no block yet. */
export function shownStage(order: Parameters<typeof phaseOf>[0]): number | null {
  return phaseOf(order) === "complete" ? 1 : stageOf(order.status);
}

/**
 * Returns the stage in created → paid → sent → delivered, 0 to 3; null if the order ended before its delivery.
 */
export function stageOf(status: OrderStatus): number | null {
  const stages: Partial<Record<OrderStatus, number>> = {
    PENDING: 0,
    CONFIRMED: 0,
    PENDING_RERATE: 0,
    PAID: 1,
    SENT: 2,
    DELIVERED,
    CONSOLIDATED: DELIVERED,
  };
  return stages[status] ?? null;
}
