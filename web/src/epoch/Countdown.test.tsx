import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { correctClock } from "../lib/clock.ts";
import { Countdown } from "./Countdown.tsx";

const START = Date.parse("2026-11-18T00:00:00Z");
const shown = () => screen.getByRole("timer").getAttribute("aria-label");
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(START);
});
afterEach(() => correctClock(Date.now(), Date.now(), Date.now()));

describe("countdown", () => {
  it("shows days, hours, minutes and seconds and ticks every second", async () => {
    render(<Countdown end={START + 90_061_000} />);
    expect(shown()).toBe("1 day 1 hour 1 minute 1 second");
    await pass(1_015);
    expect(shown()).toBe("1 day 1 hour 1 minute 0 seconds");
    await pass(1_000);
    expect(shown()).toBe("1 day 1 hour 0 minutes 59 seconds");
  });

  it("calls back once at zero, and again for another end", async () => {
    const onZero = vi.fn<() => void>();
    const { rerender } = render(<Countdown end={START + 2_000} onZero={onZero} />);
    await pass(1_500);
    expect(onZero).not.toHaveBeenCalled();
    await pass(5_000);
    expect(shown()).toBe("0 days 0 hours 0 minutes 0 seconds");
    expect(onZero).toHaveBeenCalledTimes(1);
    rerender(<Countdown end={START + 10_000} onZero={onZero} />);
    await pass(5_000);
    expect(onZero).toHaveBeenCalledTimes(2);
  });

  it("follows the server's clock", async () => {
    correctClock(START + 60_000, START, START);
    render(<Countdown end={START + 90_000} />);
    expect(shown()).toBe("0 days 0 hours 0 minutes 30 seconds");
  });

  it("announces only ten minutes and zero", async () => {
    render(<Countdown end={START + 602_000} announce />);
    expect(screen.getByRole("status").textContent).toBe("");
    await pass(2_100);
    expect(screen.getByRole("status").textContent).toBe("Ten minutes until the next epoch.");
    await pass(600_000);
    expect(screen.getByRole("status").textContent).toBe("The epoch has ended.");
  });

  it("announces nothing for an unknown end", () => {
    const onZero = vi.fn<() => void>();
    render(<Countdown end={Number.NaN} onZero={onZero} />);
    expect(shown()).toBe("N/A");
    expect(onZero).not.toHaveBeenCalled();
  });
});
