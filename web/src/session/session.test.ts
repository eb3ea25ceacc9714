import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "../testing/wire.ts";
import type { Session } from "../wallet/index.ts";
import { walletTexts } from "../wallet/texts.ts";

/** A page that is loaded with a stored session. */
async function load() {
  const { stored } = await import("../wallet/storage.ts");
  stored.session.write(session);
  const page = await import("./session.ts");
  const { result } = renderHook(() => [page.useSession(), page.useWalletTrouble()] as const);
  expect(result.current[0]).not.toBeNull();
  return { ...page, stored, result };
}

type WalletAnswer = { result: unknown } | { error: { code: number; message: string } };

/** A wallet whose answers the test gives, in any order. */
function installWallet() {
  const listeners = new Map<string, Set<() => void>>();
  const requests: { method: string; answer(value: WalletAnswer): void }[] = [];
  vi.stubGlobal("TestWallet", {
    request: (method: string) =>
      new Promise((resolve) => {
        requests.push({ method, answer: (value) => resolve({ jsonrpc: "2.0", id: "1", ...value }) });
      }),
    addListener: (event: string, listener: () => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
      return () => listeners.get(event)!.delete(listener);
    },
  });
  return {
    emit: (event: string) => listeners.get(event)?.forEach((listener) => listener()),
    listens: (event: string) => (listeners.get(event)?.size ?? 0) > 0,
    /** The next request. */
    next: () => vi.waitFor(() => requests.shift() ?? expect.fail("no request")),
    isIdle: () => requests.length === 0,
  };
}

/** The answer of a wallet that shares these addresses. */
const shares = ({ payment, ordinals }: Session): WalletAnswer => ({
  result: { id: "1", addresses: [{ ...payment, purpose: "payment" }, { ...ordinals, purpose: "ordinals" }] },
});
const withPayment = (address: string): Session => ({ ...session, payment: { ...session.payment, address } });
const other = withPayment("bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry");
const third = withPayment("bcrt1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvseswlauz7");
const ofMainnet = withPayment("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");

/** A page whose restored session the wallet has confirmed. */
async function loadConnected() {
  const wallet = installWallet();
  localStorage.setItem("moonfund.wallet.provider", JSON.stringify("TestWallet"));
  const page = await load();
  const listening = page.listen();
  (await wallet.next()).answer(shares(session));
  await listening;
  return { ...page, wallet };
}

beforeEach(() => vi.resetModules());
afterEach(() => localStorage.clear());

it("says that the wallet ended a restored session while its library was loaded", async () => {
  const { listen, result } = await load();
  const listening = listen();
  const [{ endSession }, { RpcCode, WalletError }, { sentence }] = await Promise.all([
    import("../wallet/ending.ts"),
    import("../wallet/errors.ts"),
    import("../wallet/texts.ts"),
  ]);
  endSession(new WalletError(RpcCode.accessDenied, sentence("ended")));
  await listening;
  await waitFor(() => expect(result.current).toEqual([null, { message: walletTexts.ended, details: null }]));
});

it("blames no wallet if another tab disconnects while the library is loaded", async () => {
  const { listen, stored, result } = await load();
  const listening = listen();
  stored.session.remove();
  await listening;
  await waitFor(() => expect(result.current).toEqual([null, null]));
});

describe("of two reads of the account that overlap, the latest counts", () => {
  it("for the session", async () => {
    const { wallet, result, stored } = await loadConnected();
    wallet.emit("accountChange");
    const first = await wallet.next();
    wallet.emit("accountChange");
    (await wallet.next()).answer(shares(third));
    await waitFor(() => expect(result.current).toEqual([third, null]));
    first.answer(shares(other));
    await settled();
    expect(result.current).toEqual([third, null]);
    expect(stored.session.read()).toEqual(third);
  });

  it("for what is wrong with it", async () => {
    const { wallet, result } = await loadConnected();
    wallet.emit("accountChange");
    const first = await wallet.next();
    wallet.emit("networkChange");
    (await wallet.next()).answer(shares(ofMainnet));
    (await wallet.next()).answer({ result: { bitcoin: { name: "Mainnet" } } });
    await waitFor(() => expect(result.current[1]?.message).toMatch(/Mainnet/));
    first.answer(shares(session));
    await settled();
    expect(result.current[1]?.message).toMatch(/Mainnet/);
  });
});

it("hears a change that the wallet makes while its answer to Connect is read", async () => {
  const wallet = installWallet();
  const { connectWallet, useSession } = await import("./session.ts");
  const { result } = renderHook(useSession);
  const connecting = connectWallet("TestWallet");
  const request = await wallet.next();
  await vi.waitFor(() => expect(wallet.listens("accountChange")).toBe(true));
  wallet.emit("accountChange");
  request.answer(shares(session));
  await connecting;
  (await wallet.next()).answer(shares(other));
  await waitFor(() => expect(result.current).toEqual(other));
});

it("hears a change while the page listens again", async () => {
  const { wallet, listen, result } = await loadConnected();
  void listen();
  wallet.emit("accountChange");
  (await wallet.next()).answer(shares(other));
  await waitFor(() => expect(result.current).toEqual([other, null]));
});

it("stays disconnected when the wallet changes after another tab has disconnected", async () => {
  const { wallet, followOtherTabs, result, stored } = await loadConnected();
  const stop = followOtherTabs();
  wallet.emit("accountChange");
  const running = await wallet.next();
  stored.session.remove();
  window.dispatchEvent(new StorageEvent("storage"));
  running.answer(shares(other));
  wallet.emit("accountChange");
  await settled();
  expect(wallet.isIdle()).toBe(true);
  expect(result.current).toEqual([null, null]);
  expect(stored.session.read()).toBeNull();
  stop();
});

/** Waits until everything that an answer causes has happened. */
const settled = () => new Promise((done) => setTimeout(done, 50));
