import { afterEach, describe, expect, it, vi } from "vitest";
import { isInApp } from "./device.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a page inside an app", () => {
  it.each([
    ["Chrome on Android", "Mozilla/5.0 (Linux; Android 10; K) Chrome/156.0.0.0 Mobile Safari/537.36", 5, false],
    ["Android's web view", "Mozilla/5.0 (Linux; Android 15; wv) Version/4.0 Chrome/156 Safari/537.36", 5, true],
    ["Safari on an iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6) Version/19.0 Safari/604.1", 5, false],
    ["Apple's web view", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6) AppleWebKit/605.1.15 Mobile/15E148", 5, true],
    ["Safari on a Mac", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1.15", 0, false],
    ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", 0, false],
  ])("%s", (_name, userAgent, maxTouchPoints, expected) => {
    expect(isInApp({ userAgent, maxTouchPoints })).toBe(expected);
  });

  it("is in React Native's web view, whatever the user agent", () => {
    vi.stubGlobal("ReactNativeWebView", { postMessage: () => {} });
    expect(isInApp({ userAgent: "Safari/604.1", maxTouchPoints: 5 })).toBe(true);
  });
});
