import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { attempts } from "../action/attempts.ts";
import { installWallet, Refusal, serve, show } from "../testing/page.tsx";
import { showing } from "../testing/showing.ts";
import { community, order, orders, session } from "../testing/wire.ts";
import OrderDialog from "./OrderDialog.tsx";
import { walletErrors } from "../lib/text/en.wallet.ts";
import { later } from "../lib/laterText.ts";

const TXID = "cd".repeat(32);
const due = order().po_due;
const unconfirmed = { date: "2026-11-20T12:00:00Z", isConfirmed: false, height: null, counted: true };
const payment = (txid: string, value = due) => ({ txid, value, ...unconfirmed });

let paid: ReturnType<typeof payment>[] | Refusal = [];
let answer: () => unknown = () => ({ result: { txid: TXID } });

beforeEach(() => {
  paid = [];
  for (const { id } of attempts.get()) attempts.drop(id);
  // Pauses of the page elapse immediately; the test itself waits in real time.
  const realTimeout = setTimeout;
  vi.stubGlobal("setTimeout", (act: () => void, ms = 0) => realTimeout(act, ms >= 1_000 && ms <= 3_000 ? 1 : ms));
});

async function open() {
  const wallet = installWallet({ sendTransfer: () => answer() as { result: unknown } });
  serve({
    community: () => community(),
    fetchClientPOs: () => ({ orders: orders() }),
    fetchPOTxHistory: () => (paid instanceof Refusal ? paid : { po_txs: paid }),
  });
  const page = show(<OrderDialog id="o-pending" session={session} onClose={() => {}} />);
  await screen.findByText(later.order.noPayments);
  const payButton = screen.queryByRole("button", { name: later.order.payWallet });
  return { ...page, requests: wallet.requests, payButton };
}

const pay = () => userEvent.click(screen.getByRole("button", { name: later.order.payWallet }));
const failure = (code: number, message: string) => () => ({ error: { code, message } });

