import { cleanup, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { components } from "../api/schema.gen.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { connectWallet, disconnectWallet } from "../session/session.ts";
import { installWallet, Refusal, serve, show } from "../testing/page.tsx";
import { showing } from "../testing/showing.ts";
import { golden } from "../testing/golden.ts";
import { community, economyOrder, estimate, order, session, unit } from "../testing/wire.ts";
import { CostDialog } from "./CostDialog.tsx";
import { useOneTxRun } from "./oneTx.ts";

type Wire = components["schemas"];

const words = later.economy;
const UNITS = ["unit-1"];

beforeEach(async () => {
  await disconnectWallet();
});

/** Returns a message to sign as the server writes it, with a speed. */
function message(rate: string, days: number): string {
  const until = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16).replace("T", " ");
  return `Moon Fund: read before you sign\n\nSpeed: economy, ${rate} sat/vB, until ${until} UTC\n\nEnd`;
}

async function open(answers: Parameters<typeof serve>[0] = {}, units = UNITS) {
  const server = serve({
    community: () => community(),
    estimateAction: (body) => estimate(body["economy"] as Wire["EconomyRequest"] | undefined),
    postAction: () => ({ messagetosign: message("3.75", 14), action_id: "a-1" }),
    signWalletAction: () => ({ transaction_created: true, payment_order: economyOrder() }),
    ...answers,
  });
  const { requests } = installWallet({
    wallet_requestPermissions: () => ({ result: true }),
    getAccounts: () => ({
      result: [
        { ...session.payment, purpose: "payment", addressType: "p2wpkh", walletType: "software" },
        { ...session.ordinals, purpose: "ordinals", addressType: "p2tr", walletType: "software" },
      ],
    }),
    signMessage: () => ({
      result: { signature: "c2ln", messageHash: "", address: session.ordinals.address, protocol: "BIP322" },
    }),
  });
  await connectWallet("TestWallet");
  const onOrder = vi.fn<() => void>();
  show(<CostDialog type="WITHDRAW" title="Withdraw" units={units} runes={1n} onClose={() => {}} onOrder={onOrder} />);
  await screen.findByLabelText(later.fees.title);
  const sent = (name: string) => server.calls.filter(([call]) => call === name).map(([, body]) => body);
  const signed = () => requests.filter(([method]) => method === "signMessage").length;
  return { sent, signed, onOrder };
}

/** The total, which stays visible above the main button. */
const total = (): string => {
  const shown = screen.getByTestId("total");
  expect(shown.closest("dl")!.nextElementSibling!.tagName).toBe("BUTTON");
  return shown.textContent;
};
const proceed = () => screen.getByRole<HTMLButtonElement>("button", { name: text.action.continue });
const economy = () => screen.findByRole("radio", { name: new RegExp(`^${words.economy}`) });
/** The ways of delivery with a green line. */
const praised = () => screen.getAllByRole("radio").filter((one) => one.closest("label")!.querySelector(".text-aurora"));

it("says that stakes in self-custody are signed again, unless one transaction is chosen", async () => {
  const list = { fetchWalletUtxos: () => ({ utxos_list: [unit({ ru_rutxo_id: UNITS[0]! })] }) };
  const answers = { ...list, community: () => community({ features: ["one_tx"] }) };
  await open({ ...answers, estimateOneTx: () => new Refusal("No coins.") });
  await screen.findByText(later.oneTx.signLater);
  cleanup();
  await open({ ...answers, estimateOneTx: () => golden("estimateOneTx") });
  const option = await screen.findByRole("radio", { name: new RegExp(`^${later.oneTx.option}`) });
  await waitFor(() => expect((option as HTMLInputElement).checked).toBe(true));
  expect(screen.queryByText(later.oneTx.signLater)).toBeNull();
});

