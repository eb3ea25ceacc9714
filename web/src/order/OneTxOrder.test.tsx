import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseOneTx, leaveOneTx } from "../action/oneTx.ts";
import { later } from "../lib/laterText.ts";
import { installWallet, Refusal, serve, show } from "../testing/page.tsx";
import { showing } from "../testing/showing.ts";
import { inBase64, oneTxDraft, oneTxPsbt } from "../testing/oneTx.ts";
import { community, oneTxOrder, order, session } from "../testing/wire.ts";
import OrderDialog from "./OrderDialog.tsx";

const words = later.oneTx;
const ID = "o-pending";

let current = order();
/** What the wallet answers to signPsbt. */
let answer: Parameters<typeof installWallet>[0][string];

const withSignature = (tx = oneTxPsbt()) => {
  tx.updateInput(1, { partialSig: [[new Uint8Array(33).fill(2), new Uint8Array(71).fill(1)]] }, true);
  return inBase64(tx);
};

beforeEach(() => {
  leaveOneTx(ID);
  current = order();
  answer = () => ({ result: { psbt: withSignature() } });
});

async function open(extra: Parameters<typeof serve>[0] = {}, features = ["one_tx"]) {
  const server = serve({
    community: () => community({ features }),
    fetchClientPOs: () => ({ orders: [current] }),
    fetchPOTxHistory: () => ({ po_txs: [] }),
    beginOneTx: () => oneTxDraft(),
    sendOneTx: () => {
      current = oneTxOrder();
      return { order: current };
    },
    ...extra,
  });
  const { requests } = installWallet({ signPsbt: (params) => answer!(params) });
  const { client } = show(<OrderDialog id={ID} session={session} onClose={() => {}} />);
  await screen.findByTestId("order-status");
  const sent = (name: string) => server.calls.filter(([call]) => call === name).map(([, body]) => body);
  return { sent, requests, client };
}

const button = (name: string) => screen.findByRole("button", { name });
/** The dialog's content or its footer, which stays visible while the content scrolls. */
const footerOf = (part: HTMLElement) => part.closest("dialog > div")!;
const card = () => within(screen.getByRole("region", { name: words.title }));

/** Chooses one transaction, which shows its price, and signs it. */
async function sign() {
  await userEvent.click(await button(words.signInstead));
  await userEvent.click(await button(words.sign));
}

/** Chooses one transaction while its price can't be shown. */
const chooseInVain = async () => userEvent.click(await button(words.signInstead));

