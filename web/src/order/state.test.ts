import { describe, expect, it } from "vitest";
import { deadlineOf, paymentURI, phaseOf, rateEnd, stageOf } from "./state.ts";

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
  ] as const)("%s with %s due: %s", (status, due, phase) => expect(phaseOf({ status, due })).toBe(phase));
});

it("has both deadlines and the end of the rate", () => {
  expect(deadlineOf({ status: "PENDING", deadline: null, rateDate: 0 })).toBe(30 * 60_000);
  expect(deadlineOf({ status: "CONFIRMED", deadline: null, rateDate: 0 })).toBe(7 * 86_400_000);
  expect(deadlineOf({ status: "CONFIRMED", deadline: 5, rateDate: 0 })).toBe(5);
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
