import { afterEach, describe, expect, it, vi } from "vitest";
import { toDecimal } from "./amount.ts";
import { LARGE_STEP, nextText, readAmount, STEP, stepText, writeAmount } from "./typedAmount.ts";

const max = 1_234_567_800_000n; // 12,345.678

/** Returns a short form of a reading: an amount, "10000 or 10", or "unreadable". */
function read(text: string): string {
  const reading = readAmount(text);
  if (reading.kind === "amount") return toDecimal(reading.amount);
  return reading.kind === "ambiguous" ? `${toDecimal(reading.large)} or ${toDecimal(reading.small)}` : "unreadable";
}

describe("reading an amount", () => {
  it.each([
    // Empty text and unfinished numbers.
    ["", "0"], ["  ", "0"], [".", "0"], [",", "0"], ["0", "0"], ["0.", "0"], ["1.", "1"], ["1,", "1"],
    // Whole numbers.
    ["1", "1"], ["007", "7"], ["1000", "1000"], ["10000", "10000"], [" 12 ", "12"], ["12\n", "12"],
    // One decimal mark, a point or a comma.
    [".5", "0.5"], [",5", "0.5"], ["1.5", "1.5"], ["1,5", "1.5"], ["12.34", "12.34"], ["12,34", "12.34"],
    ["1.2345", "1.2345"], ["1,2345", "1.2345"], ["1234.5", "1234.5"], ["1234,5", "1234.5"], ["10000.00", "10000"],
    // Three decimals that can't be thousands.
    ["0.500", "0.5"], ["0,500", "0.5"], [".500", "0.5"], ["1234.567", "1234.567"], ["12345,678", "12345.678"],
    // Thousands and decimals with two different marks.
    ["1,234.5", "1234.5"], ["1.234,5", "1234.5"], ["1,234.567", "1234.567"], ["1.234,567", "1234.567"],
    ["1,234,567.8", "1234567.8"], ["1.234.567,8", "1234567.8"], ["1,234.", "1234"],
    // A mark that repeats separates thousands.
    ["1,234,567", "1234567"], ["1.234.567", "1234567"], ["10.000.000", "10000000"],
    // Spaces and apostrophes separate thousands only.
    ["1 000", "1000"], ["1\u00a0000", "1000"], ["1\u202f000,5", "1000.5"], ["1'000", "1000"], ["1’000.25", "1000.25"],
    ["1 234.567", "1234.567"], ["10'000'000", "10000000"],
    // At most eight decimals count.
    ["1.123456789", "1.12345678"], ["0.00000001", "0.00000001"], ["0.000000009", "0"],
    ["21000000000000000", "21000000000000000"],
  ])("%j is %s", (text, amount) => expect(read(text)).toBe(amount));

  it.each([
    ["10.000", "10000 or 10"],
    ["10,000", "10000 or 10"],
    ["1.234", "1234 or 1.234"],
    ["1,234", "1234 or 1.234"],
    ["999.999", "999999 or 999.999"],
    [" 1,000 ", "1000 or 1"],
    ["01.000", "1000 or 1"],
    ["345.678", "345678 or 345.678"],
  ])("%j is ambiguous: %s", (text, both) => expect(read(text)).toBe(both));

  it.each([
    "abc",
    "-5",
    "+5",
    "1e3",
    "1E3",
    "0x10",
    "12 LOBO",
    "LOBO 12",
    "1.2.3",
    "1,2,3",
    "1..5",
    "1,,5",
    "1,5,",
    "1.234,5.6",
    "1,23,456",
    "12,34.5",
    "1234,567.8",
    "1,234.567,8",
    "1.234 567",
    "1 00",
    "1 0000",
    "10'00",
    "1'000 000",
    "'5",
    "5'",
    "٣",
    "１２",
    "½",
    "∞",
    "NaN",
    "1".repeat(65),
    "1/2",
    "1_000",
    "$5",
    "5%",
    "(5)",
  ])("%j is unreadable", (text) => expect(read(text)).toBe("unreadable"));

  it("rejects characters other than digits and separators", () => {
    for (let code = 33; code < 0x2100; code++) {
      const char = String.fromCharCode(code);
      if (/[0-9.,'’\s]/.test(char)) continue;
      expect(read(`1${char}5`), char).toBe("unreadable");
    }
  });
});

describe.each([
  ["en", "6172.839", "345.6780", "0.5"],
  ["de", "6172,839", "345,6780", "0,5"],
])("writing an amount in %s", (language, long, three, half) => {
  afterEach(() => {
    document.documentElement.lang = "";
    vi.resetModules();
  });

  it("uses the decimal mark of the page and reads as the same amount", async () => {
    document.documentElement.lang = language;
    vi.resetModules();
    const { writeAmount, readAmount } = await import("./typedAmount.ts");
    expect(writeAmount(617_283_900_000n)).toBe(long);
    expect(writeAmount(34_567_800_000n)).toBe(three);
    expect(writeAmount(50_000_000n)).toBe(half);
    for (const amount of [
      0n,
      1n,
      100_000n,
      12_345_600_000n,
      99_999_900_000n,
      100_000_100_000n,
      max,
      2_100_000_000_000_000n,
    ]) {
      expect(readAmount(writeAmount(amount))).toEqual({ kind: "amount", amount });
    }
  });
});

describe("what the field takes", () => {
  it.each([
    ["5abc", "5", "5"],
    ["x5", "5", "5"],
    ["LOBO", "", ""],
    ["1$0", "10", "10"],
    // These characters could change the amount: they stay in the field and make it unreadable.
    ["5e", "5", "5e"],
    ["-5", "5", "-5"],
    ["5 ", "5", "5 "],
    ["٣", "", "٣"],
    ["12 LOBO", "", "12 LOBO"],
    // Letters from a paste can be removed one by one.
    ["12 LOB", "12 LOBO", "12 LOB"],
  ])("%j after %j is %j", (typed, previous, shown) => expect(nextText(typed, previous, max)).toBe(shown));

  it.each([
    ["1.123456789", "1.12345678"],
    ["1,123456789", "1,12345678"],
    ["1,234.123456789", "1,234.12345678"],
    ["99999999", "12345.678"],
    ["12,345.679", "12345.678"],
    ["12345.678", "12345.678"],
    ["12,345.678", "12,345.678"],
    ["1.", "1."],
    ["", ""],
    // An ambiguous text is not limited, so that no input is lost.
    ["99.999", "99.999"],
    ["1e99", "1e99"],
    ["12 LOBO", "12 LOBO"],
  ])("%j becomes %j", (typed, shown) => expect(nextText(typed, "", max)).toBe(shown));

  it("limits nothing while the balance is not known", () => expect(nextText("99999999", "", null)).toBe("99999999"));
});

describe("stepping an amount", () => {
  it.each([
    ["", STEP, "1000"],
    ["12", STEP, "1012"],
    ["1,234.5", STEP, "2234.5"],
    ["12000", STEP, "12345.678"],
    ["1012.5", -STEP, "12.5"],
    ["12", -STEP, "0"],
    ["", -STEP, "0"],
    ["500", LARGE_STEP, "10500"],
    ["5000", LARGE_STEP, "12345.678"],
    ["10500", -LARGE_STEP, "500"],
    // An ambiguous text has no next step.
    ["10.000", STEP, "10.000"],
    ["1e3", -STEP, "1e3"],
  ])("%j by %s is %s", (text, change, next) => expect(stepText(text, change, max)).toBe(next));

  it("has no upper limit while the balance is not known", () => {
    expect(stepText("12000", LARGE_STEP, null)).toBe("22000");
    expect(stepText("5", -STEP, null)).toBe("0");
    expect(writeAmount(STEP)).toBe("1000");
  });
});
