import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { schnorr } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { leaveOneTx } from "../action/oneTx.ts";
import { readOrder } from "../api/orders.ts";
import { readUnit } from "../api/wallet.ts";
import { later } from "../lib/laterText.ts";
import { installWallet, Refusal, serve, show } from "../testing/page.tsx";
import { inBase64, oneTxDraft, oneTxPsbt, STAKE, wanted } from "../testing/oneTx.ts";
import { community, economyOrder, oneTxOrder, order, paidOrder, session, unit, wallet } from "../testing/wire.ts";
import { readPsbt } from "../devwallet/psbt.ts";
import { showing } from "../testing/showing.ts";
import { withdrawRows } from "../withdraw/rows.ts";
import { DeliveriesToSign } from "./DeliveriesToSign.tsx";
import OrderDialog from "./OrderDialog.tsx";

const words = later.oneTx;
const ID = "o-pending";
/** The private key of the session's ordinals address. */
const SECRET = new Uint8Array(32).fill(0, 0, 31).fill(1, 31);
const SERVICE = BigInt(order().service_fee);

let current = paidOrder();
let answer: Parameters<typeof installWallet>[0][string];

beforeEach(() => {
  leaveOneTx(ID);
  current = paidOrder();
  answer = (params) => ({ result: { psbt: signed((params as { psbt: string }).psbt), txid: "" } });
});

/** More than the network fee of the order's price. */
const HIGH = order().network_fee + order().rutxos_fee + 1_000;

/** The delivery of the order: its payment pays the service fee and the network fee in sats. */
function delivery(change: Parameters<typeof oneTxPsbt>[0] = {}, fee = 2_000): string {
  const left = 100_000n + 546n - 1_092n - SERVICE - BigInt(fee);
  return inBase64(oneTxPsbt({ self: wanted.units, payment: 100_000n, service: SERVICE, left, ...change }));
}

const draft = (change: Parameters<typeof oneTxDraft>[0] = {}) =>
  oneTxDraft({ psbt: delivery(), inputs: [], owner_inputs: [0], fee: 2_000, ...change });

function signed(psbt: string): string {
  const tx = readPsbt(psbt);
  tx.signIdx(SECRET, 0);
  return base64.encode(tx.toPSBT(0));
}

async function open(extra: Parameters<typeof serve>[0] = {}) {
  const server = serve({
    community: () => community(),
    fetchClientPOs: () => ({ orders: [current] }),
    fetchPOTxHistory: () => ({ po_txs: [] }),
    beginOneTx: () => draft(),
    sendOneTx: () => {
      current = oneTxOrder({}, { po_balance: current.po_balance, po_confirmed_balance: current.po_confirmed_balance });
      return { order: current };
    },
    ...extra,
  });
  const { requests } = installWallet({ signPsbt: (params) => answer!(params) });
  show(<OrderDialog id={ID} session={session} onClose={() => {}} />);
  await screen.findByTestId("order-status");
  const sent = (name: string) => server.calls.filter(([call]) => call === name).map(([, body]) => body);
  return { sent, requests: () => requests.filter(([method]) => method === "signPsbt") };
}

const button = (name: string) => screen.findByRole("button", { name });
const card = async () => within(await screen.findByRole("region", { name: words.signDelivery }));

it("has the key of the test's session", () => {
  expect(hex.encode(schnorr.getPublicKey(SECRET))).toBe(session.ordinals.publicKey);
});

