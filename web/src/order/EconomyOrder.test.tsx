import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { keys } from "../api/keys.ts";
import type { components } from "../api/schema.gen.ts";
import { formatDate } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { ClaimOrders } from "../reward/ClaimOrders.tsx";
import { installWallet, Refusal, serve, show } from "../testing/page.tsx";
import { showing } from "../testing/showing.ts";
import { community, economyOrder, order, payments, session, wallet } from "../testing/wire.ts";
import OrderDialog from "./OrderDialog.tsx";

type Wire = components["schemas"];

const words = later.economy;
const DAY = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY).toISOString();
const difference = (change: Partial<Wire["Difference"]> = {}): Wire["Difference"] => ({
  feerate: 7.5,
  total_fee: 10_110,
  due: 5_521,
  until: new Date(Date.now() + 30 * 60_000).toISOString(),
  seen: false,
  ...change,
});

let current = economyOrder();
const base = {
  community: () => community(),
  fetchClientPOs: () => ({ orders: [current] }),
  fetchPOTxHistory: () => ({ po_txs: payments("o-paid") }),
};

beforeEach(() => {
  current = economyOrder();
});

async function open(extra: Parameters<typeof serve>[0] = {}) {
  const server = serve({ ...base, ...extra });
  const page = show(<OrderDialog id="o-pending" session={session} onClose={() => {}} />);
  await screen.findByTestId("order-status");
  return { ...page, sent: (name: string) => server.calls.filter(([call]) => call === name).map(([, body]) => body) };
}

const status = (): string => screen.getByTestId("order-status").textContent;
const card = () => within(screen.getByRole("region", { name: words.title }));
const button = (label: string) => screen.queryByText(showing(label))?.closest("button") ?? null;