describe("an unpaid withdrawal", () => {
  it("offers nothing while the server does not", async () => {
    await open({}, []);
    expect(await screen.findByTestId("due")).toBeTruthy();
    expect(screen.queryByRole("button", { name: words.signInstead })).toBeNull();
  });

  it.each([
    ["a claim", order({ wa_action_type: "CLAIM" })],
    ["a paid order", order({ po_status: "CONFIRMED", po_due: 0 })],
    ["a withdrawal of a reward", order({ po_rutxos: [...order().po_rutxos, "reward:3:0011223344556677"] })],
  ])("is not offered for %s", async (_, other) => {
    current = { ...other, po_order_id: ID };
    await open();
    await screen.findByTestId("order-status");
    expect(screen.queryByRole("button", { name: words.signInstead })).toBeNull();
  });

  it("is signed also after a payment that doesn't pay its price", async () => {
    current = order({ po_status: "CONFIRMED", po_balance: 1_500, wa_amount: order().wa_amount });
    const { sent } = await open();
    await sign();
    expect(await screen.findByText(words.keep)).toBeTruthy();
    expect(sent("sendOneTx")).toHaveLength(1);
  });

  it("is signed by the wallet, which does not broadcast, and sent", async () => {
    const { sent, requests } = await open();
    await sign();
    expect(await screen.findByText(words.keep)).toBeTruthy();
    const [, params] = requests.find(([method]) => method === "signPsbt")!;
    expect(params).toMatchObject({ signInputs: { [session.payment.address]: [1] }, broadcast: false });
    expect(sent("beginOneTx")[0]).toMatchObject({ order_id: ID, w_wallet_code_pk: session.payment.publicKey });
    expect(sent("sendOneTx")[0]).toMatchObject({ order_id: ID, psbt: withSignature() });
    expect(screen.queryByTestId("due")).toBeNull();
  });

  it("shows its price before the wallet is asked", async () => {
    const { requests } = await open();
    await userEvent.click(await button(words.signInstead));
    expect(await screen.findByText(showing(words.accept("1,972")))).toBeTruthy();
    expect(card().getByText(showing(words.size("263", "7.5")))).toBeTruthy();
    expect(requests.filter(([method]) => method === "signPsbt")).toEqual([]);
  });

  it("asks again if it costs more than was shown, and signs what was accepted", async () => {
    const psbt = inBase64(oneTxPsbt({ left: 0n }));
    chooseOneTx(ID, { fee: 1_972n, vbytes: 263, rate: 7.5, coins: 1, change: 1n });
    answer = () => ({ result: { psbt: withSignature(oneTxPsbt({ left: 0n })) } });
    const { requests } = await open({ beginOneTx: () => oneTxDraft({ psbt, fee: 99_454 }) });
    const question = await screen.findByText(showing(words.accept("99,454")));
    expect(footerOf(question).contains(await button(words.sign))).toBe(true);
    const asked = () => requests.filter(([method]) => method === "signPsbt");
    expect(asked()).toEqual([]);
    await userEvent.click(await button(words.sign));
    expect(await screen.findByText(words.keep)).toBeTruthy();
    expect(asked()).toHaveLength(1);
  });

  it("says that the wallet refused, and can be signed again or paid", async () => {
    answer = () => ({ error: { code: 4001, message: "User rejected" } });
    const { sent } = await open();
    await sign();
    const refusal = await screen.findByText(words.declined("Test Wallet"));
    expect(footerOf(refusal).contains(await button(words.again))).toBe(true);
    expect(sent("sendOneTx")).toEqual([]);
    answer = () => ({ result: { psbt: withSignature() } });
    await userEvent.click(await button(words.payOrder));
    expect(await screen.findByTestId("due")).toBeTruthy();
    await userEvent.click(await button(words.signInstead));
    await userEvent.click(await button(words.sign));
    expect(await screen.findByText(words.keep)).toBeTruthy();
  });

  it("shows what the server says about a transaction that the wallet changed", async () => {
    const changed = withSignature(oneTxPsbt({ left: 90_000n }));
    answer = () => ({ result: { psbt: changed } });
    const { sent } = await open({ sendOneTx: () => new Refusal("Your wallet changed the transaction (outputs).") });
    await sign();
    expect((await screen.findByRole("alert")).textContent).toContain("Your wallet changed the transaction (outputs).");
    expect(sent("sendOneTx")[0]).toMatchObject({ psbt: changed });
  });

  it("has nothing signed that pays another address", async () => {
    const psbt = inBase64(oneTxPsbt({ left: 90_000n }));
    const { requests } = await open({ beginOneTx: () => oneTxDraft({ psbt }) });
    await chooseInVain();
    expect(await screen.findByText(showing(words.otherFee("1,972")))).toBeTruthy();
    expect(requests.filter(([method]) => method === "signPsbt")).toEqual([]);
  });

  it("says why one transaction is not possible", async () => {
    await open({ beginOneTx: () => new Refusal("No coins.") });
    await chooseInVain();
    expect((await screen.findByRole("alert")).textContent).toContain("No coins.");
    expect(await button(words.again)).toBeTruthy();
  });

  it("can stop waiting for a wallet that does not answer", async () => {
    await open();
    installWallet({}); // the provider is replaced by one that never answers
    (globalThis as any).TestWallet.request = () => new Promise(() => {});
    await sign();
    await userEvent.click(await button(later.payment.giveUp));
    expect(await screen.findByRole("alert")).toBeTruthy();
  });

  it("waits for the server's signature", async () => {
    current = order({ po_one_tx: { state: "signed", fee: 1, vbytes: 1, feerate: 1 } });
    const { client } = await open();
    expect(await screen.findByText(words.signed)).toBeTruthy();
    expect(screen.queryByTestId("due")).toBeNull();
    current = order({ po_one_tx: { state: "ended", fee: 1, vbytes: 1, feerate: 1, ended: "ONE_TX_LATE" } });
    await client.invalidateQueries();
    expect(await screen.findByText(words.ended["ONE_TX_LATE"]!)).toBeTruthy();
  });

  it.each([
    ["ONE_TX_COIN_SPENT", words.ended["ONE_TX_COIN_SPENT"]!],
    ["ANOTHER", words.endedOther],
  ])("says after %s that it was not sent", async (ended, sentence) => {
    current = order({ po_one_tx: { state: "ended", fee: 1, vbytes: 1, feerate: 1, ended } });
    await open();
    expect(await screen.findByText(sentence)).toBeTruthy();
    expect(screen.getByTestId("due")).toBeTruthy();
    expect(await button(words.signInstead)).toBeTruthy();
  });

  it("shows the price that was chosen, and starts signing", async () => {
    chooseOneTx(ID, { fee: 1_972n, vbytes: 263, rate: 7.5, coins: 1, change: 1n });
    const { sent } = await open({ beginOneTx: () => new Refusal("Not now.") });
    expect(await screen.findByText("Not now.")).toBeTruthy();
    expect(sent("beginOneTx")).toHaveLength(1);
    expect(card().getByText("1,972")).toBeTruthy();
    expect(card().getByText(showing(words.size("263", "7.5")))).toBeTruthy();
    expect(screen.getByText(words.signedName)).toBeTruthy();
    expect(screen.queryByText(later.order.noPayments)).toBeNull();
    expect(screen.queryByRole("progressbar")).toBeNull();
  });
});

