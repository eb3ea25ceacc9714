import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { keys } from "../api/keys.ts";
import { readOrder, type Order, type RefundState } from "../api/orders.ts";
import { installWallet, Refusal, serve, show } from "../testing/page.tsx";
import { showing } from "../testing/showing.ts";
import { community, order, orders, payments, session, status, unit, wallet } from "../testing/wire.ts";
import OrderDialog from "./OrderDialog.tsx";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";

/** A refund without a transaction. */
const due = {
  state: "due" as RefundState,
  amount: 2_000,
  cost: 1_008,
  received: 992,
  address: "bc1qpayer",
  feerate: 9,
  max_feerate: 8.928,
  txid: null,
  reason: "expired" as const,
  since: "2026-11-22T22:00:00Z",
};

let all = orders();
const base = {
  community: () => community(),
  fetchClientPOs: () => ({ orders: all }),
  fetchPOTxHistory: (body: Record<string, unknown>) => ({ po_txs: payments(String(body["order_id"])) }),
};

beforeEach(() => {
  all = orders();
});

async function open(id: string, extra: Parameters<typeof serve>[0] = {}) {
  const server = serve({ ...base, ...extra });
  const onClose = vi.fn<() => void>();
  const page = show(<OrderDialog id={id} session={session} onClose={onClose} />);
  await screen.findByTestId("order-status");
  return { server, onClose, ...page };
}