describe("an economy order", () => {
  it("says before its payment what it will wait for, and that its price does not expire", async () => {
    current = economyOrder(
      { waits_for: "payment", choices: ["cancel"] },
      { po_status: "CONFIRMED", po_balance: 2_000, po_confirmed_balance: 0, po_due: 2_589 },
    );
    await open();
    expect(card().getByText(words.unpaid)).toBeTruthy();
    expect(card().getByText("2.5 sat/vB")).toBeTruthy();
    expect(card().getByText("7.5 sat/vB")).toBeTruthy();
    expect(screen.getByTestId("due").textContent).toBe("0.00002589 BTC");
    expect(screen.queryByText(later.order.feeOver)).toBeNull();
    expect(screen.queryByText(/^This price is valid for/)).toBeNull();
  });

  it("says that it is paid, and promises no delivery at once", async () => {
    current = economyOrder({ waits_for: "payment" }, { po_status: "CONFIRMED", po_confirmed_balance: 0 });
    await open();
    expect(card().getByText(words.covered)).toBeTruthy();
    expect(screen.queryByText(later.order.completeUnconfirmed)).toBeNull();
    await userEvent.click(button(later.order.cancel)!);
    expect(screen.getByText(later.order.cancelAskPaid)).toBeTruthy();
  });

  it("waits for its rate, until when, and says what happens then", async () => {
    await open();
    expect(status()).toBe("Waits for 2.5 sat/vB");
    expect(card().getByText(words.waiting)).toBeTruthy();
    const { until, ends } = current.po_economy!;
    const [limit, end] = [formatDate(Date.parse(until)), formatDate(Date.parse(ends))];
    expect(card().getByText(limit)).toBeTruthy();
    expect(card().getByText(words.before(limit, end))).toBeTruthy();
    const steps = within(screen.getByRole("list", { name: later.order.timeline })).getAllByRole("listitem");
    expect(steps.map((step) => step.textContent)).toEqual([
      later.order.created,
      "Paid",
      `Sent${words.sentAt("2.5")}`,
      "Delivered",
    ]);
    expect(steps[1]!.getAttribute("aria-current")).toBe("step");
    expect(button(later.order.cancel)).toBeTruthy();
    expect(button(later.order.payWallet)).toBeNull();
    expect(screen.queryByText(later.order.state.PAID)).toBeNull();
    expect(screen.queryByRole("button", { name: /^Wait until/ })).toBeNull();
  });

  it("is sent next once the rate is low enough", async () => {
    current = economyOrder({ network_feerate: 2.5, waits_for: "delivery", choices: ["cancel"] });
    await open();
    expect(status()).toBe("Paid");
    expect(card().getByText(words.soon)).toBeTruthy();
    expect(screen.queryByRole("button", { name: /^Pay the difference/ })).toBeNull();
  });

  it("becomes a normal one when the difference is paid with the wallet", async () => {
    const { requests } = installWallet({ sendTransfer: () => ({ result: { txid: "cd".repeat(32) } }) });
    const { client, sent } = await open({
      payDifferencePO: () => {
        current = economyOrder({ difference: difference() });
        return { order: current };
      },
    });
    await userEvent.click(button(words.pay("5,521"))!);
    expect((await screen.findByTestId("due")).textContent).toBe("0.00005521 BTC");
    expect(screen.getByText(showing(words.difference("10,110", "7.5")))).toBeTruthy();
    expect(sent("payDifferencePO")).toEqual([{ ...wallet, order_id: "o-pending" }]);
    await userEvent.click(await screen.findByRole("button", { name: later.order.payWallet }));
    await screen.findByText(later.order.paidWallet);
    expect(requests).toEqual([
      ["sendTransfer", { recipients: [{ address: current.po_payment_address, amount: 5_521 }] }],
    ]);
    current = economyOrder({ difference: difference({ seen: true }), choices: ["cancel"] });
    await client.invalidateQueries({ queryKey: keys.orders(wallet) });
    expect(await screen.findByText(words.differenceSeen)).toBeTruthy();
    expect(status()).toBe("Paid, in progress");
    expect(screen.getByTestId("due").closest("details")?.open).toBe(false);
    current = order({ po_status: "PAID", po_due: 0 });
    await client.invalidateQueries({ queryKey: keys.orders(wallet) });
    expect(await screen.findByText(later.order.state.PAID)).toBeTruthy();
    expect(screen.queryByRole("region", { name: words.title })).toBeNull();
  });

  it("can pay the difference again while a payment of it, maybe a stranger's, does not confirm", async () => {
    const over = { seen: true, until: inDays(-1) };
    current = economyOrder({ difference: difference(over), choices: ["pay_difference", "cancel"] });
    const { sent } = await open({
      payDifferencePO: () => {
        current = economyOrder({ difference: difference({ seen: true }), choices: ["cancel"] });
        return { order: current };
      },
    });
    expect(card().getByText(words.differenceSeen)).toBeTruthy();
    expect(screen.queryByTestId("due")).toBeNull();
    await userEvent.click(screen.getByText(words.payAgain));
    await userEvent.click(button(words.pay("5,521"))!);
    expect((await screen.findByTestId("due")).textContent).toBe("0.00005521 BTC");
    const due = within(screen.getByRole("region", { name: later.order.amountDue }));
    expect(due.getByText(showing("5,521 sats"))).toBeTruthy(); // the footer's total is not shown here
    expect(sent("payDifferencePO")).toEqual([{ ...wallet, order_id: "o-pending" }]);
    expect(card().getByText(words.differenceSeen)).toBeTruthy();
  });

  it("asks for no payment of a difference whose time is over", async () => {
    current = economyOrder({ difference: difference({ until: inDays(-1) }) });
    await open();
    expect(screen.queryByTestId("due")).toBeNull();
    expect(button(later.order.payWallet)).toBeNull();
    expect(screen.getByText(later.order.overdue)).toBeTruthy();
  });

  it("shows why the difference can't be paid", async () => {
    await open({ payDifferencePO: () => new Refusal("It is sent next.") });
    await userEvent.click(button(words.pay("5,521"))!);
    expect(await screen.findByText("It is sent next.")).toBeTruthy();
  });

  it("offers at its limit to wait longer, to pay the difference and to cancel", async () => {
    const [ends, next] = [inDays(13), inDays(14)];
    const reached = { until: inDays(-1), limit_reached: true, ends };
    current = economyOrder({ ...reached, choices: ["wait", "pay_difference", "cancel"], wait_until: next });
    const { sent } = await open({
      waitPO: () => {
        current = economyOrder({ until: next });
        return { order: current };
      },
    });
    expect(status()).toBe(words.limitReached);
    expect(screen.getByText(words.reached(formatDate(Date.parse(ends))))).toBeTruthy();
    expect(button(words.pay("5,521"))).toBeTruthy();
    expect(button(later.order.cancel)).toBeTruthy();
    await userEvent.click(button(words.wait(formatDate(Date.parse(next))))!);
    await waitFor(() => expect(status()).toBe("Waits for 2.5 sat/vB"));
    expect(sent("waitPO")).toEqual([{ ...wallet, order_id: "o-pending" }]);
    expect(card().getByText(formatDate(Date.parse(next)))).toBeTruthy();
  });

  it("says that it ended because the rate did not fall", async () => {
    // The refund spends the payments, so they are no longer in the confirmed balance.
    current = economyOrder(
      { waits_for: "nothing", choices: [], ended: true },
      { po_status: "EXPIRED", po_confirmed_balance: 0 },
    );
    await open();
    expect(screen.getByText(showing(words.ended("2.5")))).toBeTruthy();
    expect(screen.queryByText(later.order.statePaid.EXPIRED)).toBeNull();
  });

  it("says when it ends if a recovery leaves no time to choose", async () => {
    const [until, ends] = [inDays(5), inDays(5.1)];
    current = economyOrder({ until, ends });
    await open();
    expect(card().getByText(words.beforeEnd(formatDate(Date.parse(ends))))).toBeTruthy();
    expect(card().getByText(formatDate(Date.parse(until)))).toBeTruthy();
  });

  it("says that it was not paid in time", async () => {
    const unpaid = { po_balance: 100, po_confirmed_balance: 100 };
    current = economyOrder({ waits_for: "nothing", choices: [] }, { po_status: "EXPIRED", ...unpaid });
    await open();
    expect(screen.getByText(later.order.statePaid.EXPIRED)).toBeTruthy();
  });
});

it("the list of orders names the rate that an order waits for, and a choice at its limit", async () => {
  const claim = { wa_action_type: "CLAIM" as const };
  const reached = economyOrder({ limit_reached: true }, { ...claim, po_order_id: "o-limit" });
  serve({ ...base, fetchClientPOs: () => ({ orders: [economyOrder({}, claim), reached] }) });
  show(<ClaimOrders wallet={wallet} onOpen={() => {}} />);
  expect(await screen.findByText(showing("Waits for 2.5 sat/vB"))).toBeTruthy();
  expect(screen.getByText(words.limitReached).className).toContain("text-amber");
});
