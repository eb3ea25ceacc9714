import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { golden } from "../testing/golden.ts";
import { installWallet, Refusal, serve, show } from "../testing/page.tsx";
import {
  community,
  epochs,
  infoGlobals,
  infoWallet,
  orders,
  session,
  stakeTarget,
  status,
  units,
} from "../testing/wire.ts";
import { disconnectWallet } from "../session/session.ts";
import { DashboardPage } from "./DashboardPage.tsx";
import { text } from "../lib/text.ts";
import { walletErrors } from "../lib/text/en.wallet.ts";
import { later } from "../lib/laterText.ts";

const base = {
  autoCompound: () => golden<object>("autoCompound.none"),
  earnings: () => golden<object>("earnings.none"),
  activity: () => ({ activity: [] }),
  infoGlobals: () => infoGlobals(),
  status: () => status(),
  community: () => community(),
  epochs: () => ({ epochs: epochs() }),
  postInfoWallet: () => infoWallet(),
  fetchWalletUtxos: () => ({ utxos_list: units() }),
  fetchClientPOs: () => ({ orders: [] as unknown[] }),
};

const accounts = [
  { ...session.payment, purpose: "payment", addressType: "p2wpkh", walletType: "software" },
  { ...session.ordinals, purpose: "ordinals", addressType: "p2tr", walletType: "software" },
];
const balances = [
  {
    runeName: "LOBO•THE•WOLF•PUP",
    amount: "1234567800000",
    divisibility: 8,
    symbol: "W",
    inscriptionId: null,
    spendableBalance: "1234567800000",
  },
];
const replies = {
  wallet_requestPermissions: () => ({ result: true }),
  getAccounts: () => ({ result: accounts }),
  runes_getBalance: () => ({ result: { balances } }),
  signMessage: () => ({
    result: { signature: "c2ln", messageHash: "", address: session.ordinals.address, protocol: "BIP322" },
  }),
};

beforeEach(async () => {
  await disconnectWallet();
});

async function connect(extra: Parameters<typeof serve>[0] = {}, wallet: Parameters<typeof installWallet>[0] = {}) {
  const server = serve({ ...base, ...extra });
  const { requests } = installWallet({ ...replies, ...wallet });
  show(<DashboardPage />);
  await userEvent.click(screen.getByRole("button", { name: "Connect" }));
  await userEvent.click(await screen.findByRole("button", { name: /Test Wallet/ }));
  await screen.findByRole("button", { name: "Disconnect" });
  return { server, requests };
}

const tab = (name: string) => userEvent.click(screen.getByRole("tab", { name }));

