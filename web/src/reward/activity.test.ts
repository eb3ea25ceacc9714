// @vitest-environment node
import { expect, it } from "vitest";
import type { Entry } from "../api/history.ts";
import { activitiesOf } from "./activity.ts";

/** Builds a journal from postings in chronological order, and returns it newest first: [time, kind, changes]. */
function journal(...postings: [date: number, kind: string, change?: Partial<Entry>][]): Entry[] {
  const none = { runes: null, sats: null, txid: null, orderId: null, epoch: null, text: "" };
  return postings.map(([date, kind, change], id) => ({ ...none, id, date, kind, ...change })).toReversed();
}
const order = { orderId: "a" };
const summaries = (entries: Entry[]) =>
  activitiesOf(entries).map(({ kind, runes, sats, units, txid }) => [kind, runes ?? sats, units, txid]);

it("merges an order with its units, from its creation to its delivery", () => {
  const claim = journal(
    [1, "CLAIM_ORDERED", { runes: 3n }],
    [1, "CLAIM_ORDERED", { runes: 4n }],
    [1, "PROOF_ACCEPTED", order],
    [2, "PAYMENT_SEEN", { ...order, sats: 1_000n }],
    [3, "FIRST_PAYMENT_SEEN", order],
    [4, "PAID_IN_FULL", order],
    [4, "PAYMENT_COMPLETE", { runes: 3n }],
    [4, "PAYMENT_COMPLETE", { runes: 4n }],
    [5, "PAYOUT_SIGNED_AND_STORED", { ...order, txid: "p" }],
    [6, "PAYOUT_CONFIRMED", { ...order, txid: "p" }],
    [6, "PAYOUT_CONFIRMED", { runes: 3n, txid: "p" }],
    [6, "PAYOUT_CONFIRMED", { runes: 4n, txid: "p" }],
  );
  expect(summaries(claim)).toEqual([
    ["PAYOUT_CONFIRMED", 7n, 2, "p"],
    ["PAYOUT_SIGNED_AND_STORED", null, 0, "p"],
    ["PAID_IN_FULL", null, 0, null],
    ["FIRST_PAYMENT_SEEN", null, 0, null],
    ["PAYMENT_SEEN", 1_000n, 0, null],
    ["CLAIM_ORDERED", 7n, 2, null],
  ]);
  expect(activitiesOf(claim).at(-1)!.orderId).toBe("a");
});

it("keeps the orders of one payout separate, and shows the payout's transaction", () => {
  const withdrawals = journal(
    [1, "PAYOUT_CONFIRMED", { ...order, txid: "p" }],
    [1, "PAYOUT_CONFIRMED", { runes: 1n, txid: "d1" }],
    [1, "PAYOUT_CONFIRMED", { runes: 2n, txid: "d2" }],
    [1, "PAYOUT_CONFIRMED", { orderId: "b", txid: "p" }],
    [1, "PAYOUT_CONFIRMED", { runes: 8n, txid: "d3" }],
  );
  expect(summaries(withdrawals)).toEqual([
    ["PAYOUT_CONFIRMED", 8n, 1, "p"],
    ["PAYOUT_CONFIRMED", 3n, 2, "p"],
  ]);
});

it("merges a closed order with its released runes and keeps its sats separate", () => {
  const closed = journal(
    [1, "WEEK_OVER__TOO_LITTLE_RECEIVED_TO_REFUND", order],
    [1, "SATS_ABANDONED", { ...order, sats: 300n }],
    [1, "ORDER_CLOSED", { runes: 5n, txid: "d" }],
  );
  expect(summaries(closed)).toEqual([
    ["SATS_ABANDONED", 300n, 0, null],
    ["WEEK_OVER__TOO_LITTLE_RECEIVED_TO_REFUND", 5n, 1, null],
  ]);
});

it("sums units of one signature and keeps deposits and epochs separate", () => {
  const moves = journal(
    [1, "DEPOSITED", { runes: 1n, txid: "d1" }],
    [1, "DEPOSITED", { runes: 2n, txid: "d2" }],
    [2, "REWARDED", { runes: 1n, epoch: 1 }],
    [2, "REWARDED", { runes: 1n, epoch: 2 }],
    [3, "COMPOUND", { runes: 1n }],
    [3, "COMPOUND", { runes: 1n }],
    [4, "COMPOUND", { runes: 9n }],
  );
  expect(summaries(moves).map(([kind, runes]) => [kind, runes])).toEqual([
    ["COMPOUND", 9n],
    ["COMPOUND", 2n],
    ["REWARDED", 1n],
    ["REWARDED", 1n],
    ["DEPOSITED", 2n],
    ["DEPOSITED", 1n],
  ]);
});

it("shows units unmerged if the order's entry is on the next page", () => {
  const page = journal(
    [1, "PAYOUT_CONFIRMED", order],
    [1, "PAYOUT_CONFIRMED", { runes: 3n }],
    [1, "PAYOUT_CONFIRMED", { runes: 4n }],
  ).slice(0, 2);
  expect(summaries(page)).toEqual([["PAYOUT_CONFIRMED", 7n, 2, null]]);
  expect(activitiesOf([])).toEqual([]);
});