describe("a paid order whose owner signs its delivery", () => {
  it("says until when, and what happens otherwise", async () => {
    current = paidOrder({ po_overpayment: 411 });
    await open();
    expect(screen.getByTestId("order-status").textContent).toBe(words.signDelivery);
    (await card()).getByText(/^Sign by .* Otherwise this order expires: .* your payment is returned/);
    expect(screen.queryByText(later.order.state.PAID)).toBeNull();
    screen.getByRole("button", { name: later.order.cancel });
    expect(screen.queryByText(later.refund.overpayment("411"))).toBeNull(); // it returns in the delivery
  });

  it("is signed by the ordinals address alone, and sent", async () => {
    const { sent, requests } = await open();
    await card();
    await userEvent.click(await button(words.signDelivery));
    await screen.findByText(later.order.state.SENT);
    const [[, params]] = requests() as [[string, object]];
    expect(params).toMatchObject({ signInputs: { [session.ordinals.address]: [0] }, broadcast: false });
    const [body] = sent("sendOneTx") as [{ psbt: string }];
    expect(readPsbt(body.psbt).getInput(0).tapScriptSig).toHaveLength(1);
    expect(screen.queryByText(words.keep)).toBeNull(); // no coins of the owner pay
    expect(screen.queryByText(words.paid("1"), { exact: false })).toBeNull();
  });

  it("shows its fee, also above the paid one, and what returns, and asks once", async () => {
    const { requests } = await open({ beginOneTx: () => draft({ psbt: delivery({}, HIGH), fee: HIGH }) });
    const returns = 100_000n + 546n - 1_092n - SERVICE - BigInt(HIGH);
    await (await card()).findByText(showing(words.returns(returns.toLocaleString("en"))));
    const footer = (await button(words.signDelivery)).closest("dialog > div")!;
    expect(footer.textContent).toContain(HIGH.toLocaleString("en"));
    expect(requests()).toEqual([]);
    await userEvent.click(await button(words.signDelivery));
    await screen.findByText(later.order.state.SENT);
  });

  it("asks again if the fee is higher than the one that was shown", async () => {
    const high = () => draft({ psbt: delivery({}, HIGH), fee: HIGH });
    const drafts = [draft, high, high];
    const { requests } = await open({ beginOneTx: () => drafts.shift()!() });
    await userEvent.click(await button(words.signDelivery));
    const question = await screen.findByText(showing(words.accept(HIGH.toLocaleString("en"))));
    expect(question.closest("dialog > div")!.contains(await button(words.signDelivery))).toBe(true);
    expect(requests()).toEqual([]);
    await userEvent.click(await button(words.signDelivery));
    await screen.findByText(later.order.state.SENT);
  });

  it.each([
    ["pays somebody else", () => draft({ psbt: delivery({ change: STAKE }) }), words.otherOutputs],
    ["has a higher service fee", () => draft({ psbt: delivery({ service: SERVICE + 1n }) }), words.otherOutputs],
    ["is signed by nobody", () => draft({ owner_inputs: [] }), words.otherInputs],
  ])("asks no wallet to sign a transaction that %s", async (_, wrong, sentence) => {
    const { requests } = await open({ beginOneTx: wrong });
    await userEvent.click(await button(words.signDelivery));
    expect((await screen.findByRole("alert")).textContent).toContain(sentence);
    expect(requests()).toEqual([]);
  });

  it("says why the server refuses a signature, and asks to sign again", async () => {
    const why = "One of the payments of this order has changed. Sign again.";
    const answers = [() => new Refusal(why), () => ({ order: (current = oneTxOrder()) })];
    const { sent } = await open({ sendOneTx: () => answers.shift()!() });
    await userEvent.click(await button(words.signDelivery));
    expect((await screen.findByRole("alert")).textContent).toContain(why);
    await userEvent.click(await button(words.again));
    await screen.findByText(later.order.state.SENT);
    expect(sent("beginOneTx")).toHaveLength(3); // the first one has its fee shown
  });

  it("says that the owner declined, and asks again", async () => {
    answer = () => ({ error: { code: -32000, message: "User rejected" } });
    const { sent } = await open();
    await userEvent.click(await button(words.signDelivery));
    expect((await screen.findByRole("alert")).textContent).toContain(words.declined("Test Wallet"));
    await button(words.again);
    expect(sent("sendOneTx")).toEqual([]);
  });

  it.each([
    ["ONE_TX_PAYMENT_ADDED", words.voided["ONE_TX_PAYMENT_ADDED"]!],
    ["SOMETHING_ELSE", words.voidedOther],
  ])("says why the last signature is void (%s)", async (ended, sentence) => {
    current = paidOrder({ po_one_tx: { state: "ended", fee: 0, vbytes: 0, feerate: 0, ended } });
    await open();
    (await card()).getByText(sentence);
  });

  it("waits for the server once it is signed", async () => {
    const { po_one_tx } = oneTxOrder();
    current = paidOrder({ po_sign_until: 0, po_one_tx: { ...po_one_tx!, state: "signed" } });
    await open();
    await screen.findByText(words.signed);
    expect(screen.queryByRole("region", { name: words.signDelivery })).toBeNull();
  });

  it("is signed at its own rate with economy delivery", async () => {
    current = economyOrder({}, { po_sign_until: paidOrder().po_sign_until });
    await open();
    await card();
    expect(screen.queryByRole("region", { name: later.economy.title })).toBeNull();
  });

  it("says that it expired unsigned", async () => {
    current = paidOrder({ po_status: "EXPIRED", po_sign_until: 0 });
    await open();
    await screen.findByText(words.unsigned);
  });
});

describe("the signature of a delivery", () => {
  it("is asked for on every tab, and opens the order", async () => {
    serve({ fetchClientPOs: () => ({ orders: [current, order({ po_order_id: "o-other" })] }) });
    const opened = vi.fn();
    show(<DeliveriesToSign wallet={wallet} onOpen={opened} />);
    await screen.findByText(/^The delivery of .* is paid and needs your signature by /);
    await userEvent.click(screen.getByRole("button", { name: words.signDelivery }));
    expect(opened.mock.calls).toEqual([[ID]]);
  });

  it("is asked for again, with the reason", async () => {
    const ended = "ONE_TX_PAYMENT_GONE";
    current = paidOrder({ po_one_tx: { state: "ended", fee: 0, vbytes: 0, feerate: 0, ended } });
    serve({ fetchClientPOs: () => ({ orders: [current] }) });
    show(<DeliveriesToSign wallet={wallet} onOpen={() => {}} />);
    await screen.findByText(words.voided[ended]!);
  });

  it("is the state of the order's units", () => {
    const locked = readUnit(unit({ ru_stage: "BATCH_LOCKED", ru_po_id: ID }));
    const paid = readOrder(current);
    const [row] = withdrawRows([locked], [paid], "LOBO");
    expect(row).toMatchObject({ label: words.signDelivery, until: paid.signUntil, opens: ID });
  });
});
