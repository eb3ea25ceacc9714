import { afterEach, describe, expect, it, vi } from "vitest";
import * as format from "./format.ts";

describe("numbers", () => {
  it("shows 2 decimals and never rounds up", () => {
    expect(format.formatNumber("1234567.899")).toBe("1,234,567.89");
    expect(format.formatNumber("0.999")).toBe("0.99");
    expect(format.formatNumber("10")).toBe("10");
  });

  it.each([undefined, null, "", "abc", Number.NaN, {}])("shows N/A for %j", (value) => {
    expect(format.formatNumber(value)).toBe("N/A");
    expect(format.formatCompact(value)).toBe("N/A");
    expect(format.formatUSD(value)).toBe("N/A");
  });

  it("is exact above 2^53", () => {
    expect(format.formatRunesExact(9_223_372_036_854_775_807n)).toBe("92,233,720,368.54775807");
  });

  it("formats compact numbers and USD", () => {
    expect(format.formatCompact("1050000000")).toBe("1.05B");
    expect(format.formatUSD("12.5")).toBe("$12.50");
    expect(format.formatRunesShort(2_100_000_000_000_000n)).toBe("21M");
    expect(format.formatRunesShort(341_255_000_000n)).toBe("3,412.55");
  });

  it("shows sats as bitcoin with 8 decimals", () => {
    expect(format.formatBTC(12_345n)).toBe("0.00012345");
    expect(format.formatSats(12_345n)).toBe("12,345");
  });
});

describe("on a German page", () => {
  afterEach(() => {
    document.documentElement.lang = "en";
    vi.resetModules();
  });

  it("formats German numbers and dates, rounded down", async () => {
    document.documentElement.lang = "de";
    vi.resetModules();
    const german = await import("./format.ts");
    expect(german.decimalMark()).toBe(",");
    expect(german.formatRunes(123_456_799_999_999n)).toBe("1.234.567,99");
    expect(german.formatRunesShort(99_999_999_999_999n)).toBe("999.999,99");
    expect(german.formatRunesShort(105_999_999_999_999_999n)).toBe("1,05\u00a0Mrd.");
    expect(german.formatSats(12_345n)).toBe("12.345");
    expect(german.formatDateUTC(0)).toBe("01.01.1970, 00:00 UTC");
  });
});

describe("share", () => {
  it.each([
    ["0.00114712", "0.1147%"],
    ["0", "0%"],
    ["1", "100%"],
    ["0.5", "50%"],
    ["0.3333333333", "33.333%"],
    ["0.000000001", "0.0000%"],
    ["0.000000123456789", "0.0000%"],
    ["1.23456789e-7", "N/A"],
    ["x", "N/A"],
    ["", "N/A"],
  ])("%s is %s", (fraction, shown) => expect(format.formatShare(fraction)).toBe(shown));
});

describe("addresses and ids", () => {
  it("keeps six characters at each end", () => {
    const address = "bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297";
    expect(format.shortAddress(address)).toBe("bc1p5d…xg3297");
  });
  it("cuts a transaction id at 20", () => {
    expect(format.shortTxid("ab".repeat(32))).toBe(`${"ab".repeat(10)}…`);
  });
});

describe("dates", () => {
  it("are in the local time zone, in winter and summer", () => {
    for (const at of [Date.parse("2026-01-15T00:30:00Z"), Date.parse("2026-07-15T23:30:00Z"), 0]) {
      expect(format.formatDate(at)).toBe(
        new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }).format(at),
      );
      expect(format.formatDay(at)).toBe(new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(at));
    }
    expect(format.formatDateUTC(0)).toBe("Jan 1, 1970, 12:00 AM UTC");
    for (const write of [format.formatDate, format.formatDay, format.formatDateUTC])
      expect(write(Number.NaN)).toBe("N/A");
  });
});

describe("what is left", () => {
  it("counts whole seconds down to zero", () => {
    expect(format.remaining(90_061_000, 0)).toEqual({ days: 1, hours: 1, minutes: 1, seconds: 1, total: 90_061 });
    expect(format.remaining(1_000, 999).total).toBe(1);
    expect(format.remaining(1_000, 5_000).total).toBe(0);
    expect(format.remaining(Number.NaN, 0).total).toBe(0);
  });
  it("rounds costs and losses up", () => {
    expect(format.formatRunesUp(100_000_001n)).toBe("1.01");
    expect(format.formatRunesUp(100_000_000n)).toBe("1");
    expect(format.formatRunesUp(1n)).toBe("0.00000001");
  });
  it("omits leading zeros", () => {
    expect(format.formatRemaining(format.remaining(3_500_000, 0))).toBe("58m 20s");
    expect(format.formatRemaining(format.remaining(0, 0))).toBe("0s");
  });
});
