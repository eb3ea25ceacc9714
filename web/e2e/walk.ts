import type { Page } from "@playwright/test";
import { alter, pathOf, withoutFigures } from "./alter.ts";
import type { Network } from "./network.ts";
import { expect } from "./test.ts";
import type { Staker } from "./staker.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";
import { etching } from "../src/lib/text/en.etching.ts";

/** The fixtures of a walk through the product; `look` is called at every screen and state, with its name. */
export interface Walk {
  page: Page;
  staker: Staker;
  network: Network;
  look(name: string): Promise<void>;
}

/** Every screen and state, in four walks. Each begins with a new page. */
export const walks: Record<string, (walk: Walk) => Promise<void>> = {
  "the pages": pages,
  "the wallets": wallets,
  "a stake": stake,
  "the orders": orders,
};

async function pages({ page, network, staker, look }: Walk): Promise<void> {
  await page.goto(network.url("www"));
  await look("landing");
  for (const question of await page.locator("summary").all()) await question.click();
  await look("landing-answers");
  await page.goto(`${network.url("www")}/terms`);
  await page.getByRole("heading", { name: "Terms", level: 1 }).waitFor();
  await look("landing-terms");
  await page.goto(`${network.url("lobo")}/terms`);
  await page.getByRole("heading", { name: "Terms", level: 1 }).waitFor();
  await look("terms");
  await page.goto(`${network.url("lobo")}/etch`);
  await page.getByLabel(etching.name, { exact: true }).waitFor();
  await look("etch");
  await page.getByRole("tab", { name: "Mint", exact: true }).click();
  await look("mint");
  await page.goto(`${network.url("lobo")}/zzz`);
  await page.getByRole("heading", { name: text.pages.notFound }).waitFor();
  await look("not-found");
  await staker.open();
  await page.getByRole("region", { name: text.visit.title }).waitFor();
  await look("disconnected");
  await page.goto(`${network.url("lobo")}/proofs`);
  await page.getByRole("heading", { name: text.pages.proofs, level: 1 }).waitFor();
  await look("proofs");
  await page.goto(network.url("wolf"));
  await look("missing-community");
  await staker.open();
  await alter(page, "status", (data) => ({ ...data, catching_up: true }));
  await alter(page, "infoGlobals", (data) => ({ ...data, frontNotice: "The treasury was filled again on Monday." }));
  await withoutFigures(page);
  await page.reload();
  await page.getByText(text.epoch.catchingUp).waitFor();
  await look("catching-up");
  await page.unrouteAll();
  await withoutFigures(page);
  for (const call of ["infoGlobals", "events", "epochs"]) await page.route(pathOf(call), (route) => route.abort());
  await page.reload();
  await page.getByText(text.epoch.unreachable).waitFor();
  await look("unreachable");
  await page.unrouteAll();
  // Responses that never arrive, to show the loading states.
  await withoutFigures(page);
  for (const call of ["infoGlobals", "epochs", "community"]) await page.route(pathOf(call), () => {});
  await page.reload();
  await page.getByRole("tablist").waitFor();
  await look("loading");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.addInitScript(() => {
    const parse = JSON.parse;
    JSON.parse = (text, reviver) => {
      const value = parse(text, reviver);
      return value?.variant ? { ...value, tagline: { not: "a text" } } : value;
    };
  });
  await page.goto(network.url("lobo"));
  await page.getByRole("heading", { name: text.pages.error }).waitFor();
  await look("error");
}

