// @vitest-environment node
import { expect, it } from "vitest";
import { isLong, yearlyRate } from "./rate.ts";

const WEEK = 7 * 86_400_000;
const weeks = (...all: [staked: bigint, rewarded: bigint][]) =>
  all.map(([staked, rewarded], i) => ({ epoch: i, staked, rewarded, start: i * WEEK, end: (i + 1) * WEEK }));

it("is the rewards per stake and time, for a year of 365 days", () => {
  expect(yearlyRate(weeks([1_000n, 1n]))).toBe("0.052142"); // 1/1000 a week, 52.142857 weeks
  expect(yearlyRate(weeks([1_000n, 1n], [3_000n, 3n]))).toBe("0.052142");
  expect(yearlyRate(weeks([1_000n, 0n], [1_000n, 2n]))).toBe("0.052142");
  expect(yearlyRate([{ epoch: 0, staked: 100n, rewarded: 100n, start: 0, end: 180_000 }])).toBe("175200.000000");
});

it("is exact for amounts above 2^53", () => {
  expect(yearlyRate(weeks([2_100_000_000_000_000_000n, 40_273_972_602_739_726n]))).toBe("0.999999");
});

it("is unknown without stake or time", () => {
  expect(yearlyRate([])).toBeNull();
  expect(yearlyRate(weeks([0n, 5n]))).toBeNull();
  expect(yearlyRate([{ epoch: 0, staked: 5n, rewarded: 5n, start: 9, end: 9 }])).toBeNull();
  expect(yearlyRate([{ epoch: 0, staked: 5n, rewarded: 5n, start: Number.NaN, end: 9 }])).toBeNull();
});

it("ignores epochs shorter than a day", () => {
  const epoch = { epoch: 0, staked: 1n, rewarded: 1n, start: 0 };
  expect([180_000, 86_399_999, 86_400_000, 7 * 86_400_000, Number.NaN].map((end) => isLong({ ...epoch, end }))).toEqual(
    [false, false, true, true, false],
  );
});
