import { describe, expect, it } from "vitest";
import { installLink, storeOf } from "./store.ts";

const agents = {
  chrome:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  edge:
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 " +
    "Safari/537.36 Edg/156.0.0.0",
  chromeOs:
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  firefox: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
  safari:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 " +
    "Safari/605.1.15",
  android:
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36",
  androidFirefox: "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0",
  iPhone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 " +
    "Mobile/15E148 Safari/604.1",
  iPhoneChrome:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
    "CriOS/156.0.0.0 Mobile/15E148 Safari/604.1",
  iPhoneFirefox:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/145.0 " +
    "Mobile/15E148 Safari/605.1.15",
  iPad:
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 " +
    "Mobile/15E148 Safari/604.1",
};

const wallet = {
  id: "Some.Provider",
  name: "Some",
  icon: "",
  webUrl: "https://some.example/",
  chromeWebStoreUrl: "https://chrome.example/some",
  mozillaAddOnsUrl: "https://mozilla.example/some",
  googlePlayStoreUrl: "https://play.example/some",
  iOSAppStoreUrl: "https://apple.example/some",
};

describe("the store of a browser", () => {
  it.each([
    ["Chrome", agents.chrome, 0, "chrome"],
    ["Chrome with a touch screen", agents.chrome, 10, "chrome"],
    ["Edge", agents.edge, 0, "chrome"],
    ["ChromeOS", agents.chromeOs, 0, "chrome"],
    ["Firefox", agents.firefox, 0, "mozilla"],
    ["Safari on a Mac", agents.safari, 0, "site"],
    ["Chrome on Android", agents.android, 5, "play"],
    ["Firefox on Android", agents.androidFirefox, 5, "play"],
    ["Safari on an iPhone", agents.iPhone, 5, "apple"],
    ["Chrome on an iPhone", agents.iPhoneChrome, 5, "apple"],
    ["Firefox on an iPhone", agents.iPhoneFirefox, 5, "apple"],
    ["an old iPad", agents.iPad, 5, "apple"],
    ["an iPad that calls itself a Mac", agents.safari, 5, "apple"],
    ["something unknown", "curl/8", 0, "site"],
  ])("%s", (_name, userAgent, maxTouchPoints, store) => {
    expect(storeOf({ userAgent, maxTouchPoints })).toBe(store);
  });
});

describe("the install link", () => {
  it.each([
    [agents.chrome, { store: "chrome", url: "https://chrome.example/some" }],
    [agents.firefox, { store: "mozilla", url: "https://mozilla.example/some" }],
    [agents.android, { store: "play", url: "https://play.example/some" }],
    [agents.iPhone, { store: "apple", url: "https://apple.example/some" }],
    [agents.safari, { store: "site", url: "https://some.example/" }],
  ])("%s", (userAgent, link) => {
    expect(installLink(wallet, { userAgent, maxTouchPoints: 0 })).toEqual(link);
  });

  it("links the wallet's site if the store does not have it", () => {
    const { mozillaAddOnsUrl: _, ...rest } = wallet;
    const firefox = { userAgent: agents.firefox, maxTouchPoints: 0 };
    expect(installLink(rest, firefox)).toEqual({ store: "site", url: "https://some.example/" });
    expect(installLink({ id: "a", name: "A", icon: "" }, firefox)).toBeNull();
  });

  it.each(["javascript:alert(1)", "data:text/html,hi", "http://some.example/", "//some.example/", 7, null])(
    "takes nothing but https: %s",
    (url) => {
      const hostile = { id: "a", name: "A", icon: "", webUrl: url as string, chromeWebStoreUrl: url as string };
      expect(installLink(hostile, { userAgent: agents.chrome, maxTouchPoints: 0 })).toBeNull();
    },
  );
});
