import { beforeEach, describe, expect, it, vi } from "vitest";
import { listChoices } from "./choices.ts";

const chrome = { userAgent: "Chrome/156.0.0.0", maxTouchPoints: 0 };
const provider = { request: () => Promise.resolve() };
const names = () => listChoices(chrome).map((choice) => choice.name);

beforeEach(() => {
  vi.unstubAllGlobals();
});

describe("the order of the wallets", () => {
  it("offers the known ones, Xverse first, no Unisat", () => {
    expect(names()).toEqual(["Xverse", "Leather", "Magic Eden"]);
    expect(listChoices(chrome).every((choice) => !choice.installed && choice.link?.store === "chrome")).toBe(true);
  });

  it("puts Unisat second once it is installed, and others that are installed before those that are not", () => {
    vi.stubGlobal("btc_providers", [{ id: "Other", name: "Other", icon: "" }]);
    vi.stubGlobal("Other", provider);
    vi.stubGlobal("unisat", provider);
    expect(names()).toEqual(["Xverse", "Unisat", "Other", "Leather", "Magic Eden"]);
  });

  it("leaves Unisat out inside a React Native app", () => {
    vi.stubGlobal("unisat", provider);
    vi.stubGlobal("ReactNativeWebView", { postMessage: () => {} });
    expect(names()).not.toContain("Unisat");
  });

  it("keeps Xverse first when only others are installed, or when it comes last", () => {
    vi.stubGlobal("btc_providers", [
      { id: "Other", name: "Other", icon: "" },
      { id: "XverseProviders.BitcoinProvider", name: "Xverse Wallet", icon: "data:image/png;base64,AA==" },
    ]);
    vi.stubGlobal("Other", provider);
    expect(names().slice(0, 2)).toEqual(["Xverse Wallet", "Other"]);
    vi.stubGlobal("XverseProviders", { BitcoinProvider: provider });
    expect(listChoices(chrome)[0]).toMatchObject({ name: "Xverse Wallet", installed: true, icon: "data:image/png;base64,AA==" });
  });

  it("leaves out a wallet that is neither there nor to be had", () => {
    vi.stubGlobal("btc_providers", [{ id: "Ghost", name: "Ghost", icon: "", webUrl: "javascript:alert(1)" }]);
    expect(names()).not.toContain("Ghost");
  });
});
