import { afterEach, describe, expect, it, vi } from "vitest";
import { languages } from "./language.ts";

afterEach(() => {
  document.documentElement.lang = "en";
  vi.resetModules();
});

const HOUR_MS = 3_600_000;
/** Every hour of the day and every month of the year; and the ends of what years there may be. */
const moments = [
  ...Array.from({ length: 400 }, (_, i) => Date.UTC(2026, 0, 1) + i * 23 * HOUR_MS + i * 61_000),
  0, -1, Date.UTC(1999, 11, 31, 23, 59, 59, 999), Date.UTC(2024, 1, 29), Date.UTC(9999, 11, 31), 8.64e15,
];

describe.each(Object.keys(languages))("dates in %s", (code) => {
  it("are those of Intl", async () => {
    document.documentElement.lang = code;
    vi.resetModules();
    const { writeDay, writeMoment } = await import("./dates.ts");
    const day = new Intl.DateTimeFormat(code, { dateStyle: "medium", timeZone: "UTC" });
    const moment = new Intl.DateTimeFormat(code, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
    for (const at of moments) {
      expect(writeDay(at), String(at)).toBe(day.format(at));
      expect(writeMoment(at), String(at)).toBe(moment.format(at));
    }
  });

  it("are null where there is none", async () => {
    const { writeDay, writeMoment } = await import("./dates.ts");
    for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])
      expect([writeDay(at), writeMoment(at)]).toEqual([null, null]);
  });
});
