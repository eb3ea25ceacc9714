// @vitest-environment node
import { describe, expect, it } from "vitest";
import { likelyEpoch, startOf } from "./eligibility.ts";

const MINUTE = 60_000;
const WEEK = 7 * 86_400;
const END = Date.parse("2026-12-02T00:00:00Z");
const running = { epoch: 7, end: END, seconds: WEEK, begun: true };

describe("the epoch from which a deposit likely earns", () => {
  it.each([
    ["days before the boundary", 3 * 24 * 60, 0, 8],
    ["an hour before it", 60, 0, 8],
    ["less than an hour before it", 59, 0, 9],
    ["with one confirmation, 40 minutes before it", 40, 1, 8],
    ["with one confirmation, 39 minutes before it", 39, 1, 9],
    ["with three confirmations, a minute before it", 1, 3, 8],
    ["with many confirmations", 1, 500, 8],
  ])("%s", (_, minutes, confirmations, epoch) => {
    expect(likelyEpoch(running, confirmations, END - minutes * MINUTE)).toBe(epoch);
  });

  it("moves on when the epoch ends before the three confirmations", () => {
    // The clock has passed the boundary, but the server still reports the previous epoch.
    expect(likelyEpoch(running, 2, END + 1)).toBe(9);
    const after = { ...running, epoch: 8, end: END + WEEK * 1000 };
    // No block after the boundary yet: a third confirmation would come too late.
    expect(likelyEpoch({ ...after, begun: false }, 2, END + 1)).toBe(9);
    expect(likelyEpoch({ ...after, begun: false }, 3, END + 1)).toBe(8);
    expect(likelyEpoch(after, 2, END + 10 * MINUTE)).toBe(9);
  });

  it("assumes faster blocks in short epochs", () => {
    const short = { ...running, seconds: 600 };
    expect(likelyEpoch(short, 0, END - 3 * MINUTE)).toBe(8);
    expect(likelyEpoch(short, 0, END - 2 * MINUTE)).toBe(9);
  });
});

it("an epoch starts whole epochs after the running one ends", () => {
  expect(startOf(running, 8)).toBe(END);
  expect(startOf(running, 9)).toBe(END + WEEK * 1000);
});
