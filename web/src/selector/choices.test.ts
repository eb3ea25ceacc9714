// @vitest-environment node
import { beforeEach, describe, expect, it, vi } from "vitest";
import { KNOWN } from "../wallet/providers.ts";
import { listChoices } from "./choices.ts";

const chrome = { userAgent: "Chrome/156.0.0.0", maxTouchPoints: 0 };
const provider = { request: () => Promise.resolve() };
/** The names of the known wallets after Xverse and Unisat. */
const others = KNOWN.slice(2).map(({ name }) => name);
const names = () => listChoices(chrome).map((choice) => choice.name);

beforeEach(() => {
  vi.unstubAllGlobals();
});

describe("the order of the wallets", () => {
  it("lists the known wallets if none is installed, Xverse first and Unisat last", () => {
    expect(names()).toEqual(["Xverse", ...others, "Unisat"]);
    expect(listChoices(chrome).every((choice) => !choice.installed && choice.link)).toBe(true);
  });

  it("puts an installed Unisat before others, and installed wallets before the others", () => {
    vi.stubGlobal("btc_providers", [{ id: "Other", name: "Other", icon: "" }]);
    vi.stubGlobal("Other", provider);
    vi.stubGlobal("unisat", provider);
    expect(names()).toEqual(["Unisat", "Other", "Xverse", ...others]);
  });

  it("shows an announced icon if it is a small image in a data URL", () => {
    const icons = [
      "data:image/svg+xml;base64,PHN2Zy8+",
      "https://evil.test/x.png",
      "data:text/html,hi",
      `data:image/png;base64,${"A".repeat(400_000)}`,
    ];
    vi.stubGlobal("btc_providers", icons.map((icon, i) => ({ id: `Other${i}`, name: `Other${i}`, icon })));
    icons.forEach((_, i) => vi.stubGlobal(`Other${i}`, provider));
    const shown = listChoices(chrome).filter(({ name }) => name.startsWith("Other"));
    expect(shown.map(({ icon }) => icon)).toEqual([icons[0], "", "", ""]);
  });

  it("omits Unisat in a React Native app", () => {
    vi.stubGlobal("unisat", provider);
    vi.stubGlobal("ReactNativeWebView", { postMessage: () => {} });
    expect(names()).not.toContain("Unisat");
  });

  it("puts Xverse first of the installed wallets, also if it registers last, and else first of the others", () => {
    vi.stubGlobal("btc_providers", [
      { id: "Other", name: "Other", icon: "" },
      { id: "XverseProviders.BitcoinProvider", name: "Xverse Wallet", icon: "data:image/png;base64,AA==" },
    ]);
    vi.stubGlobal("Other", provider);
    expect(names().slice(0, 2)).toEqual(["Other", "Xverse Wallet"]);
    vi.stubGlobal("XverseProviders", { BitcoinProvider: provider });
    expect(listChoices(chrome)[0]).toMatchObject({
      name: "Xverse Wallet",
      installed: true,
      icon: "data:image/png;base64,AA==",
    });
  });

  it("has an icon of its own for each known wallet", () => {
    const icons = listChoices(chrome).map(({ icon }) => icon);
    for (const icon of icons) expect(icon).toMatch(/^data:image\/svg\+xml;base64,.{400}/);
    expect(new Set(icons).size).toBe(KNOWN.length);
  });

  it("shows the icons that wallets announce by the Wallet Standard, also late", () => {
    const page = new EventTarget();
    vi.stubGlobal("window", page);
    const iconOf = (wanted: string) => listChoices(chrome).find(({ name }) => name === wanted)!.icon;
    const own = "data:image/png;base64,AA==";
    const phantom = (app: { register(...wallets: unknown[]): void }) =>
      app.register({ name: "Phantom", icon: own }, null, { name: "Leather", icon: "https://evil.test/x.png" });
    let wasAsked = false;
    page.addEventListener("wallet-standard:app-ready", () => (wasAsked = true));
    iconOf("Phantom");
    expect(wasAsked).toBe(true);
    page.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: "no function" }));
    page.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: phantom }));
    expect(iconOf("Phantom")).toBe(own);
    expect(iconOf("Leather")).toMatch(/^data:image\/svg\+xml;base64,.{400}/);
  });

  it.each([
    ["  Two\n\tlines  ", "Two lines"],
    ["\u202Eesrever\u2066\u200B", "esrever"],
    [`Z${"\u0335".repeat(90)}algo`, "Z\u0335\u0335algo"],
    ["W".repeat(500), "W".repeat(60)],
    ["<b>bold</b>", "<b>bold</b>"],
  ])("makes the name %j readable", (name, shown) => {
    vi.stubGlobal("btc_providers", [{ id: "Other", name, icon: "" }]);
    vi.stubGlobal("Other", provider);
    expect(names()[0]).toBe(shown);
  });

  it("omits a wallet whose name has no visible character", () => {
    vi.stubGlobal("btc_providers", [{ id: "Other", name: "\u200B\u202E \u0000", icon: "" }]);
    vi.stubGlobal("Other", provider);
    expect(listChoices(chrome).map(({ id }) => id)).not.toContain("Other");
  });

  it("omits a wallet that is neither installed nor installable", () => {
    vi.stubGlobal("btc_providers", [{ id: "Ghost", name: "Ghost", icon: "", webUrl: "javascript:alert(1)" }]);
    expect(names()).not.toContain("Ghost");
  });
});

describe("on a phone", () => {
  const page = "https://lobo.example/?tab=rewards&lang=de";
  const encoded = "https%3A%2F%2Flobo.example%2F%3Ftab%3Drewards%26lang%3Dde";
  const phones = [
    { userAgent: "Mozilla/5.0 (Linux; Android 10; K) Chrome/156.0.0.0 Mobile Safari/537.36", maxTouchPoints: 5 },
    { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Safari/604.1", maxTouchPoints: 5 },
  ];
  const links = (device: (typeof phones)[0]) =>
    Object.fromEntries(listChoices(device, page).map(({ name, browserLink }) => [name, browserLink]));

  it.each(phones)("each wallet with a documented link opens this page in its browser: $userAgent", (device) => {
    const inOkx = `okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3D${encodeURIComponent(encoded)}`;
    expect(links(device)).toEqual({
      Xverse: `https://connect.xverse.app/browser?url=${encoded}`,
      "OKX Wallet": `https://web3.okx.com/download?deeplink=${inOkx}`,
      Phantom: `https://phantom.app/ul/browse/${encoded}?ref=https%3A%2F%2Flobo.example`,
      Leather: null,
      "Magic Eden": null,
      Unisat: null,
    });
    expect(listChoices(device, page).map(({ name }) => name)).toEqual([
      "Xverse",
      "OKX Wallet",
      "Phantom",
      "Leather",
      "Magic Eden",
      "Unisat",
    ]);
    expect(listChoices(device, page).every(({ link }) => link !== null)).toBe(true);
  });

  it("an installed wallet is used as it is, and a computer gets no such links", () => {
    vi.stubGlobal("XverseProviders", { BitcoinProvider: provider });
    expect(listChoices(phones[0], page)[0]).toMatchObject({ name: "Xverse", installed: true, browserLink: null });
    expect(listChoices(chrome, page).every(({ browserLink }) => browserLink === null)).toBe(true);
  });
});