describe("payment order dialog", () => {
  it("loads a pending order, then shows its cost and payment address", async () => {
    serve(base);
    show(<OrderDialog id="o-pending" session={session} onClose={() => {}} />);
    expect(screen.getByText(text.action.requesting)).toBeTruthy();
    await screen.findByText("Delivers 123.45600005");
    const items = within(screen.getByLabelText(later.fees.title)).getAllByRole("definition");
    const sats = items.map((item) => Number(item.textContent!.replace(/\D/g, "")));
    const { network_fee, rutxos_fee, service_fee, total_fee } = order();
    expect(rutxos_fee).toBeGreaterThan(0);
    expect(sats).toEqual([546, network_fee + rutxos_fee, service_fee, total_fee]);
    expect(sats.slice(0, -1).reduce((a, b) => a + b)).toBe(sats.at(-1));
    expect(screen.getByText(showing("0 sats out of 0.00004589 BTC (4,589 sats)"))).toBeTruthy();
    expect(screen.getByTestId("payment-address").textContent).toBe(order().po_payment_address);
    expect((await screen.findByRole("img", { name: "QR code to pay 0.00004589 BTC" })).getAttribute("width")).toBe(
      "200",
    );
    expect(screen.getByText(later.order.noPayments)).toBeTruthy();
  });

  it("copies the address and confirms it for 2 s", async () => {
    await open("o-pending");
    const copied: string[] = [];
    vi.stubGlobal("navigator", Object.assign(Object.create(navigator) as Navigator, {
      clipboard: { writeText: (value: string) => Promise.resolve(void copied.push(value)) },
    }));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const button = screen.getByRole("button", { name: /Copy payment address/ });
    await act(async () => button.click());
    expect(copied).toEqual([order().po_payment_address]);
    act(() => void vi.advanceTimersByTime(1_999));
    expect(within(button).getByText("Copied")).toBeTruthy();
    act(() => void vi.advanceTimersByTime(1));
    expect(within(button).queryByText("Copied")).toBeNull();
  });

  it("lists two equal payments of one transaction", async () => {
    const complained = vi.spyOn(console, "error");
    const duplicated = payments("o-part").slice(0, 1).flatMap((one) => [one, one]);
    await open("o-part", { fetchPOTxHistory: () => ({ po_txs: duplicated }) });
    const list = (await screen.findByRole("region", { name: "Payment history" })).querySelectorAll("li");
    expect(list).toHaveLength(2);
    expect(complained).not.toHaveBeenCalled();
  });

  it("makes a single payment searchable", async () => {
    await open("o-part", { fetchPOTxHistory: () => ({ po_txs: payments("o-part").slice(0, 1) }) });
    await userEvent.type(await screen.findByRole("searchbox", { name: later.order.searchTx }), "no such id");
    expect(screen.getByText(text.common.noMatch)).toBeTruthy();
  });

  it("shows what is still due after a part payment, and lists the payments", async () => {
    await open("o-part");
    expect(screen.getByText("Still due")).toBeTruthy();
    expect(
      screen.getByText(
        later.order.inParts,
      ),
    ).toBeTruthy();
    expect(screen.getByTestId("due").textContent).toBe("0.00002589 BTC");
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("43");
    await screen.findByText("Confirmed", { selector: "li span" });
    expect(screen.getByText("Unconfirmed")).toBeTruthy();
    await userEvent.type(screen.getByRole("searchbox"), "b1b1");
    expect(screen.queryByText("Unconfirmed")).toBeNull();
  });

  it("pays with the wallet once, and follows the server", async () => {
    const { requests } = installWallet({ sendTransfer: () => ({ result: { txid: "cd".repeat(32) } }) });
    const { client } = await open("o-pending");
    await userEvent.click(screen.getByRole("button", { name: later.order.payWallet }));
    await screen.findByText(later.order.paidWallet);
    expect(requests).toEqual([
      ["sendTransfer", { recipients: [{ address: order().po_payment_address, amount: 4_589 }] }],
    ]);
    expect(screen.queryByRole("button", { name: later.order.payWallet })).toBeNull();
    all = [order({ po_status: "CONFIRMED", po_balance: 4_589, po_due: 0 })];
    await client.invalidateQueries({ queryKey: keys.orders(wallet) });
    await screen.findByText(later.order.completeUnconfirmed);
    expect(screen.queryByText(later.oneTx.paidInFull)).toBeNull();
    expect(screen.queryByRole("button", { name: later.order.payWallet })).toBeNull();
  });

  it("says of stakes in self-custody that the delivery must be signed, before and after they are paid", async () => {
    const units = [unit({ ru_rutxo_id: order().po_rutxos[0]! })];
    const { client } = await open("o-pending", { fetchWalletUtxos: () => ({ utxos_list: units }) });
    await screen.findByText(later.oneTx.signLater);
    all = [order({ po_status: "CONFIRMED", po_balance: 4_589, po_due: 0 })];
    await client.invalidateQueries({ queryKey: keys.orders(wallet) });
    await screen.findByText(later.oneTx.paidInFull);
    expect(screen.queryByText(later.order.completeUnconfirmed)).toBeNull();
  });

  it("shows since when the network has rejected a signed delivery", async () => {
    all = [order({ po_status: "SENT", po_payout_txid: "cc".repeat(32) })];
    const { client } = await open(all[0]!.po_order_id);
    expect(screen.queryByText(/the network hasn't accepted it yet/)).toBeNull();
    all = [order({ ...all[0]!, po_refused_since: "2026-11-22T22:00:00Z", po_refused_reason: "tokens-runes" })];
    await client.invalidateQueries({ queryKey: keys.orders(wallet) });
    expect((await screen.findByText(/the network hasn't accepted it yet/)).textContent).toContain("2026");
    expect(screen.queryByText(/tokens-runes/)).toBeNull();
    // The dialog must not call the delivery sent meanwhile.
    expect(screen.queryByText(/^(Sent|Paid)\. Your runes /)).toBeNull();
  });

  it("blocks an order whose fees expired until it is rerated", async () => {
    const expired = order({ po_order_id: "o-rerate", po_status: "CONFIRMED", po_balance: 6_000, po_due: 9_000 });
    const answers = [() => new Refusal("Try again later."), () => ({ order: (all = [expired])[0] })];
    await open("o-rerate", { rearatePO: () => answers.shift()!() });
    expect(screen.getByText(later.order.expiredFees)).toBeTruthy();
    expect(screen.getByTestId("order-status").textContent).toBe("Rerate needed");
    expect(screen.queryByRole("button", { name: later.order.payWallet })).toBeNull();
    const rerate = screen.getByRole("button", { name: "Rerate order" });
    await userEvent.click(rerate);
    // In the footer: visible wherever the content is scrolled.
    expect((await screen.findByText("Try again later.")).closest("dialog > div")!.contains(rerate)).toBe(true);
    await userEvent.click(rerate);
    expect((await screen.findByTestId("due")).textContent).toBe("0.00009000 BTC");
  });

  it("focuses the safe answer when asking before a cancel", async () => {
    await open("o-pending");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(document.activeElement?.textContent).toBe("Keep the order");
    await userEvent.keyboard("{Enter}");
    expect(document.activeElement?.textContent).toBe("Cancel");
  });

  it("cancels with a signed proof only", async () => {
    installWallet({
      signMessage: () => ({
        result: { signature: "c2ln", messageHash: "", address: session.ordinals.address, protocol: "BIP322" },
      }),
    });
    const { server } = await open("o-pending", {
      cancelPO: (body) => {
        if (!body["signature"]) return { messagetosign: "Cancel it", action_id: "a-7", order: null };
        all = [order({ po_status: "CANCELED" })];
        return { messagetosign: null, action_id: null, order: all[0] };
      },
    });
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await userEvent.click(screen.getByRole("button", { name: "Yes, cancel it" }));
    await screen.findByText(later.order.state.CANCELED);
    const sent = server.calls.filter(([call]) => call === "cancelPO").map(([, body]) => body);
    expect(sent).toEqual([
      { ...wallet, order_id: "o-pending" },
      { ...wallet, order_id: "o-pending", action_id: "a-7", signature: "c2ln" },
    ]);
  });

  it.each<[Order["status"], string]>([
    ["PAID", later.order.state.PAID],
    ["SENT", later.order.state.SENT],
    ["DELIVERED", later.order.state.DELIVERED],
    ["CONSOLIDATED", later.order.state.CONSOLIDATED],
    ["CANCELED", later.order.state.CANCELED],
    ["EXPIRED", later.order.state.EXPIRED],
    ["INVALID", later.order.state.INVALID],
    ["AUDIT", later.order.state.AUDIT],
  ])("a closed order in %s says its own state", async (status, sentence) => {
    all = [order({ po_status: status, po_due: 0, po_refunds: [] })];
    await open("o-pending");
    expect(screen.getByText(sentence, { selector: "[role=status] *" })).toBeTruthy();
    // A paid order can be canceled until its delivery is signed.
    expect(screen.queryByRole("button", { name: "Cancel" }) !== null).toBe(status === "PAID");
  });

  it("an expired order with a refund was paid in part, although its balance is 0 again", async () => {
    all = [order({ po_status: "EXPIRED", po_due: 0, po_balance: 0 })];
    await open("o-pending");
    expect(screen.getByText(later.order.statePaid.EXPIRED, { selector: "[role=status] *" })).toBeTruthy();
  });

  it.each<[Order["status"], string]>([
    ["EXPIRED", "Order Expired."],
    ["CANCELED", "Canceled."],
    ["AUDIT", "In review."],
  ])("announces no amount due for an order that became %s", async (status, sentence) => {
    const { client } = await open("o-pending");
    all = [order({ po_status: status, po_due: 4_589 })];
    await client.invalidateQueries({ queryKey: keys.orders(wallet) });
    await waitFor(() => expect(screen.getAllByRole("status").map((one) => one.textContent)).toContain(sentence));
    expect(screen.queryByText(/still due/)).toBeNull();
    expect(screen.queryByTestId("due")).toBeNull();
  });

  it("requests no payment after the deadline, before the server closes the order", async () => {
    all = [order({ po_deadline: "2026-11-20T12:00:00Z" })];
    await open("o-pending");
    expect(screen.getByText(/^The payment deadline has passed\./)).toBeTruthy();
    expect(screen.queryByTestId("due")).toBeNull();
    expect(screen.queryByTestId("payment-address")).toBeNull();
    expect(screen.queryByRole("button", { name: later.order.payWallet })).toBeNull();
  });

  it("shows a fully paid, unconfirmed order as paid, and warns before it is canceled", async () => {
    all = [order({ po_status: "CONFIRMED", po_balance: 4_589, po_due: 0 })];
    await open("o-pending");
    expect(screen.getByTestId("order-status").textContent).toBe("Paid, in progress");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByText(/^You have paid this order in full\..*less the network fee\.$/)).toBeTruthy();
    const step = () => within(screen.getByRole("list", { name: later.order.timeline })).getByText("Paid").closest("li");
    expect(step()?.getAttribute("aria-current")).toBe("step");
  });

  it.each([
    ["7.5 sat/vB", 7.5, 4_589, later.order.cancelLoses("840", "3,749")], // 112 vB
    ["25 sat/vB", 25, 3_000, later.order.cancelLosesAll("3,000")],
  ])("names what a cancel loses at %s, before it is signed", async (_, rate, value, sentence) => {
    all = [order({ po_status: "CONFIRMED", po_feerate: rate, po_balance: value, po_due: 0 })];
    const paid = [{ ...payments("o-part")[0]!, value }];
    const { server } = await open("o-pending", { fetchPOTxHistory: () => ({ po_txs: paid }) });
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText(showing(sentence))).toBeTruthy();
    expect(server.calls.filter(([call]) => call === "cancelPO")).toEqual([]);
  });

  it("explains a payment that counts as nothing, and what becomes of it", async () => {
    all = [order({ po_feerate: 25 })];
    const small = [{ ...payments("o-part")[0]!, value: 1_000, counted: false }];
    await open("o-pending", { fetchPOTxHistory: () => ({ po_txs: small }) });
    const said = `${later.order.uncounted("1,000", "25")} ${later.order.uncountedLost}`;
    expect(await screen.findByText(showing(said))).toBeTruthy();
  });

  it.each([
    [undefined, later.confirmations.left(0, 30)],
    [110, later.confirmations.left(2, 10)],
    [90, later.confirmations.left(3, 0)],
  ])("counts the confirmations of a delivery in block %s", async (height, sentence) => {
    all = [order({ po_status: "SENT", po_payout_txid: "ee".repeat(32), po_payout_height: height! })];
    await open("o-pending", { status: () => status({ tip_height: 111 }) });
    expect(await screen.findByText(sentence)).toBeTruthy();
  });

  it("counts the confirmations of a payment until it has three", async () => {
    const both = [110, 109].map((height) => ({ ...payments("o-part")[1]!, height }));
    await open("o-part", { fetchPOTxHistory: () => ({ po_txs: both }), status: () => status({ tip_height: 111 }) });
    const rows = within(screen.getByRole("region", { name: later.order.history }));
    expect(await rows.findByText("2 of 3")).toBeTruthy();
    expect(rows.getAllByText("Confirmed")).toHaveLength(2);
    expect(rows.queryByText("3 of 3")).toBeNull();
  });

  it("warns before a paid order is canceled that its runes are not sent", async () => {
    all = [order({ po_status: "PAID", po_due: 0, po_balance: 4_589 })];
    await open("o-pending");
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.getByText(later.order.cancelAskPaid)).toBeTruthy();
  });

  it.each<[RefundState, string]>([
    ["due", later.refund.due],
    ["waiting_rate", later.refund.waitingRate("8.928", "9")],
    ["waiting_confirmation", later.refund.waitingConfirmation],
    ["over_limit", later.refund.overLimit],
    ["waiting_person", later.refund.waitingPerson],
  ])("a refund that is %s says what it waits for, what it costs and where it goes", async (state, sentence) => {
    all = [order({ po_status: "EXPIRED", po_due: 0, po_balance: 2_000, po_refunds: [{ ...due, state }] })];
    await open("o-pending");
    const card = within(screen.getByRole("region", { name: "Refund" }));
    expect(card.getByText(showing(sentence))).toBeTruthy();
    expect(card.getByText("2,000")).toBeTruthy();
    expect(card.getByText("1,008")).toBeTruthy();
    expect(card.getByText(due.address)).toBeTruthy();
  });

  it.each<[RefundState, string]>([
    ["sending", "Being sent"],
    ["sent", "Sent"],
    ["done", "Refunded"],
  ])("a refund that is %s names its transaction and what arrives", async (state, words) => {
    const signed = { ...due, state, max_feerate: null, txid: "dd".repeat(32), reason: null, since: null };
    all = [order({ po_status: "CANCELED", po_due: 0, po_balance: 2_000, po_refunds: [signed] })];
    await open("o-pending");
    const card = within(screen.getByRole("region", { name: "Refund" }));
    expect(card.getByText(words)).toBeTruthy();
    expect(card.getByText("992")).toBeTruthy();
    expect((await card.findByRole("link", { name: /dddd/ })).getAttribute("href")).toContain("dd".repeat(32));
  });

  it.each<[Order["status"], number, RegExp]>([
    ["CANCELED", 0, /What you paid is too little to refund/],
    ["EXPIRED", 0, /What you paid is too little to refund/],
    ["PAID", 700, /700 sats more than needed. After your runes are delivered/],
    ["DELIVERED", 40, /40 sats more than needed. That is too little to refund/],
  ])("an order in %s without a refund says what becomes of the money", async (status, overpayment, sentence) => {
    all = [order({ po_status: status, po_due: 0, po_balance: 5_289, po_overpayment: overpayment, po_refunds: [] })];
    await open("o-pending");
    expect(screen.getByText(showing(sentence))).toBeTruthy();
  });

  it.each<[Order["status"], string]>([
    ["SENT", "Delivers 123.45600005"],
    ["DELIVERED", "Delivered 123.45600005"],
    ["EXPIRED", "123.45600005"],
  ])("the title of an order in %s promises nothing else", async (status, title) => {
    all = [{ ...all.find((one) => one.po_order_id === "o-pending")!, po_status: status, po_due: 0 }];
    await open("o-pending");
    expect(screen.getByText(title)).toBeTruthy();
  });

  it("reports an order of another wallet", async () => {
    serve(base);
    show(<OrderDialog id="o-else" session={session} onClose={() => {}} />);
    expect(await screen.findByText(later.order.notFound)).toBeTruthy();
  });

  it("parses the items of the price", () => {
    const { fees } = readOrder(order());
    expect(fees.total).toBe(fees.dust + fees.network + fees.service + fees.rutxos);
  });
});
