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
  open(): void {
    this.dispatchEvent(new Event("open"));
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
afterEach(() => stop());

it("sends the wallet and reports changes", () => {
  expect(Stream.last.url).toContain("/events?w_wallet_code=pay&w_wallet_code_ord=ord");
  Stream.last.open();
  changed.mockClear();
  Stream.last.emit("wallet");
  expect(changed).toHaveBeenCalledExactlyOnceWith("wallet");
});

it("refetches when the stream opens, because of the changes between the first fetches and then", () => {
  expect(changed).not.toHaveBeenCalled();
  Stream.last.open();
  expect(changed).toHaveBeenCalledExactlyOnceWith();
});

it("polls every 2 s within 5 s of a disconnect, until the stream is back", async () => {
  Stream.last.open();
  Stream.last.cut();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(changed).toHaveBeenCalledTimes(3);
  Stream.last.open();
  expect(changed).toHaveBeenCalledTimes(4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(changed).toHaveBeenCalledTimes(4);
});

it("opens a new stream when the browser has closed the old one", async () => {
  Stream.last.cut(true);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(Stream.opened).toBe(2);
});

it("polls when the stream never opens", async () => {
  await vi.advanceTimersByTimeAsync(2_000);
  expect(changed).toHaveBeenCalledTimes(1);
});