describe("the choice of a speed", () => {
  it("shows the price of both and what waiting saves, and is normal at first", async () => {
    const { sent, onOrder } = await open({
      postAction: () => ({ messagetosign: "Moon Fund: read before you sign", action_id: "a-1" }),
    });
    const radio = await economy();
    const group = within(screen.getByRole("group", { name: words.choose }));
    expect(group.getByRole<HTMLInputElement>("radio", { name: new RegExp(`^${words.now}`) }).checked).toBe(true);
    expect((radio as HTMLInputElement).checked).toBe(false);
    expect(group.getByText("4,589")).toBeTruthy();
    expect(group.getByText("3,318")).toBeTruthy();
    expect(group.getByText(showing(words.saves("1,271")))).toBeTruthy();
    expect(within(radio.closest("label")!).getByText(words.cheapest.economy)).toBeTruthy();
    expect(praised()).toEqual([]); // economy delivery costs less, but it is not the default
    await userEvent.click(proceed());
    await waitFor(() => expect(onOrder).toHaveBeenCalled());
    expect(sent("postAction")[0]!["economy"]).toBeUndefined();
  });

  it("is made by keyboard, with the suggested rate and 14 days", async () => {
    const { sent, onOrder } = await open();
    (await economy()).focus();
    await userEvent.keyboard(" ");
    expect(screen.getByLabelText<HTMLInputElement>(words.rate).value).toBe("3.75");
    expect(screen.getByLabelText<HTMLSelectElement>(words.limit).value).toBe("14");
    expect(screen.getByText(words.payNow)).toBeTruthy();
    expect(screen.getByText(words.idle)).toBeTruthy();
    await waitFor(() => expect(total()).toContain("3,318"));
    expect(screen.getByText(words.priceNote)).toBeTruthy();
    await userEvent.click(proceed());
    await waitFor(() => expect(onOrder).toHaveBeenCalled());
    expect(sent("postAction")[0]!["economy"]).toEqual({ feerate: 3.75, days: 14 });
  });

  it("prices the entered rate, and says what is wrong with one that can't be chosen", async () => {
    const { sent, onOrder } = await open({
      postAction: () => ({ messagetosign: message("2.5", 7), action_id: "a-1" }),
    });
    await userEvent.click(await economy());
    const rate = screen.getByLabelText<HTMLInputElement>(words.rate);
    for (const [typed, error] of [
      ["0.5", words.tooLow("1")],
      ["7.5", words.tooHigh("7.499", "7.5")],
      ["slow", words.unreadable("4.249")],
    ] as const) {
      await userEvent.clear(rate);
      await userEvent.type(rate, typed);
      expect(screen.getByText(showing(error))).toBeTruthy();
      expect(rate.getAttribute("aria-invalid")).toBe("true");
      expect(proceed().disabled).toBe(true);
      expect(screen.queryByLabelText(later.fees.title)).toBeNull();
    }
    await userEvent.clear(rate);
    await userEvent.type(rate, "2,5");
    await userEvent.selectOptions(screen.getByLabelText(words.limit), "7");
    await waitFor(() => expect(total()).toContain("2,894"));
    await userEvent.click(proceed());
    await waitFor(() => expect(onOrder).toHaveBeenCalled());
    expect(sent("postAction")[0]!["economy"]).toEqual({ feerate: 2.5, days: 7 });
  });

  it.each([
    ["rate", message("3.76", 14), words.otherRate("3.75")],
    ["limit", message("3.75", 28), /^The server's message doesn't have your limit of /],
    ["layout", message("3.75", 14).replace("you sign", "you sign (2)"), words.otherRate("3.75")],
  ])("signs nothing if the server changes the %s", async (_, changed, error) => {
    const { sent, signed, onOrder } = await open({
      postAction: () => ({ messagetosign: changed, action_id: "a-1" }),
    });
    await userEvent.click(await economy());
    await waitFor(() => expect(proceed().disabled).toBe(false));
    await userEvent.click(proceed());
    expect(await screen.findByText(showing(error))).toBeTruthy();
    expect([signed(), sent("signWalletAction").length]).toEqual([0, 0]);
    expect(onOrder).not.toHaveBeenCalled();
  });

  it("signs nothing if the server asks for economy delivery that was not chosen", async () => {
    const { signed } = await open();
    await economy();
    await userEvent.click(proceed());
    expect(await screen.findByText(words.unwanted)).toBeTruthy();
    expect(signed()).toBe(0);
  });

  it("is not offered at the lowest rate", async () => {
    const none = estimate();
    delete none.economy;
    await open({ estimateAction: () => ({ ...none, economy_unavailable: "rate_at_minimum" }) });
    await waitFor(() => expect(proceed().disabled).toBe(false));
    expect(screen.queryByText(words.choose)).toBeNull();
    expect(screen.queryByText(words.nearRecovery)).toBeNull();
  });

  it("is not offered shortly before a recovery, and says so", async () => {
    const none = estimate();
    delete none.economy;
    await open({ estimateAction: () => ({ ...none, economy_unavailable: "near_recovery" }) });
    expect(await screen.findByText(words.nearRecovery)).toBeTruthy();
    expect(screen.queryByText(words.choose)).toBeNull();
  });

  it("offers the days that are possible before a recovery, also after a refusal", async () => {
    let days = 28;
    const refused = "Choose at most 9 days.";
    await open({
      estimateAction: (body) => {
        const answer = estimate(body["economy"] as Wire["EconomyRequest"] | undefined);
        return { ...answer, economy: { ...answer.economy!, max_days: days } };
      },
      postAction: () => {
        days = 9;
        return new Refusal(refused);
      },
    });
    await userEvent.click(await economy());
    await waitFor(() => expect(proceed().disabled).toBe(false));
    await userEvent.click(proceed());
    expect(await screen.findByText(refused)).toBeTruthy();
    expect(await screen.findByText(words.daysNear(9))).toBeTruthy();
    const limit = screen.getByLabelText<HTMLSelectElement>(words.limit);
    expect([...limit.options].map(({ value }) => value)).toEqual(["1", "3", "7", "9"]);
    expect(limit.value).toBe("9");
    // With the longest limit, no time to choose is left after it.
    expect(screen.getByText(words.endsNear(9))).toBeTruthy();
    expect(screen.queryByText(/ you choose: /)).toBeNull();
    await userEvent.selectOptions(limit, "3");
    expect(await screen.findByText(/ you choose: wait longer, /)).toBeTruthy();
    expect(screen.getByText(words.endsNear(9))).toBeTruthy();
  });
});

