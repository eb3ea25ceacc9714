import { describe, expect, it } from "vitest";
import { UNIT } from "./amount.ts";
import { costPerToken, costShare, estimateOf, lostRewardOf, rewardOf } from "./rewards.ts";

const WEEK = 7 * 86_400;

describe("what a stake earns", () => {
  it("is its share of the budget, rounded down", () => {
    expect(rewardOf(100_000n, 1n, 3n)).toBe(33_333n);
    expect(rewardOf(100_000n, 3n, 3n)).toBe(100_000n);
  });

  it("is lost, rounded up", () => {
    expect(lostRewardOf(100_000n, 1n, 3n)).toBe(33_334n);
    expect(lostRewardOf(100_000n, 3n, 3n)).toBe(100_000n);
    expect(lostRewardOf(0n, 1n, 3n)).toBe(0n);
    expect(lostRewardOf(100_000n, 0n, 0n)).toBe(0n);
  });

  it("is exact above 2^53", () => {
    const supply = 9_223_372_036_854_775_807n;
    expect(rewardOf(supply, supply, supply)).toBe(supply);
  });

  it("is 0 without stake", () => {
    expect(rewardOf(100_000n, 0n, 0n)).toBe(0n);
  });
});

describe("the estimate of what a stake would earn", () => {
  const basis = { budget: 700n * UNIT, total: 6_000n * UNIT, own: 0n, seconds: WEEK };
  const stake = 1_000n * UNIT;

  it("adds the stake to the total, and multiplies by the epochs of a year of 365 days, without decimals", () => {
    expect(estimateOf(stake, basis)).toEqual({
      reward: 100n * UNIT,
      year: 5_214n * UNIT, // 52 weeks and a day: 5,214.28
      isMore: false,
      rate: "5.214285",
      share: "0.142857",
    });
  });

  it("keeps the decimals of less than one token", () => {
    expect(estimateOf(UNIT / 1_000n, basis)!.year).toBe(608_333n); // 0.1166 for each token and week
  });

  it("has the rate of the exact amount, whatever the stake", () => {
    const little = { ...basis, budget: UNIT / 4n };
    for (const part of [1_000n, 1n]) {
      expect(estimateOf(UNIT * part, { ...little, total: (7_000n - part) * UNIT })!.rate).toBe("0.001862");
    }
    expect(estimateOf(0n, little)).toMatchObject({ year: 0n, rate: "0.002172" });
  });

  it("says nothing about a year of epochs that are shorter than a day, or ended by hand", () => {
    for (const seconds of [0, 180, 86_399]) expect(estimateOf(stake, { ...basis, seconds })!.year).toBeNull();
    expect(estimateOf(stake, { ...basis, budget: 7n * UNIT, seconds: 86_400 })!.year).toBe(365n * UNIT);
  });

  it("says nothing if nobody else stakes", () => {
    expect(estimateOf(stake, { ...basis, total: 0n })).toBeNull();
    expect(estimateOf(stake, { ...basis, own: basis.total })).toBeNull();
    expect(estimateOf(stake, { ...basis, own: basis.total - 1n })).toEqual(estimateOf(stake, basis));
  });

  it("ends at ten times the stake, and is exact above 2^53", () => {
    const supply = 2_100_000_000n * UNIT * UNIT;
    expect(estimateOf(stake, { ...basis, budget: supply })).toMatchObject({
      year: 10_000n * UNIT,
      isMore: true,
      rate: "10",
    });
    const few = estimateOf(supply, { budget: supply / 52n, total: 1n, own: 0n, seconds: WEEK })!;
    expect(few.isMore).toBe(false);
    expect(few.share).toBe("0.999999");
    expect(few.year! % UNIT).toBe(0n);
  });
});

describe("what a claim costs", () => {
  const TOKEN = 100_000_000n;

  it("is shown per token", () => {
    expect(costPerToken(2_608n, 1_000n * TOKEN)).toBe(260_800_000n); // 2.608 sats
    expect(costPerToken(2_608n, 0n)).toBe(0n);
    expect(costPerToken(1n, 3n * TOKEN)).toBe(33_333_334n); // rounded up
  });

  it("is a share of what the claim is worth to its owner", () => {
    expect(costShare(2_500n, 1_000n * TOKEN, 10n * TOKEN)).toBe(2_500n); // 25 %
    expect(costShare(2_500n, 1_000n * TOKEN, TOKEN)).toBe(25_000n); // more than all of it
    expect(costShare(1n, 3n * TOKEN, TOKEN)).toBe(3_334n); // rounded up
    expect(costShare(2_500n, 1_000n * TOKEN, 0n)).toBeNull();
    expect(costShare(2_500n, 0n, TOKEN)).toBeNull();
  });
});