async function wallets({ page, staker, network, look }: Walk): Promise<void> {
  await page.addInitScript(() => {
    (window as any).LongName = { request: () => new Promise(() => {}) };
    (window as any).btc_providers = [
      { id: "LongName", name: "<b>Thewalletwithaverylongnamethatneverends</b> of all", icon: "" },
    ];
  });
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const tile = (name: string) =>
    page.getByRole("list", { name: "Wallets" }).getByRole("button").filter({ hasText: name });
  await tile("Xverse").waitFor();
  await look("wallets");
  await tile("Xverse").click();
  await look("wallet-install");
  await tile("Thewallet").click();
  await look("wallet-opening");
  await tile("Moon Dev Wallet").click();
  await staker.answer("Let this site see your account?", "Reject");
  await page.getByRole("button", { name: "Retry" }).waitFor();
  await look("wallet-refused");
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog", { name: "Let this site see your account?" }).waitFor();
  await look("wallet-asks");
  await staker.answer("Let this site see your account?", "Connect");
  await page.getByRole("button", { name: "Disconnect" }).waitFor();
  await page.getByText(/^You don't have any LOBO yet/).waitFor();
  await look("stake-no-runes");
  for (const tab of ["Rewards", "Unstake", "Withdraw"] as const) {
    await staker.tab(tab);
    await look(`${tab.toLowerCase()}-empty`);
  }
  await page.route("**/dev/wallet.js", (route) => route.abort());
  await page.evaluate(() => localStorage.clear());
  await page.addInitScript(() => delete (window as any).btc_providers);
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("dialog", { name: "Don't have a wallet?" }).waitFor();
  await look("no-wallet");
  await page.unrouteAll();
  await page.goto(network.url("dummy"));
  await page.getByText(text.pages.testNote).waitFor();
  await look("test-community");
  await staker.connect();
  await look("test-community-connected");
}

async function stake({ page, staker, network, look }: Walk): Promise<void> {
  await staker.open();
  await staker.connect();
  await staker.faucet();
  let tab = await staker.tab("Stake");
  await expect(tab.getByTestId("balance")).toHaveText("1,000,000");
  await tab.getByLabel("Amount to stake").fill("10.000");
  await tab.getByText(/^We can't tell if this means/).waitFor();
  await look("stake-unclear");
  await tab.getByRole("button", { name: "Half" }).click();
  await look("stake-half");
  await tab.getByRole("button", { name: /^Stake / }).click();
  await page.getByRole("dialog", { name: "Sign this message?" }).waitFor();
  await look("stake-prove");
  await staker.answer("Sign this message?", "Reject");
  await tab.getByRole("alert").waitFor();
  await look("stake-unproven");
  await tab.getByRole("button", { name: "Sign a test transaction instead" }).click();
  await staker.answer("Sign this transaction?", "Sign");
  await page.getByRole("dialog", { name: "Send runes?" }).waitFor();
  await look("stake-wallet-asks");
  await staker.answer("Send runes?", "Reject");
  await tab.getByRole("alert").waitFor({ timeout: 20_000 });
  await look("stake-rejected");
  await staker.trustPage();
  await tab.getByRole("button", { name: "Try again" }).click();
  await tab.getByRole("button", { name: /^Stake / }).click();
  await tab.getByText(/^Received\. Your stake is likely to earn from epoch \d+/).waitFor();
  await look("stake-seen");
  await staker.tab("Unstake");
  await look("unstake-pending");
  await network.mine(3);
  await network.advanceEpoch();
  tab = await staker.tab("Stake");
  await tab.getByText("Your stake is earning rewards.").waitFor();
  await look("stake-counted");
  await tab.getByRole("button", { name: "Stake more" }).click();
  await look("stake-again");
  for (let i = 0; i < 3; i++) await network.advanceEpoch();
  const rewards = await staker.tab("Rewards");
  await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  await look("rewards");
  await rewards.getByRole("button", { name: text.rewards.compound }).click();
  await rewards.getByText(/will earn rewards from the next epoch/).waitFor();
  await look("rewards-compounded");
  const unstake = await staker.tab("Unstake");
  await unstake.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await look("unstake-selected");
  await unstake.getByRole("button", { name: "Unstake 500,000 LOBO" }).click();
  const question = page.getByRole("dialog", { name: "Unstake 500,000 LOBO?" });
  await question.waitFor();
  await look("unstake-question");
  await question.getByRole("button", { name: "Unstake", exact: true }).click();
  await unstake.getByText(text.unstake.done("500,000", "LOBO")).waitFor();
  await look("unstake-done");
  const withdraw = await staker.tab("Withdraw");
  await look("withdraw-cooldown");
  await network.advanceEpoch();
  await network.advanceEpoch();
  await withdraw.getByRole("checkbox", { name: "Select all" }).check();
  await look("withdraw-selected");
  await withdraw.getByRole("button", { name: "Withdraw", exact: true }).click();
  const costs = page.getByRole("dialog", { name: "Withdraw" });
  await costs.getByLabel(text.fees.title).waitFor();
  await look("withdraw-costs");
  await costs.getByRole("button", { name: "Continue to payment" }).click();
  await staker.order.button(text.order.payWallet).waitFor();
  await staker.order.close();
  await withdraw.getByText(text.withdraw.poLocked).waitFor();
  await look("withdraw-locked");
  for (const call of ["fetchWalletUtxos", "postInfoWallet"])
    await page.route(pathOf(call), (route) => route.fulfill({ status: 500, body: "<html>" }));
  await page.reload();
  await page.getByRole("button", { name: "Try again" }).first().waitFor();
  await look("withdraw-failed");
}

async function orders({ page, staker, network, look }: Walk): Promise<void> {
  const { order } = staker;
  const scrolledTo = (end: boolean) =>
    order.dialog.evaluate((dialog, down) => dialog.scrollTo(0, down ? dialog.scrollHeight : 0), end);
  await staker.arrive();
  await staker.becomeStaker();
  await network.advanceEpoch();
  const rewards = await staker.tab("Rewards");
  await rewards.getByRole("button", { name: "Claim", exact: true }).click();
  const costs = page.getByRole("dialog", { name: "Claim rewards" });
  await costs.getByLabel(text.fees.title).waitFor();
  await look("claim-costs");
  await staker.distrustPage();
  await costs.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("dialog", { name: "Sign this message?" }).waitFor();
  await look("claim-wallet-asks");
  await staker.answer("Sign this message?", "Sign");
  const address = await order.address();
  await order.dialog.getByRole("img", { name: /^QR code/ }).waitFor();
  await look("order-pending");
  await scrolledTo(true);
  await look("order-pending-end");
  await network.pay(address, 1000);
  await order.dialog.getByText("Still due", { exact: true }).waitFor();
  await scrolledTo(false);
  await look("order-part-paid");
  await scrolledTo(true);
  await look("order-part-paid-end");
  await network.advanceClock(31 * 60);
  await order.button("Rerate order").waitFor();
  await scrolledTo(false);
  await look("order-rerate");
  await order.button("Cancel order").click();
  await scrolledTo(true);
  await look("order-cancel");
  await order.button("Keep the order").click();
  await order.close();
  await look("rewards-active-order");
  await rewards.getByRole("button", { name: text.rewards.openOrder }).click();
  await order.button("Rerate order").click();
  await order.button(text.order.payWallet).click();
  await staker.answer("Send bitcoin?", "Reject");
  await order.dialog.getByRole("alert").waitFor({ timeout: 20_000 });
  await look("order-payment-rejected");
  await order.button(text.order.payWallet).click();
  await staker.answer("Send bitcoin?", "Send");
  await order.dialog.getByText(text.order.completeUnconfirmed).waitFor();
  await look("order-all-paid");
  await network.mine();
  await network.advanceClock(10);
  await expect(order.step).toHaveText("Sent");
  await look("order-sent");
  await network.mine(3);
  await expect(order.step).toHaveText("Delivered");
  await look("order-delivered");
  const delivery = await order.dialog.getByRole("link", { name: /^[0-9a-f]{64}/ }).getAttribute("href");
  await order.close();
  await look("rewards-delivered");
  await rewards.getByRole("button", { name: later.history.showAll() }).last().click();
  await look("rewards-all-activity");
  // States that need a user's action or a rare event.
  await rewards.getByRole("button", { name: /Delivered/ }).click();
  for (const status of ["CANCELED", "EXPIRED", "INVALID", "AUDIT"]) {
    await alter(page, "fetchClientPOs", ({ orders }) => ({
      orders: orders.map((one: object) => ({ ...one, po_status: status, po_payout_txid: null })),
    }));
    await page.reload();
    await order.dialog.getByTestId("order-status").waitFor();
    await look(`order-${status.toLowerCase()}`);
  }
  await page.goto(new URL(delivery!, network.url("lobo")).href);
  await page.getByText(/^[0-9]+ confirmations/).waitFor();
  await look("transaction");
}
