import { describe, expect, it } from "vitest";
import { amountOf, isUnclear, nextText, stepText } from "./amount.ts";

const balance = 1_234_567_800_000n; // 12,345.678

describe("typing an amount", () => {
  it.each([
    ["1.123456789", "1.12345678"],
    ["99999999", "12345.678"],
    ["12345.678", "12345.678"],
    ["", ""],
    ["1.", "1."],
    ["007", "7"],
    [".5", "0.5"],
  ])("%j becomes %j", (typed, shown) => expect(nextText(typed, "5", balance)).toBe(shown));

  it.each(["abc", "-1", "1e3", "1,5"])("%j keeps the old value", (typed) => {
    expect(nextText(typed, "5", balance)).toBe("5");
  });

  it("takes empty as 0", () => expect(amountOf("")).toBe(0n));

  it("caps nothing while the balance is not known", () => expect(nextText("99999999", "", null)).toBe("99999999"));
});

describe("what could mean another amount", () => {
  it.each(["1,5", "1,234.5", "1.234,5", "1e3", "-5", "1 000", "٣", "12 LOBO", "0x10"])("%j is unclear when pasted", (pasted) => {
    expect(isUnclear(pasted, "", ".")).toBe(true);
  });
  it.each(["1234.5", " 12 ", ".5"])("%j is not", (pasted) => expect(isUnclear(pasted, "", ".")).toBe(false));
  it.each([",", "e", "-", "+", "'", "٣"])("%j is unclear when typed", (typed) => expect(isUnclear(typed, "1", ".")).toBe(true));
  it.each(["1", "x", ".", ""])("%j is not", (typed) => expect(isUnclear(typed, "1", ".")).toBe(false));
  it("knows one decimal mark, the browser's", () => {
    expect(isUnclear(".", "1.5", ".")).toBe(true);
    expect(isUnclear(",", "1", ",")).toBe(false);
    expect(isUnclear(".", "1", ",")).toBe(true);
    expect(isUnclear("1234,5", "", ",")).toBe(false);
    expect(isUnclear("1.234,5", "", ",")).toBe(true);
  });
});

describe("stepping an amount", () => {
  it("adds 1000, never above the balance", () => {
    expect(stepText("12", 1n, balance)).toBe("1012");
    expect(stepText("12000", 1n, balance)).toBe("12345.678");
  });
  it("takes 1000, never below 0", () => {
    expect(stepText("1012.5", -1n, balance)).toBe("12.5");
    expect(stepText("12", -1n, balance)).toBe("0");
    expect(stepText("", -1n, balance)).toBe("0");
  });
});
