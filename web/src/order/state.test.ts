import { describe, expect, it } from "vitest";
import { readOrder } from "../api/orders.ts";
import { economyOrder, oneTxOrder, paidOrder } from "../testing/wire.ts";
import { deadlineOf, dueOf, estimatedDifference, paymentURI, phaseOf, rateEnd, stageOf } from "./state.ts";

describe("an order's phase", () => {
  it.each([
    ["PENDING", 10n, "pay"],
    ["CONFIRMED", 10n, "pay"],
    ["CONFIRMED", 0n, "complete"],
    ["PENDING_RERATE", 10n, "rerate"],
    ["PAID", 0n, "closed"],
    ["SENT", 0n, "closed"],
    ["DELIVERED", 0n, "closed"],
    ["CONSOLIDATED", 0n, "closed"],
    ["CANCELED", 10n, "closed"],
    ["EXPIRED", 10n, "closed"],
    ["INVALID", 10n, "closed"],
    ["AUDIT", 10n, "closed"],
  ] as const)("%s with %s due: %s", (status, due, phase) =>
    expect(phaseOf({ status, due, economy: null, oneTx: null, signUntil: null })).toBe(phase));
});

it("has the phase of an economy order that is paid", () => {
  const { economy } = readOrder(economyOrder());
  expect(phaseOf({ status: "PENDING", due: 10n, economy, oneTx: null, signUntil: null })).toBe("pay");
  expect(phaseOf({ status: "PAID", due: 0n, economy, oneTx: null, signUntil: null })).toBe("waits");
  expect(phaseOf({ status: "SENT", due: 0n, economy, oneTx: null, signUntil: null })).toBe("closed");
});

it("has the phase of a paid order whose owner signs its delivery", () => {
  const paid = readOrder(paidOrder());
  expect(phaseOf(paid)).toBe("sign");
  expect(phaseOf({ ...paid, economy: readOrder(economyOrder()).economy })).toBe("sign");
  const { oneTx } = readOrder(oneTxOrder({ state: "signed" }));
  expect(phaseOf({ ...paid, oneTx, signUntil: null })).toBe("signed");
  expect(phaseOf({ ...paid, oneTx, signUntil: null, status: "SENT" })).toBe("replaceable");
});

it("has the amount and the deadline of the difference of a paid economy order", () => {
  const order = readOrder(economyOrder());
  expect(dueOf(order)).toBe(0n);
  // (2,108 + 435) sats at 2.5 sat/vB are three times as much at 7.5 sat/vB, and one more payment has 58 vB.
  expect(estimatedDifference(order, order.economy!)).toBe(5_086n + 435n);
  expect(estimatedDifference(order, { ...order.economy!, networkRate: 2.4 })).toBe(0n);
  // Both parts are rounded up: 1.017… and 145.058 sats.
  expect(estimatedDifference(order, { ...order.economy!, networkRate: 2.501 })).toBe(2n + 146n);
  const difference = { rate: 7.5, total: 9_675n, due: 5_086n, until: 7, seen: false };
  const set = { ...order, economy: { ...order.economy!, difference } };
  expect(dueOf(set)).toBe(5_086n);
  expect(deadlineOf(set)).toBe(7);
  expect(dueOf({ ...set, status: "CONFIRMED", due: 3n })).toBe(3n);
});

it("has both deadlines and the end of the rate", () => {
  const none = { economy: null };
  expect(deadlineOf({ status: "PENDING", deadline: null, rateDate: 0, ...none })).toBe(30 * 60_000);
  expect(deadlineOf({ status: "CONFIRMED", deadline: null, rateDate: 0, ...none })).toBe(7 * 86_400_000);
  expect(deadlineOf({ status: "CONFIRMED", deadline: 5, rateDate: 0, ...none })).toBe(5);
  const { economy } = readOrder(economyOrder());
  const soon = { economy: { ...economy!, ends: 8 } };
  expect(deadlineOf({ status: "CONFIRMED", deadline: 9, rateDate: 0, ...soon })).toBe(8);
  expect(deadlineOf({ status: "CONFIRMED", deadline: 5, rateDate: 0, ...soon })).toBe(5);
  expect(rateEnd({ rateDate: 0 })).toBe(30 * 60_000);
});

it("builds a payment URI with 8 decimals, a label and a message", () => {
  expect(paymentURI("bc1q", 12_345n, "LOBO order & more", "Order 7")).toBe(
    "bitcoin:bc1q?amount=0.00012345&label=LOBO%20order%20%26%20more&message=Order%207",
  );
  expect(paymentURI("bc1q", 30n, "", "")).toContain("?amount=0.00000030&"); // never 3e-7
  expect(paymentURI("bc1q", 123_456_789_012n, "", "")).toContain("?amount=1234.56789012&"); // never 1,234
});

it("returns the stage of an order, or null", () => {
  expect(["PENDING", "PAID", "SENT", "DELIVERED", "CANCELED"].map((s) => stageOf(s as "PAID"))).toEqual([
    0,
    1,
    2,
    3,
    null,
  ]);
});
