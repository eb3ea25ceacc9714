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

  it("puts an installed Unisat second, and installed wallets before the others", () => {
    vi.stubGlobal("btc_providers", [{ id: "Other", name: "Other", icon: "" }]);
    vi.stubGlobal("Other", provider);
    vi.stubGlobal("unisat", provider);
    expect(names()).toEqual(["Xverse", "Unisat", "Other", ...others]);
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

  it("keeps Xverse first if only others are installed or if it registers last", () => {
    vi.stubGlobal("btc_providers", [
      { id: "Other", name: "Other", icon: "" },
      { id: "XverseProviders.BitcoinProvider", name: "Xverse Wallet", icon: "data:image/png;base64,AA==" },
    ]);
    vi.stubGlobal("Other", provider);
    expect(names().slice(0, 2)).toEqual(["Xverse Wallet", "Other"]);
    vi.stubGlobal("XverseProviders", { BitcoinProvider: provider });
    expect(listChoices(chrome)[0]).toMatchObject({
      name: "Xverse Wallet",
      installed: true,
      icon: "data:image/png;base64,AA==",
    });
  });

  it("omits a wallet that is neither installed nor installable", () => {
    vi.stubGlobal("btc_providers", [{ id: "Ghost", name: "Ghost", icon: "", webUrl: "javascript:alert(1)" }]);
    expect(names()).not.toContain("Ghost");
  });
});
