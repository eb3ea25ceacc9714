import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { follow } from "./live.ts";

class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static last: Stream;
  static opened = 0;
  readyState = 0;
  constructor(readonly url: string) {
    super();
    Stream.last = this;
    Stream.opened++;
  }
  close(): void {
    this.readyState = Stream.CLOSED;
  }
  /** The headers arrive. */
  open(): void {
    this.dispatchEvent(new Event("open"));
  }
  alive(): void {
    this.dispatchEvent(new MessageEvent("alive", { data: "{}" }));
  }
  cut(closed = false): void {
    if (closed) this.readyState = Stream.CLOSED;
    this.dispatchEvent(new Event("error"));
  }
  emit(scope: string): void {
    this.dispatchEvent(new MessageEvent("changed", { data: JSON.stringify({ scope, version: 1 }) }));
  }
}

const changed = vi.fn<(scope?: string) => void>();
let stop = (): void => {};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Stream);
  Stream.opened = 0;
  changed.mockClear();
  stop = follow({ w_wallet_code: "pay", w_wallet_code_ord: "ord" }, changed);
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

it("sends the wallet and reports changes", () => {
  expect(Stream.last.url).toContain("/events?w_wallet_code=pay&w_wallet_code_ord=ord");
  Stream.last.alive();
  expect(changed).not.toHaveBeenCalled();
  Stream.last.emit("wallet");
  expect(changed).toHaveBeenCalledExactlyOnceWith("wallet");
});

it("polls every 2 s within 5 s of a disconnect, until the stream is back", async () => {
  Stream.last.alive();
  Stream.last.cut();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(changed).toHaveBeenCalledTimes(2);
  Stream.last.alive();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(changed).toHaveBeenCalledTimes(2);
});

it("opens a new stream when the browser has closed the old one", async () => {
  Stream.last.cut(true);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(Stream.opened).toBe(2);
});

it("polls when the stream never opens, and when a proxy passes its headers only", async () => {
  Stream.last.open();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(changed).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(changed).toHaveBeenCalledTimes(6);
});

it("replaces a stream that is silent for 45 s, and polls until the new one sends something", async () => {
  Stream.last.alive();
  await vi.advanceTimersByTimeAsync(44_000);
  expect([Stream.opened, changed.mock.calls.length]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Stream.opened).toBe(2);
  expect(changed.mock.calls.length).toBeGreaterThanOrEqual(3);
  Stream.last.alive();
  changed.mockClear();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(changed).not.toHaveBeenCalled();
});

it("has no stream while the page is hidden, and refetches when it becomes visible", async () => {
  const show = (hidden: boolean): void => {
    vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
    document.dispatchEvent(new Event("visibilitychange"));
  };
  Stream.last.alive();
  show(true);
  expect(Stream.last.readyState).toBe(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect([Stream.opened, changed.mock.calls.length]).toEqual([1, 0]);
  show(false);
  expect(Stream.opened).toBe(2);
  expect(changed).toHaveBeenCalledExactlyOnceWith();
});
