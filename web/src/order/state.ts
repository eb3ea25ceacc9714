import { isOpen, type Order, type OrderStatus } from "../api/orders.ts";
import { toFullDecimal } from "../lib/amount.ts";

/** What the dialog shows: details to pay, "all paid", the re-rate button, or a closed order's true state. */
export type Phase = "pay" | "complete" | "rerate" | "closed";

export function phaseOf(order: Pick<Order, "status" | "due">): Phase {
  if (order.status === "PENDING_RERATE") return "rerate";
  if (!isOpen(order.status)) return "closed";
  return order.due === 0n ? "complete" : "pay";
}

const PENDING_MS = 30 * 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** Until when an order can be paid: 30 minutes after its rate while nothing was seen, a week once something was. */
export function deadlineOf(order: Pick<Order, "status" | "deadline" | "rateDate">): number {
  return order.deadline ?? order.rateDate + (order.status === "PENDING" ? PENDING_MS : WEEK_MS);
}

/** Until when its price is fixed. */
export function rateEnd(order: Pick<Order, "rateDate">): number {
  return order.rateDate + PENDING_MS;
}

/** BIP-21: what a QR code hands to a wallet. */
export function paymentURI(address: string, sats: bigint, label: string, message: string): string {
  const query = [
    `amount=${toFullDecimal(sats)}`,
    `label=${encodeURIComponent(label)}`,
    `message=${encodeURIComponent(message)}`,
  ];
  return `bitcoin:${address}?${query.join("&")}`;
}

/** The last stage of an order. */
export const DELIVERED = 3;

/** How far along created → paid → sent → delivered an order is: 0 to 3; null when it left that way. */
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
