import { describe, expect, it } from "vitest";
import { later } from "../lib/laterText.ts";
import { formatDate } from "../lib/format.ts";
import { readRate, writeRate } from "./rate.ts";
import { requireSpeed, SpeedMismatch } from "./speed.ts";

const words = later.economy;
const REQUESTED = Date.UTC(2026, 10, 27, 7, 0, 20);
const chosen = { rate: 2_500, days: 14 };

/** A message with a speed. */
const message = (speed = "Speed: economy, 2.5 sat/vB, until 2026-12-11 07:00 UTC"): string =>
  ["Moon Fund: read before you sign", "", "Community: LOBO", "Action: CLAIM", "", speed, "", "Nonce: n"].join("\n");

const check = (text: string, speed: Parameters<typeof requireSpeed>[1] = chosen): void =>
  requireSpeed(text, speed, REQUESTED);

describe("the speed of a message to sign", () => {
  it("is exactly the chosen one", () => {
    check(message());
    check(message("Speed: economy, 12 sat/vB, until 2026-12-04 07:00 UTC"), { rate: 12_000, days: 7 });
    check(message("Speed: economy, 0.125 sat/vB, until 2026-11-28 07:00 UTC"), { rate: 125, days: 1 });
  });

  it("may have a limit by a clock that differs a little", () => {
    check(message("Speed: economy, 2.5 sat/vB, until 2026-12-11 07:45 UTC"));
    check(message("Speed: economy, 2.5 sat/vB, until 2026-12-11 06:15 UTC"));
  });

  it.each([
    ["is higher", "Speed: economy, 2.6 sat/vB, until 2026-12-11 07:00 UTC"],
    ["is lower", "Speed: economy, 2.4 sat/vB, until 2026-12-11 07:00 UTC"],
    ["has more digits", "Speed: economy, 2.55 sat/vB, until 2026-12-11 07:00 UTC"],
    ["is written differently", "Speed: economy, 2.50 sat/vB, until 2026-12-11 07:00 UTC"],
    ["is in another unit", "Speed: economy, 2.5 sat/kvB, until 2026-12-11 07:00 UTC"],
    ["is missing", "What follows:"],
    ["is there twice", `${message().split("\n")[5]!}\nSpeed: economy, 9 sat/vB, until 2026-12-11 07:00 UTC`],
    ["is another speed", "Speed: normal"],
  ])("is refused if the rate %s", (_, speed) => {
    expect(() => check(message(speed))).toThrow(new SpeedMismatch(words.otherRate("2.5")));
  });

  it.each([
    ["is a week later", "2026-12-18 07:00 UTC"],
    ["is a week earlier", "2026-12-04 07:00 UTC"],
    ["is two hours later", "2026-12-11 09:00 UTC"],
    ["is no date", "2026-13-11 07:00 UTC"],
    ["has another time zone", "2026-12-11 07:00 EST"],
    ["goes on", "2026-12-11 07:00 UTC or later"],
    ["is empty", ""],
  ])("is refused if the limit %s", (_, until) => {
    const text = message(`Speed: economy, 2.5 sat/vB, until ${until}`);
    expect(() => check(text)).toThrow(words.otherLimit(formatDate(REQUESTED + 14 * 86_400_000)));
  });

  it("is refused in a message of another layout", () => {
    expect(() => check(message().replace("you sign", "you sign (2)"))).toThrow(SpeedMismatch);
  });

  it("is absent at normal speed", () => {
    requireSpeed("Moon Fund: read before you sign\n\nAction: CLAIM", undefined, REQUESTED);
    expect(() => requireSpeed(message(), undefined, REQUESTED)).toThrow(words.unwanted);
  });
});

it("reads and writes rates with at most 3 decimals", () => {
  for (const [typed, rate] of [
    ["2.5", 2_500],
    ["2,5", 2_500],
    [" 12 ", 12_000],
    ["0.125", 125],
    ["2.500", 2_500],
    ["", null],
    ["-1", null],
    ["1e3", null],
    ["2.5125", null],
    [".5", null],
    ["1,000.5", null],
    ["fast", null],
  ] as const) {
    expect(readRate(typed), typed).toBe(rate);
  }
  expect([2_500, 12_000, 125, 1_050, 0].map((rate) => writeRate(rate))).toEqual(["2.5", "12", "0.125", "1.05", "0"]);
  expect(writeRate(2_500, ",")).toBe("2,5");
});
