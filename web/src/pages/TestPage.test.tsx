import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { disconnectWallet } from "../session/session.ts";
import { installWallet, serve, show } from "../testing/page.tsx";
import { community, epochs, infoGlobals, infoWallet, session, status, units } from "../testing/wire.ts";
import TestPage from "./TestPage.tsx";
import { text } from "../lib/text.ts";

const answers = {
  infoGlobals: () => infoGlobals(),
  status: () => status(),
  community: () => community(),
  epochs: () => ({ epochs: epochs() }),
  postInfoWallet: () => infoWallet(),
  fetchWalletUtxos: () => ({ utxos_list: units() }),
  fetchClientPOs: () => ({ orders: [] }),
};

const accounts = [
  { ...session.payment, purpose: "payment", addressType: "p2wpkh", walletType: "software" },
  { ...session.ordinals, purpose: "ordinals", addressType: "p2tr", walletType: "software" },
];

afterEach(() => disconnectWallet());

describe("simplified dashboard", () => {
  it("shows figures, the countdown and Connect", async () => {
    serve(answers);
    show(<TestPage />);
    expect(screen.getByRole("region", { name: text.visit.title })).toBeTruthy();
    expect(screen.queryByRole("region", { name: text.figures.title })).toBeNull();
    expect(screen.getAllByRole("timer").length).toBeGreaterThan(0);
    expect(screen.getByText(text.pages.testNote)).toBeTruthy();
    expect(screen.queryByRole("tab")).toBeNull();
    expect(screen.queryByRole("link", { name: "Terms" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: text.tabs.connect }));
    expect(await screen.findByRole("dialog")).toBeTruthy();
  });

  it("has a plain form to stake and one to withdraw, side by side", async () => {
    serve(answers);
    installWallet({
      wallet_requestPermissions: () => ({ result: true }),
      getAccounts: () => ({ result: accounts }),
      runes_getBalance: () => ({ result: { balances: [] } }),
    });
    show(<TestPage />);
    await userEvent.click(screen.getByRole("button", { name: "Connect" }));
    await userEvent.click(await screen.findByRole("button", { name: /Test Wallet/ }));
    const stake = within(await screen.findByRole("region", { name: "Stake" }));
    expect(stake.getByRole("spinbutton")).toBeTruthy();
    const withdraw = within(screen.getByRole("region", { name: "Withdraw" }));
    expect(await withdraw.findByRole("button", { name: "Unstake" })).toBeTruthy();
    expect(await withdraw.findByRole("button", { name: "Withdraw" })).toBeTruthy();
    expect(withdraw.getByRole("button", { name: "Restake" })).toBeTruthy();
  });
});