describe("one transaction", () => {
  const oneTx = later.oneTx;
  const offered = { community: () => community({ features: ["one_tx"] }) };
  const quote = golden<Wire["OneTxEstimate"]>("estimateOneTx");
  const radio = () => screen.findByRole("radio", { name: new RegExp(`^${oneTx.option}`) });

  it("is not mentioned while the server doesn't offer it", async () => {
    const { sent } = await open();
    await economy();
    expect(screen.queryByRole("radio", { name: new RegExp(`^${oneTx.option}`) })).toBeNull();
    expect(sent("estimateOneTx")).toEqual([]);
  });

  it("is offered with its price, and is the default once its price is known", async () => {
    let respond = (): void => {};
    const held = new Promise<void>((resolve) => (respond = resolve));
    const { sent } = await open({ ...offered, estimateOneTx: () => held.then(() => quote) });
    const option = (await radio()) as HTMLInputElement;
    expect([option.checked, option.disabled, proceed().disabled]).toEqual([false, true, true]);
    await userEvent.click(screen.getByRole("radio", { name: new RegExp(`^${oneTx.order}`) }));
    expect(proceed().disabled).toBe(false); // the payment order was chosen
    respond();
    await waitFor(() => expect(option.disabled).toBe(false));
    expect(option.checked).toBe(false);
    expect(screen.getByText("2,518")).toBeTruthy(); // 1,972 and 546 sats
    expect(screen.getByText(showing(words.saves("2,071")))).toBeTruthy();
    expect(within(option.closest("label")!).getByText(words.cheapest.oneTx)).toBeTruthy();
    expect(praised()).toEqual([option]);
    expect(screen.queryByText(words.cheapest.economy)).toBeNull();
    expect(sent("estimateOneTx")[0]).toMatchObject({ utxos: UNITS, w_wallet_code_pk: session.payment.publicKey });
    option.focus();
    await userEvent.keyboard(" ");
    expect(total()).toContain("2,518");
    expect(screen.getByText(oneTx.unchecked)).toBeTruthy();
    expect(screen.getByRole("button", { name: oneTx.continue })).toBeTruthy();
  });

  it("is not the default if the payment order is cheaper, and the cheapest is marked with the reason", async () => {
    const none = estimate();
    delete none.economy;
    await open({
      ...offered,
      estimateAction: () => ({ ...none, economy_unavailable: "rate_at_minimum" }),
      estimateOneTx: () => ({ ...quote, fee: 9_000 }),
    });
    const option = (await radio()) as HTMLInputElement;
    await waitFor(() => expect(option.disabled).toBe(false));
    expect(option.checked).toBe(false);
    expect(proceed().disabled).toBe(false);
    const normal = screen.getByRole<HTMLInputElement>("radio", { name: new RegExp(`^${oneTx.order}`), checked: true });
    expect(within(normal.closest("label")!).getByText(words.cheapest.order)).toBeTruthy();
  });

  it("says why it is not possible; the payment order stays", async () => {
    const { onOrder } = await open({
      ...offered,
      estimateOneTx: () => new Refusal("No coins."),
      postAction: () => ({ messagetosign: "Moon Fund: read before you sign", action_id: "a-1" }),
    });
    expect(await screen.findByText(oneTx.impossible("No coins."))).toBeTruthy();
    await userEvent.click(proceed());
    await waitFor(() => expect(onOrder).toHaveBeenCalled());
  });

  it("is not offered for rewards, and says how many of the units are rewards", async () => {
    const { sent } = await open(offered, ["reward:3:0011223344556677", "unit-1"]);
    expect(await screen.findByText(oneTx.impossible(oneTx.rewards(1, 2)))).toBeTruthy();
    expect(sent("estimateOneTx")).toEqual([]);
  });

  it("is chosen for the order, which has the wallet sign the transaction", async () => {
    const { onOrder } = await open({
      ...offered,
      estimateOneTx: () => quote,
      postAction: () => ({ messagetosign: "Moon Fund: read before you sign", action_id: "a-1" }),
      signWalletAction: () => ({ transaction_created: true, payment_order: order() }),
    });
    const option = (await radio()) as HTMLInputElement;
    await waitFor(() => expect(option.checked).toBe(true));
    await userEvent.click(screen.getByRole("button", { name: oneTx.continue }));
    await waitFor(() => expect(onOrder).toHaveBeenCalled());
    const { result } = renderHook(() => useOneTxRun(order().po_order_id));
    expect(result.current).toMatchObject({ queued: true, quote: { fee: 1_972n } });
  });
});