describe("dashboard", () => {
  it("shows only Connect in every tab", async () => {
    serve(base);
    show(<DashboardPage />);
    for (const name of ["Stake", "Rewards", "Unstake", "Withdraw"]) {
      await tab(name);
      expect(screen.getByRole("tabpanel").textContent).toBe(text.tabs.connect);
      expect(screen.getByRole("tabpanel").childElementCount).toBe(1);
    }
    await userEvent.click(screen.getByRole("button", { name: text.tabs.connect }));
    expect(await screen.findByRole("dialog")).toBeTruthy();
  });

  it("connects, shows six characters at each end, and forgets everything on disconnect", async () => {
    await connect();
    expect(screen.getByText("bcrt1p…c8gma6")).toBeTruthy();
    expect(await screen.findAllByText("0.0114%")).toBeTruthy();
    expect(localStorage.length).toBeGreaterThan(0);
    await userEvent.click(screen.getByRole("button", { name: "Disconnect" }));
    expect(screen.getByRole("button", { name: "Connect" })).toBeTruthy();
    expect(localStorage).toHaveLength(0);
  });

  it("shows the seven figures in the order of the specification", async () => {
    await connect();
    const { totalStaked, pendingStake, pendingUnstake, yourStake, claimable, share, unlocked } = text.figures;
    const terms = screen.getAllByRole("region", { name: text.figures.title }).at(-1)!.querySelectorAll("dt");
    expect([...terms].map(({ textContent }) => textContent)).toEqual([
      totalStaked,
      pendingStake,
      pendingUnstake,
      yourStake,
      claimable,
      share,
      unlocked,
    ]);
  });

  it("offers to check a reward in the Stake tab only to a staker, and in the Rewards tab to everybody", async () => {
    await connect({ postInfoWallet: () => infoWallet({ wallet_staked: "0" }) });
    await screen.findByLabelText(text.stake.amount);
    expect(screen.queryByRole("button", { name: later.history.check })).toBeNull();
    await tab("Rewards");
    expect(await screen.findByRole("button", { name: later.history.check })).toBeTruthy();
    await disconnectWallet();
    cleanup();
    await connect();
    expect(await screen.findByRole("button", { name: later.history.check })).toBeTruthy();
  });

  it("offers to reconnect when the wallet no longer grants permission", async () => {
    let granted = false;
    serve(base);
    installWallet({
      ...replies,
      runes_getBalance: () => (granted ? { result: { balances } } : { error: { code: -32002, message: "No." } }),
    });
    show(<DashboardPage />);
    await userEvent.click(screen.getByRole("button", { name: "Connect" }));
    await userEvent.click(await screen.findByRole("button", { name: /Test Wallet/ }));
    expect((await screen.findByRole("alert")).textContent).toContain("no longer shares an account with this page");
    expect(screen.queryByText("bcrt1p…c8gma6")).toBeNull();
    granted = true;
    await userEvent.click(screen.getByRole("button", { name: "Reconnect" }));
    expect(await screen.findByText("bcrt1p…c8gma6")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("keeps the account if another wallet or account is rejected", async () => {
    let refuses = false;
    const refusal = { error: { code: -32000, message: "No." } };
    await connect({}, { wallet_requestPermissions: () => (refuses ? refusal : { result: true }) });
    refuses = true;
    await userEvent.click(screen.getByRole("button", { name: "Switch account" }));
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.click(dialog.getByRole("button", { name: /Test Wallet/ }));
    expect(await dialog.findByRole("alert")).toBeTruthy();
    expect(screen.getByText("bcrt1p…c8gma6")).toBeTruthy();
    expect(localStorage.getItem("moonfund.wallet.session")).not.toBeNull();
  });

  it("says why a connection failed and keeps no provider", async () => {
    serve(base);
    installWallet({ ...replies, getAccounts: () => ({ result: accounts.slice(0, 1) }) });
    show(<DashboardPage />);
    await userEvent.click(screen.getByRole("button", { name: "Connect" }));
    await userEvent.click(await screen.findByRole("button", { name: /Test Wallet/ }));
    expect((await screen.findByRole("alert")).textContent).toContain(walletErrors.incompatible);
    expect(localStorage.getItem("moonfund.wallet.provider")).toBeNull();
  });

  it("treats an unknown wallet as empty", async () => {
    await connect({ postInfoWallet: () => new Refusal("Wallet does not exist", "WALLET_DOES_NOT_EXIST") });
    expect(await screen.findAllByText("0%")).toBeTruthy();
  });

  it("shows fallback figures if the server can't be reached", async () => {
    serve({ ...base, infoGlobals: () => new Refusal("") });
    show(<DashboardPage />);
    expect(await screen.findByText(text.epoch.unreachable)).toBeTruthy();
    const epoch = within(screen.getByRole("region", { name: "Epoch" }));
    expect(epoch.getByText("-1")).toBeTruthy();
    expect(epoch.getByText("21M").getAttribute("title")).toContain("21,000,000");
  });

  it("stakes base units, shows the transaction and the steps", async () => {
    const txid = "ab".repeat(32);
    const { server, requests } = await connect(
      {
        postDemoStake: () => stakeTarget(),
        signWalletAction: () => ({ transaction_created: true, payment_order: null }),
      },
      { runes_transfer: () => ({ result: { txid } }) },
    );
    await screen.findByText("12,345.678");
    // The page has stored a proof that this wallet can sign, and that it passed the rehearsal.
    const proof = { wallet: "TestWallet", address: session.ordinals.address, form: "message", rehearsal: "signed" };
    localStorage.setItem("moonfund.wallet.proofs", JSON.stringify([proof]));
    localStorage.setItem("moonfund.wallet.session", JSON.stringify(session));
    await userEvent.type(screen.getByRole("spinbutton"), "1012.5");
    await userEvent.click(screen.getByRole("button", { name: /^Stake 1,012.5/ }));
    expect(await screen.findByText(`Broadcasted tx id : ${txid}`)).toBeTruthy();
    const address = stakeTarget().stake_addrss;
    expect(screen.getByText(address)).toBeTruthy();
    expect(server.calls.find(([call]) => call === "postDemoStake")?.[1]).toMatchObject({ wa_amount: "101250000000" });
    expect(server.calls.find(([call]) => call === "signWalletAction")?.[1]).toMatchObject({
      wa_action_id: "a-1",
      wa_action_type: "STAKE",
      txid,
    });
    expect(requests.find(([method]) => method === "runes_transfer")?.[1]).toEqual({
      recipients: [{ runeName: "LOBO•THE•WOLF•PUP", amount: "101250000000", address }],
    });
  });

  it("lets the user continue when the wallet never answers", async () => {
    const { server } = await connect({ postAction: () => ({ messagetosign: "Unstake", action_id: "a-2" }) });
    await tab("Unstake");
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all" }));
    vi.stubGlobal("TestWallet", { request: () => new Promise(() => {}), addListener: () => () => {} });
    await userEvent.click(screen.getByRole("button", { name: /^Unstake \d/ }));
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Unstake" }));
    await userEvent.click(await screen.findByRole("button", { name: later.payment.giveUp }));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain(text.action.failedToSign("UNSTAKE", "Test Wallet"));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Unstake \d/ }).disabled).toBe(false);
    expect(screen.getByRole("button", { name: "Sign a test transaction instead" })).toBeTruthy();
    expect(server.calls.map(([call]) => call)).not.toContain("signWalletAction");
  });

  it("unstakes what was selected, after a signature", async () => {
    const { server } = await connect({
      postAction: () => ({ messagetosign: "Unstake", action_id: "a-2" }),
      signWalletAction: () => ({ transaction_created: true, payment_order: null }),
    });
    await tab("Unstake");
    const submit = await screen.findByRole<HTMLButtonElement>("button", { name: "Unstake" });
    expect(submit.disabled).toBe(true);
    await userEvent.click(screen.getByRole("checkbox", { name: "Select all" }));
    expect(screen.getByText(/^2 selected, 1,204,500/)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Reset" }));
    expect(screen.getByText("Nothing selected")).toBeTruthy();
    await userEvent.click(screen.getAllByRole("checkbox", { name: /Staked/ })[1]!);
    await userEvent.click(screen.getByRole("button", { name: /^Unstake 4,500/ }));
    await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Unstake" }));
    expect(await screen.findByText(/4,500.*unstaked/)).toBeTruthy();
    expect(server.calls.find(([call]) => call === "postAction")?.[1]).toMatchObject({
      utxos: ["reward-31"],
      wa_action_type: "UNSTAKE",
    });
    expect(server.calls.find(([call]) => call === "signWalletAction")?.[1]).toMatchObject({
      wa_action_id: "a-2",
      signature: "c2ln",
    });
  });

  it("names the action and the wallet when signing fails", async () => {
    await connect(
      { postAction: () => ({ messagetosign: "Compound", action_id: "a-3" }) },
      { signMessage: () => ({ error: { code: -32000, message: "no" } }) as never },
    );
    await tab("Rewards");
    await userEvent.click(await screen.findByRole("button", { name: text.rewards.compound }));
    expect(await screen.findByText(text.action.failedToSign("COMPOUND", "Test Wallet"))).toBeTruthy();
  });

  it("disables the reward buttons without rewards, and Claim during an active order", async () => {
    await connect({ fetchClientPOs: () => ({ orders: orders() }) });
    await tab("Rewards");
    expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Claim" })).disabled).toBe(true);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: text.rewards.compound }).disabled).toBe(false);
    // The search covers the orders that are not shown yet.
    await userEvent.type(screen.getByRole("searchbox", { name: "Search by status" }), "rerate");
    expect(screen.getByText("Rerate needed")).toBeTruthy();
    expect(screen.queryByText("Delivered")).toBeNull();
  });

  it("makes a single claim order searchable", async () => {
    const [first] = orders().filter((one) => one.wa_action_type === "CLAIM");
    await connect({ fetchClientPOs: () => ({ orders: [first] }) });
    await tab("Rewards");
    await userEvent.type(await screen.findByRole("searchbox", { name: text.rewards.searchOrders }), "no such");
    expect(screen.getByText(text.common.noMatch)).toBeTruthy();
  });

  it("shows the costs before a withdrawal", async () => {
    await connect({
      estimateAction: () => golden("estimateAction"),
    });
    await tab("Withdraw");
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select all" }));
    await userEvent.click(screen.getByRole("button", { name: "Withdraw" }));
    const dialog = within(screen.getByRole("dialog"));
    // The price of the speed "Now", and the total of the table.
    expect(await dialog.findAllByText("4,589")).toHaveLength(2);
    expect(dialog.getByText(text.withdraw.warning)).toBeTruthy();
    expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Continue to payment" }).disabled).toBe(false);
  });
});
