import { describe, expect, it } from "vitest";
import { fromWire, parseDecimal, toDecimal, toBitcoin } from "./amount.ts";

describe("amounts", () => {
  it.each([
    ["0", 0n],
    ["1", 100_000_000n],
    ["1.5", 150_000_000n],
    [".5", 50_000_000n],
    ["1.", 100_000_000n],
    ["1.123456789", 112_345_678n],
    ["007", 700_000_000n],
    ["92233720368.54775807", 9_223_372_036_854_775_807n],
  ])("reads %s", (text, amount) => expect(parseDecimal(text)).toBe(amount));

  it.each(["", ".", "-1", "1e3", "1,5", "abc", "1.2.3", " 1"])("refuses %j", (text) => {
    expect(parseDecimal(text)).toBeNull();
  });

  it("formats a parsed amount unchanged", () => {
    expect(toDecimal(617_283_900_000n)).toBe("6172.839");
    expect(toDecimal(1n)).toBe("0.00000001");
    expect(toDecimal(0n)).toBe("0");
    expect(toBitcoin(12_345n)).toBe("0.00012345");
  });

  it("accepts the unusual values of the API", () => {
    expect(fromWire("None")).toBe(0n);
    expect(fromWire(null)).toBe(0n);
    expect(fromWire("2100000000000000")).toBe(2_100_000_000_000_000n);
    expect(fromWire(546)).toBe(546n);
  });
});