describe("paying an order with the wallet", () => {
  it("tracks a payment that the wallet sends and then rejects", async () => {
    const { requests } = await open();
    answer = () => {
      paid = [payment(TXID)];
      return failure(-32000, "User rejected")();
    };
    await pay();
    await screen.findByText("Your wallet reported an error, but your payment was sent and has arrived.");
    expect(requests).toHaveLength(1);
    expect(localStorage.length).toBe(1); // the wallet's id
  });

  it.each([
    [-32000, "no", walletErrors.paymentCancelled],
    [-32603, "Insufficient balance", walletErrors.foreign],
  ])("that refuses with %d, and has sent nothing: it can be tried again", async (code, message, sentence) => {
    const { requests } = await open();
    answer = failure(code, message);
    await pay();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain(sentence);
    expect(alert.textContent).toContain("No payment has arrived. You can try again.");
    answer = () => ({ result: { txid: TXID } });
    await pay();
    await screen.findByText(`Payment sent. Waiting for it to appear on the network: ${TXID}`);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(requests).toHaveLength(2);
  });

  it("asks for confirmation before a second payment if the server can't be reached", async () => {
    const { requests } = await open();
    answer = () => {
      paid = new Refusal("The server is busy.");
      return failure(-32603, "Something broke")();
    };
    await pay();
    await screen.findByText(showing(/^We can't reach the server to check whether your payment of 4,589 sats/));
    await userEvent.click(screen.getByRole("button", { name: "Pay again" }));
    await screen.findByText(later.payment.risk);
    expect(document.activeElement?.textContent).toBe("Keep waiting");
    expect(requests).toHaveLength(1);
    paid = [];
    answer = () => ({ result: { txid: TXID } });
    await userEvent.click(screen.getByRole("button", { name: "Pay again anyway" }));
    await screen.findByText(`Payment sent. Waiting for it to appear on the network: ${TXID}`);
    expect(requests).toHaveLength(2);
  });

  it("announces one arrival after two failures and one payment", async () => {
    await open();
    answer = () => {
      paid = new Refusal("The server is busy.");
      return failure(-32603, "Something broke")();
    };
    await pay();
    await userEvent.click(await screen.findByRole("button", { name: "Pay again" }));
    answer = () => {
      paid = [payment(TXID)];
      return failure(-32603, "Something broke")();
    };
    paid = [];
    await userEvent.click(screen.getByRole("button", { name: "Pay again anyway" }));
    await screen.findByText("Your wallet reported an error, but your payment was sent and has arrived.");
    expect(screen.queryByText(/^We can't reach the server/)).toBeNull();
  });

  it("can stop waiting for the wallet and keeps a late answer", async () => {
    await open();
    let respond: (value: unknown) => void = () => {};
    answer = () => new Promise((resolve) => (respond = resolve));
    // installWallet spreads an answer. This one is a promise, so stub the provider directly.
    vi.stubGlobal("TestWallet", { request: () => answer(), addListener: () => () => {} });
    await pay();
    await userEvent.click(await screen.findByRole("button", { name: later.payment.giveUp }));
    await screen.findByText(
      showing(/^Your wallet was asked to pay 4,589 sats on .*, but we don't know whether it did\./),
    );
    expect(screen.queryByRole("button", { name: later.order.payWallet })).toBeNull();
    respond({ jsonrpc: "2.0", id: "1", result: { txid: TXID } });
    await screen.findByText(`Payment sent. Waiting for it to appear on the network: ${TXID}`);
    respond({ jsonrpc: "2.0", id: "1", result: { txid: "ef".repeat(32) } });
    expect(attempts.get().map(({ txid }) => txid)).toEqual([TXID]);
  });

  it("reports a removed wallet immediately", async () => {
    await open();
    vi.stubGlobal("TestWallet", undefined);
    await pay();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toMatch(/provider|wallet/i);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: later.order.payWallet }).disabled).toBe(false);
  });

  it("keeps an attempt across reloads until the server has the payment", async () => {
    const first = await open();
    answer = () => ({ result: { txid: TXID } });
    await pay();
    await screen.findByText(`Payment sent. Waiting for it to appear on the network: ${TXID}`);
    first.unmount();
    vi.resetModules();
    const { attempts: kept } = await import("../action/attempts.ts");
    expect(kept.get()).toMatchObject([{ order: "o-pending", txid: TXID, state: "sent" }]);

    const second = await open();
    await screen.findByText(`Payment sent. Waiting for it to appear on the network: ${TXID}`);
    expect(second.payButton).toBeNull();
    paid = [payment(TXID)];
    await second.client.invalidateQueries();
    await within(screen.getByRole("region", { name: "Payment history" })).findByText("Unconfirmed");
    expect(screen.queryByText(/Payment sent/)).toBeNull();
    expect(localStorage.length).toBe(1);
  });

  it("searches for the payment if the page was reloaded before the wallet answered", async () => {
    const id = attempts.begin({ order: "o-pending", address: "bcrt1q", sats: `${due}`, alike: 0 });
    attempts.giveUp(id);
    const { payButton } = await open();
    expect(payButton).toBeNull();
    await screen.findByText(/^Your wallet was asked to pay/);
    paid = [payment("ab".repeat(32))];
    await userEvent.click(screen.getByRole("button", { name: "Check again" }));
    await screen.findByText("Your wallet reported an error, but your payment was sent and has arrived.");
  });

  it("warns if the storage is full", async () => {
    await open();
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    answer = () => ({ result: { txid: TXID } });
    await pay();
    await screen.findByText(later.payment.unsaved);
    vi.restoreAllMocks();
  });
});

describe("an attempt of another tab", () => {
  it("removes the button until the attempt is finished", async () => {
    await open();
    const entry = "moonfund.wallet.payment.order.aa";
    const theirs = {
      id: "aa",
      order: "o-pending",
      address: "bcrt1q",
      sats: `${due}`,
      at: Date.now(),
      state: "sent",
      txid: TXID,
      alike: 0,
    };
    localStorage.setItem(entry, JSON.stringify(theirs));
    window.dispatchEvent(new StorageEvent("storage", { key: entry }));
    await screen.findByText(`Payment sent. Waiting for it to appear on the network: ${TXID}`);
    localStorage.removeItem(entry);
    window.dispatchEvent(new StorageEvent("storage", { key: entry }));
    await screen.findByRole("button", { name: later.order.payWallet });
  });
});
