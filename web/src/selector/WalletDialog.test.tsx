import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { disconnectWallet } from "../session/session.ts";
import { installWallet } from "../testing/page.tsx";
import { session } from "../testing/wire.ts";
import { selectorEvents, type SelectorEventName } from "./events.ts";
import { TIMEOUT_MS } from "./useConnect.ts";
import WalletDialog from "./WalletDialog.tsx";
import { later } from "../lib/laterText.ts";
import { walletErrors } from "../lib/text/en.wallet.ts";

const accounts = [
  { ...session.payment, purpose: "payment", addressType: "p2wpkh", walletType: "software" },
  { ...session.ordinals, purpose: "ordinals", addressType: "p2tr", walletType: "software" },
];
const willing = { wallet_requestPermissions: () => ({ result: true }), getAccounts: () => ({ result: accounts }) };
const refusal = () => ({ error: { code: -32000, message: "User rejected the request." } });

const names: SelectorEventName[] = ["select", "cancel", "open", "close", "walletOpen", "walletClose"];
let events: string[];
let deaf: AbortController;

beforeEach(async () => {
  await disconnectWallet();
  events = [];
  deaf = new AbortController();
  for (const name of names) {
    selectorEvents.addEventListener(name, (event) => events.push(`${name} ${event.detail ?? ""}`.trim()), {
      signal: deaf.signal,
    });
  }
});

afterEach(() => {
  deaf.abort();
  vi.unstubAllGlobals();
});

/** Renders the selector in a parent that unmounts it on close. */
function open() {
  const onClose = vi.fn(() => page.unmount());
  const page = render(<WalletDialog onClose={onClose} />);
  return { onClose };
}

const tile = (name: string | RegExp) => screen.getByRole("button", { name });

