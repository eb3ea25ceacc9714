import { isOpen, type Order, type OrderStatus } from "../api/orders.ts";
import { toFullDecimal } from "../lib/amount.ts";

/** What the dialog shows: payment details, "all paid", the re-rate button, or the state of a closed order. */
export type Phase = "pay" | "complete" | "rerate" | "closed";

export function phaseOf(order: Pick<Order, "status" | "due">): Phase {
  if (order.status === "PENDING_RERATE") return "rerate";
  if (!isOpen(order.status)) return "closed";
  return order.due === 0n ? "complete" : "pay";
}

const PENDING_MS = 30 * 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Returns the payment deadline: 30 minutes after the rate without a payment, one week once a payment was seen. */
export function deadlineOf(order: Pick<Order, "status" | "deadline" | "rateDate">): number {
  return order.deadline ?? order.rateDate + (order.status === "PENDING" ? PENDING_MS : WEEK_MS);
}

/** Returns when the fixed price expires. */
export function rateEnd(order: Pick<Order, "rateDate">): number {
  return order.rateDate + PENDING_MS;
}

/** Returns a BIP-21 URI for the QR code. */
export function paymentURI(address: string, sats: bigint, label: string, message: string): string {
  const query = [
    `amount=${toFullDecimal(sats)}`,
    `label=${encodeURIComponent(label)}`,
    `message=${encodeURIComponent(message)}`,
  ];
  return `bitcoin:${address}?${query.join("&")}`;
}

/** The last stage. */
export const DELIVERED = 3;

/**
 * Returns the stage in created → paid → sent → delivered, 0 to 3; null if the order ended before
 * its delivery.
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