describe("a withdrawal that was sent in one transaction", () => {
  beforeEach(() => {
    current = oneTxOrder();
  });

  it("shows its fee, and neither a price nor payments", async () => {
    await open();
    expect(card().getByText("1,972")).toBeTruthy();
    expect(screen.getByText(words.signedName)).toBeTruthy();
    expect(screen.getByText(showing(later.order.costs("2,518")))).toBeTruthy();
    expect(screen.queryByText(later.order.noPayments)).toBeNull();
    expect(screen.queryByRole("button", { name: later.order.cancel })).toBeNull();
  });

  it("is signed again, after its price was shown", async () => {
    const { sent, requests } = await open();
    await userEvent.click(await button(words.replace));
    expect(await screen.findByText(showing(words.accept("1,972")))).toBeTruthy();
    expect(requests.filter(([method]) => method === "signPsbt")).toEqual([]);
    await userEvent.click(await button(words.sign));
    await waitFor(() => expect(sent("sendOneTx")).toHaveLength(1));
  });

  it.each([
    ["ONE_TX_LATE", words.replacementEnded["ONE_TX_LATE"]!],
    ["ANOTHER", words.replacementEndedOther],
  ])("says after %s that its replacement was not sent", async (ended, sentence) => {
    current = oneTxOrder({ ended });
    await open();
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(await button(words.replace)).toBeTruthy();
  });

  it("says that a replacement is signed", async () => {
    current = oneTxOrder({ until: new Date(Date.now() + 60_000).toISOString() });
    await open();
    expect(screen.getByText(words.replacementSigned)).toBeTruthy();
  });

  it("shows no fee while it is unknown", async () => {
    current = oneTxOrder({ fee: 0, feerate: 0 });
    await open({ beginOneTx: () => new Refusal("Its fee is unknown.") });
    expect(card().queryByText(words.fee)).toBeNull();
    await userEvent.click(await button(words.replace));
    expect(await screen.findByText("Its fee is unknown.")).toBeTruthy();
  });

  it("says that a payment is returned", async () => {
    current = oneTxOrder({}, { po_balance: 2_000 });
    await open();
    expect(screen.getByText(showing(words.paid("2,000")))).toBeTruthy();
  });

  it("says why it can't be replaced", async () => {
    await open({ beginOneTx: () => new Refusal("The rate is too low.") });
    await userEvent.click(await button(words.replace));
    expect(await screen.findByText("The rate is too low.")).toBeTruthy();
  });

  it("is canceled if a coin was spent elsewhere", async () => {
    current = oneTxOrder({ state: "ended", ended: "ONE_TX_COIN_SPENT" }, { po_status: "CANCELED", po_refunds: [] });
    await open();
    expect(screen.getByText(words.spentElsewhere)).toBeTruthy();
    expect(screen.queryByRole("button", { name: words.replace })).toBeNull();
  });
});
