import { afterEach, describe, expect, it, vi } from "vitest";
import { languages } from "./language.ts";

afterEach(() => {
  document.documentElement.lang = "en";
  vi.resetModules();
});

const plain = [
  "0",
  "1",
  "12",
  "999",
  "1000",
  "1234",
  "12345.678",
  "123456.999",
  "999999.99999999",
  "0.00000001",
  "0.1",
  "10.05",
  "0.999",
  "-0.5",
  "-1234.56",
];
const large = [
  "1000000",
  "1999999",
  "12345678.9",
  "999999999",
  "1050000000",
  "99999999999",
  "123456789012",
  "1000000000000",
  "1239999999999999",
  "12345678901234567",
];

describe.each(Object.keys(languages))("numbers in %s", (code) => {
  it("are those of Intl, cut instead of rounded", async () => {
    document.documentElement.lang = code;
    vi.resetModules();
    const { writeCompact, writeDecimal } = await import("./digits.ts");
    for (const digits of [0, 2, 8]) {
      const intl = new Intl.NumberFormat(code, {
        minimumFractionDigits: 0,
        maximumFractionDigits: digits,
        roundingMode: "trunc",
      });
      for (const number of [...plain, ...large]) {
        expect(writeDecimal(number, digits), number).toBe(intl.format(number as Intl.StringNumericLiteral));
      }
    }
    const compact = new Intl.NumberFormat(code, {
      notation: "compact",
      maximumFractionDigits: 2,
      roundingMode: "trunc",
    });
    for (const number of large)
      expect(writeCompact(number), number).toBe(compact.format(number as Intl.StringNumericLiteral));
    expect(writeCompact("999999.999")).toBe(writeDecimal("999999.99", 2));
  });
});
