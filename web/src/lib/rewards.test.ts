import { describe, expect, it } from "vitest";
import { costPerToken, costShare, lostRewardOf, rewardOf, yearlyRewardOf } from "./rewards.ts";

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
    expect(yearlyRewardOf(100_000n, 1n, 0n, WEEK)).toBe(0n);
  });

  it("is multiplied by the epochs of a year of 365 days", () => {
    expect(yearlyRewardOf(700n, 1n, 1n, WEEK)).toBe(36_500n); // 52 weeks and a day
    expect(yearlyRewardOf(700n, 1n, 1n, 0)).toBe(0n);
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