describe("wallet selector", () => {
  it("lists a wallet that injects late and removes one that is gone", async () => {
    open();
    expect(within(tile(/^Leather/)).getByText("Get")).toBeTruthy();
    vi.stubGlobal("LeatherProvider", { request: () => new Promise(() => {}) });
    await vi.waitFor(() => expect(within(tile(/^Leather/)).getByText("Installed")).toBeTruthy(), 3_000);
    vi.stubGlobal("LeatherProvider", undefined);
    await vi.waitFor(() => expect(within(tile(/^Leather/)).getByText("Get")).toBeTruthy(), 3_000);
  });

  it("8 asks “Don't have a wallet?” if none is installed, and explains how to install one", async () => {
    vi.stubGlobal("btc_providers", undefined);
    open();
    expect(screen.getByRole("dialog", { name: "Don't have a wallet?" })).toBeTruthy();
    expect(screen.getByText("No wallet found. Install one of these to continue.")).toBeTruthy();
    expect(screen.getByText(later.wallets.explainer)).toBeTruthy();
    expect(screen.getByRole("link", { name: /^Install Xverse/ }).getAttribute("href")).toMatch(/^https:/);
    await userEvent.click(tile(/^Leather/));
    expect(tile(/^Leather/).getAttribute("aria-current")).toBe("true");
    expect(screen.getByText(later.wallets.prompt("Leather", "its website"))).toBeTruthy();
    expect(screen.getByRole("link", { name: /^Get Leather/ }).getAttribute("href")).toBe("https://leather.io/");
    expect(events).toEqual(["open"]);
  });

  it.each([
    [
      "Chrome/156.0.0.0 Safari/537.36",
      later.wallets.stores.chrome,
      "https://chromewebstore.google.com/detail/xverse-wallet/",
    ],
    ["rv:145.0 Firefox/145.0", "its website", "https://www.xverse.app/"],
    [
      "Android 15 Chrome/156.0.0.0",
      "Google Play",
      "https://play.google.com/store/apps/details?id=com.secretkeylabs.xverse",
    ],
    ["iPhone OS 18_6 Safari/604.1", "the App Store", "https://apps.apple.com/app/xverse"],
  ])("9 leads to the store of %s", async (agent, store, url) => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue(agent);
    open();
    // On a phone, the tile is also a link into the wallet's own browser.
    await userEvent.click(screen.getByText("Xverse"));
    expect(screen.getByText(later.wallets.prompt("Xverse", store))).toBeTruthy();
    expect(screen.getByRole("link", { name: /^Get Xverse/ }).getAttribute("href")).toContain(url);
  });

  it("dispatches events from opening to the wallet's approval", async () => {
    installWallet(willing);
    const { onClose } = open();
    expect(screen.getByRole("dialog", { name: later.wallets.title })).toBeTruthy();
    await userEvent.click(tile(/^Test Wallet/));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    await vi.waitFor(() =>
      expect(events).toEqual(["open", "select TestWallet", "walletOpen TestWallet", "walletClose TestWallet", "close"]),
    );
  });

  it("dispatches cancel when the user closes it without a wallet", async () => {
    installWallet(willing);
    open();
    await userEvent.click(tile("Close"));
    expect(events).toEqual(["open", "cancel", "close"]);
  });

  it("stops waiting for the wallet when the user closes it", async () => {
    let answer: (reply: unknown) => void = () => {};
    installWallet({});
    vi.stubGlobal("TestWallet", { request: () => new Promise((resolve) => (answer = resolve)) });
    open();
    await userEvent.click(tile(/^Test Wallet/));
    await userEvent.click(tile("Close"));
    expect(events.slice(3)).toEqual(["cancel", "walletClose TestWallet", "close"]);
    await act(async () => answer({ jsonrpc: "2.0", id: 1, result: true }));
    expect(localStorage).toHaveLength(0);
  });

  it("10, 11 says that the wallet is opening, then why it refused, and asks again on Retry", async () => {
    let answer: (reply: unknown) => void = () => {};
    installWallet({});
    vi.stubGlobal("TestWallet", { request: () => new Promise((resolve) => (answer = resolve)) });
    const { onClose } = open();
    await userEvent.click(tile(/^Test Wallet/));
    expect(screen.getByText(later.wallets.opening("Test Wallet"))).toBeTruthy();
    expect(screen.getByText("Confirm the operation in Test Wallet")).toBeTruthy();
    expect(tile(/^Test Wallet/).getAttribute("aria-busy")).toBe("true");
    await act(async () => answer({ jsonrpc: "2.0", id: 1, ...refusal() }));
    const alert = screen.getByRole("alert");
    expect(alert.firstElementChild!.firstElementChild!.textContent).toBe(walletErrors.connectionRefused);
    expect(within(alert).getByText("User refused connection.")).toBeTruthy();
    expect(localStorage).toHaveLength(0);
    expect(onClose).not.toHaveBeenCalled();
    installWallet(willing);
    await userEvent.click(tile("Retry"));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(localStorage.length).toBeGreaterThan(0);
  });

  it("12 reports that a wallet has no suitable addresses", async () => {
    installWallet({ ...willing, getAccounts: () => ({ result: accounts.slice(0, 1) }) });
    open();
    await userEvent.click(tile(/^Test Wallet/));
    expect((await screen.findByRole("alert")).textContent).toContain(walletErrors.incompatible);
    expect(localStorage).toHaveLength(0);
  });

  it("stops waiting for a silent wallet and ignores a late response", async () => {
    vi.useFakeTimers();
    let answer: (reply: unknown) => void = () => {};
    installWallet({});
    vi.stubGlobal("TestWallet", { request: () => new Promise((resolve) => (answer = resolve)) });
    const { onClose } = open();
    fireEvent.click(tile(/^Test Wallet/));
    await act(() => vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1));
    expect(screen.queryByRole("alert")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByRole("alert").textContent).toBe(
      later.wallets.noAnswer("Test Wallet"),
    );
    await act(async () => answer({ jsonrpc: "2.0", id: 1, result: true }));
    expect(onClose).not.toHaveBeenCalled();
    expect(localStorage.getItem("moonfund.wallet.session")).toBeNull();
    expect(tile("Retry")).toBeTruthy();
    expect(events).toEqual(["open", "select TestWallet", "walletOpen TestWallet", "walletClose TestWallet"]);
  });

  it("restores the focus to the wallet whose request was cancelled", async () => {
    installWallet({});
    vi.stubGlobal("TestWallet", { request: () => new Promise(() => {}) });
    open();
    await userEvent.click(tile(/^Test Wallet/));
    await userEvent.click(tile("Cancel"));
    expect(document.activeElement).toBe(tile(/^Test Wallet/));
    expect(screen.queryByText(later.wallets.opening("Test Wallet"))).toBeNull();
    expect(events).toContain("walletClose TestWallet");
  });

  it("finds a wallet that was injected after the list was created", async () => {
    const { onClose } = open();
    const wallet = installWallet(willing);
    fireEvent.focus(window);
    expect(
      within(screen.getByRole("list", { name: "Wallets" })).getByRole("button", { name: /^Test Wallet/ }),
    ).toBeTruthy();
    await userEvent.click(tile(/^Test Wallet/));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(wallet.requests.map(([method]) => method)).toContain("getAccounts");
  });

  it("shows the picture of a wallet, and no letter, for a wallet without a valid icon", async () => {
    vi.stubGlobal("btc_providers", [{ id: "TestWallet", name: "Test Wallet", icon: "data:image/png;base64,AA==" }]);
    vi.stubGlobal("TestWallet", { request: () => new Promise(() => {}) });
    open();
    const picture = tile(/^Test Wallet/).querySelector("img")!;
    fireEvent.error(picture);
    expect(tile(/^Test Wallet/).querySelector("img")).toBeNull();
    expect(tile(/^Test Wallet/).querySelector("svg")).toBeTruthy();
    expect(tile(/^Test Wallet/).textContent).toBe("Test WalletInstalled");
  });

  it("waits a whole minute again after a wallet's app was in front of the page", async () => {
    vi.useFakeTimers();
    installWallet({});
    vi.stubGlobal("TestWallet", { request: () => new Promise(() => {}) });
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(false);
    const show = (visible: boolean): void => {
      hidden.mockReturnValue(!visible);
      fireEvent(document, new Event("visibilitychange"));
    };
    open();
    fireEvent.click(tile(/^Test Wallet/));
    show(false);
    await act(() => vi.advanceTimersByTimeAsync(10 * TIMEOUT_MS));
    show(true);
    await act(() => vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1));
    expect(screen.queryByRole("alert")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(screen.getByRole("alert")).toBeTruthy();
    vi.useRealTimers();
  });

  it("shows this page as a QR code on a computer, and links into the wallets' browsers on a phone", async () => {
    vi.stubGlobal("btc_providers", undefined);
    open();
    expect(screen.queryByRole("link", { name: /^Xverse/ })).toBeNull();
    await userEvent.click(tile(later.wallets.toPhone));
    expect(await screen.findByRole("img", { name: later.wallets.qr })).toBeTruthy();
    await userEvent.click(tile("Close"));

    vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Android 15 Chrome/156.0.0.0 Mobile");
    open();
    expect(screen.getByRole("dialog", { name: later.wallets.title })).toBeTruthy();
    expect(screen.queryByRole("button", { name: later.wallets.toPhone })).toBeNull();
    const list = within(screen.getByRole("list", { name: later.wallets.openIn }));
    expect(list.getAllByRole("link").map((link) => link.textContent)).toEqual(
      ["Xverse", "OKX Wallet", "Phantom"].map((name) => `${name}${later.wallets.open}`),
    );
    await userEvent.click(list.getByRole("link", { name: /^Xverse/ }));
    expect(screen.getByText(later.wallets.prompt("Xverse", "Google Play"))).toBeTruthy();
    expect(within(screen.getByRole("list", { name: later.wallets.getOne })).getAllByRole("button")).toHaveLength(3);
  });
});
