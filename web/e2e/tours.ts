import type { Page } from "@playwright/test";
import { alter, pathOf, withoutFigures } from "./alter.ts";
import type { Network } from "./network.ts";
import { expect } from "./test.ts";
import { chooseOrder, type Staker } from "./staker.ts";
import { text } from "../src/lib/text/en.ts";
import { guide } from "../src/lib/text/en.guide.ts";
import { later } from "../src/lib/text/en.later.ts";
import { etching } from "../src/lib/text/en.etching.ts";

/** The fixtures of a tour through the product; `inspect` is called at every screen and state, with its name. */
export interface Tour {
  page: Page;
  staker: Staker;
  network: Network;
  inspect(name: string): Promise<void>;
}

/** Every screen and state, in four tours. Each begins with a new page. */
export const tours: Record<string, (tour: Tour) => Promise<void>> = {
  "the pages": pages,
  "the wallets": wallets,
  "a stake": stake,
  "the orders": orders,
};

async function pages({ page, network, staker, inspect }: Tour): Promise<void> {
  await page.goto(network.url("www"));
  await inspect("landing");
  for (const question of await page.locator("summary").all()) await question.click();
  await inspect("landing-answers");
  await page.goto(`${network.url("www")}/terms`);
  await page.getByRole("heading", { name: "Terms", level: 1 }).waitFor();
  await inspect("landing-terms");
  await page.goto(`${network.url("lobo")}/terms`);
  await page.getByRole("heading", { name: "Terms", level: 1 }).waitFor();
  await inspect("terms");
  await page.goto(`${network.url("lobo")}/etch`);
  await page.getByLabel(etching.name, { exact: true }).waitFor();
  await inspect("etch");
  await page.getByRole("tab", { name: "Mint", exact: true }).click();
  await inspect("mint");
  await page.goto(`${network.url("lobo")}/zzz`);
  await page.getByRole("heading", { name: text.pages.notFound }).waitFor();
  await inspect("not-found");
  await staker.open();
  await page.getByRole("region", { name: text.visit.title }).waitFor();
  await inspect("disconnected");
  await page.goto(`${network.url("lobo")}/proofs`);
  await page.getByRole("heading", { name: text.pages.proofs, level: 1 }).waitFor();
  await inspect("proofs");
  await page.goto(network.url("wolf"));
  await inspect("missing-community");
  for (const path of ["trust", "recover"]) {
    await page.goto(`${network.url("lobo")}/${path}`);
    await page.getByRole("navigation", { name: guide.contents }).waitFor();
    await inspect(path);
  }
  await staker.open();
  await alter(page, "status", (data) => ({ ...data, catching_up: true }));
  await alter(page, "infoGlobals", (data) => ({ ...data, frontNotice: "The treasury was filled again on Monday." }));
  await withoutFigures(page);
  await page.reload();
  await page.getByText(text.epoch.catchingUp).waitFor();
  await inspect("catching-up");
  await page.unrouteAll();
  await withoutFigures(page);
  for (const call of ["infoGlobals", "events", "epochs"]) await page.route(pathOf(call), (route) => route.abort());
  await page.reload();
  await page.getByText(text.epoch.unreachable).waitFor();
  await inspect("unreachable");
  await page.unrouteAll();
  // Responses that never arrive, to show the loading states.
  await withoutFigures(page);
  for (const call of ["infoGlobals", "epochs", "community"]) await page.route(pathOf(call), () => {});
  await page.reload();
  await page.getByRole("tablist").waitFor();
  await inspect("loading");
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
  await inspect("error");
}

async function wallets({ page, staker, network, inspect }: Tour): Promise<void> {
  await page.addInitScript(() => {
    (window as any).LongName = { request: () => new Promise(() => {}) };
    (window as any).btc_providers = [
      { id: "LongName", name: "<b>Thewalletwithaverylongnamethatneverends</b> of all", icon: "" },
    ];
  });
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const tile = (name: string) =>
    page.getByRole("dialog").getByRole("listitem").getByRole("button").filter({ hasText: name });
  await tile("Xverse").waitFor();
  await inspect("wallets");
  await tile("Xverse").click();
  await inspect("wallet-install");
  await tile("Thewallet").click();
  await inspect("wallet-opening");
  await tile("Moon Dev Wallet").click();
  await staker.answer("Let this site see your account?", "Reject");
  await page.getByRole("button", { name: "Retry" }).waitFor();
  await inspect("wallet-refused");
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog", { name: "Let this site see your account?" }).waitFor();
  await inspect("wallet-asks");
  await staker.answer("Let this site see your account?", "Connect");
  await page.getByRole("button", { name: "Disconnect" }).waitFor();
  await page.getByText(/^You don't have any LOBO yet/).waitFor();
  await inspect("stake-no-runes");
  for (const tab of ["Rewards", "Unstake", "Withdraw"] as const) {
    await staker.tab(tab);
    await inspect(`${tab.toLowerCase()}-empty`);
  }
  await page.route("**/dev/wallet.js", (route) => route.abort());
  await page.evaluate(() => localStorage.clear());
  await page.addInitScript(() => delete (window as any).btc_providers);
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("dialog", { name: "Don't have a wallet?" }).waitFor();
  await inspect("no-wallet");
  await page.unrouteAll();
  await page.goto(network.url("dummy"));
  await page.locator("#root[data-app] main").waitFor(); // the server's first paint has the note, too
  await page.getByText(text.pages.testNote).waitFor();
  await inspect("test-community");
  await staker.connect();
  await inspect("test-community-connected");
}

async function stake({ page, staker, network, inspect }: Tour): Promise<void> {
  await staker.open();
  await staker.connect();
  await staker.faucet();
  let tab = await staker.tab("Stake");
  await expect(tab.getByTestId("balance")).toHaveText("1,000,000");
  await tab.getByLabel("Amount to stake").fill("10.000");
  await tab.getByText(/^We can't tell if this means/).waitFor();
  await inspect("stake-unclear");
  await tab.getByRole("button", { name: "Half" }).click();
  await inspect("stake-half");
  await tab.getByRole("button", { name: /^Stake / }).click();
  await page.getByRole("dialog", { name: "Sign this message?" }).waitFor();
  await inspect("stake-prove");
  await staker.answer("Sign this message?", "Reject");
  await tab.getByRole("alert").waitFor();
  await inspect("stake-unproven");
  await tab.getByRole("button", { name: "Sign a test transaction instead" }).click();
  const test = page.getByRole("dialog", { name: "Sign this transaction?" });
  await test.getByRole("button", { name: "Sign", exact: true }).click();
  await tab.getByText(later.rehearsal.confirm).waitFor({ state: "attached" });
  await test.waitFor(); // the next question has the same name
  await inspect("stake-rehearsal");
  await staker.answer("Sign this transaction?", "Reject");
  await tab.getByRole("alert").waitFor();
  await inspect("stake-rehearsal-declined");
  await tab.getByRole("button", { name: "Try again" }).click();
  await staker.answer("Sign this transaction?", "Sign");
  await page.getByRole("dialog", { name: "Send runes?" }).waitFor();
  await inspect("stake-wallet-asks");
  await staker.answer("Send runes?", "Reject");
  await tab.getByRole("alert").waitFor({ timeout: 20_000 });
  await inspect("stake-rejected");
  await staker.trustPage();
  await tab.getByRole("button", { name: "Try again" }).click();
  await tab.getByRole("button", { name: /^Stake / }).click();
  await tab.getByText(/^Received\. Your stake is likely to earn from epoch \d+/).waitFor();
  await inspect("stake-seen");
  await staker.tab("Unstake");
  await inspect("unstake-pending");
  await network.mine(3);
  await network.advanceEpoch();
  tab = await staker.tab("Stake");
  await tab.getByText("Your stake is earning rewards.").waitFor();
  await inspect("stake-counted");
  await tab.getByRole("button", { name: "Stake more" }).click();
  await inspect("stake-again");
  for (let i = 0; i < 3; i++) await network.advanceEpoch();
  const rewards = await staker.tab("Rewards");
  await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  await inspect("rewards");
  await rewards.getByRole("button", { name: text.rewards.compound }).click();
  await rewards.getByText(/will earn rewards from the next epoch/).waitFor();
  await inspect("rewards-compounded");
  const unstake = await staker.tab("Unstake");
  await unstake.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await inspect("unstake-selected");
  await unstake.getByRole("button", { name: "Unstake 500,000 LOBO" }).click();
  const question = page.getByRole("dialog", { name: "Unstake 500,000 LOBO?" });
  await question.waitFor();
  await inspect("unstake-question");
  await question.getByRole("button", { name: "Unstake", exact: true }).click();
  await unstake.getByText(text.unstake.done("500,000", "LOBO")).waitFor();
  await inspect("unstake-done");
  const withdraw = await staker.tab("Withdraw");
  await inspect("withdraw-cooldown");
  await network.advanceEpoch();
  await network.advanceEpoch();
  await withdraw.getByRole("checkbox", { name: "Select all" }).check();
  await inspect("withdraw-selected");
  await withdraw.getByRole("button", { name: "Withdraw", exact: true }).click();
  const costs = page.getByRole("dialog", { name: "Withdraw" });
  await costs.getByLabel(later.fees.title).waitFor();
  await inspect("withdraw-costs");
  await chooseOrder(costs);
  await costs.getByRole("button", { name: "Continue to payment" }).click();
  await staker.order.button(later.order.payWallet).waitFor();
  await staker.order.close();
  await withdraw.getByText(text.withdraw.poLocked).waitFor();
  await inspect("withdraw-locked");
  for (const call of ["fetchWalletUtxos", "postInfoWallet"])
    await page.route(pathOf(call), (route) => route.fulfill({ status: 500, body: "<html>" }));
  await page.reload();
  await page.getByRole("button", { name: "Try again" }).first().waitFor();
  await inspect("withdraw-failed");
}

async function orders({ page, staker, network, inspect }: Tour): Promise<void> {
  const { order } = staker;
  const scrolledTo = (end: boolean) =>
    order.dialog.evaluate((dialog, down) => dialog.scrollTo(0, down ? dialog.scrollHeight : 0), end);
  await staker.arrive();
  await staker.becomeStaker();
  await network.advanceEpoch();
  const rewards = await staker.tab("Rewards");
  await rewards.getByRole("button", { name: "Claim", exact: true }).click();
  const costs = page.getByRole("dialog", { name: "Claim rewards" });
  await costs.getByLabel(later.fees.title).waitFor();
  await inspect("claim-costs");
  await staker.distrustPage();
  await costs.getByRole("button", { name: "Continue to payment" }).click();
  await page.getByRole("dialog", { name: "Sign this message?" }).waitFor();
  await inspect("claim-wallet-asks");
  await staker.answer("Sign this message?", "Sign");
  const address = await order.address();
  await order.dialog.getByRole("img", { name: /^QR code/ }).waitFor();
  await inspect("order-pending");
  await scrolledTo(true);
  await inspect("order-pending-end");
  await network.pay(address, 1000);
  await order.dialog.getByText("Still due", { exact: true }).waitFor();
  await scrolledTo(false);
  await inspect("order-part-paid");
  await scrolledTo(true);
  await inspect("order-part-paid-end");
  await network.advanceClock(31 * 60);
  await order.button("Rerate order").waitFor();
  await scrolledTo(false);
  await inspect("order-rerate");
  await order.button(later.order.cancel).click();
  await scrolledTo(true);
  await inspect("order-cancel");
  await order.button("Keep the order").click();
  await order.close();
  await inspect("rewards-active-order");
  await rewards.getByRole("button", { name: text.rewards.openOrder }).click();
  await order.button("Rerate order").click();
  await order.button(later.order.payWallet).click();
  await staker.answer("Send bitcoin?", "Reject");
  await order.dialog.getByRole("alert").waitFor({ timeout: 20_000 });
  await inspect("order-payment-rejected");
  await order.button(later.order.payWallet).click();
  await staker.answer("Send bitcoin?", "Send");
  await order.dialog.getByText(later.order.completeUnconfirmed).waitFor();
  await inspect("order-all-paid");
  await network.mine();
  await network.advanceClock(10);
  await expect(order.step).toHaveText("Sent");
  await inspect("order-sent");
  await network.mine(3);
  await expect(order.step).toHaveText("Delivered");
  await inspect("order-delivered");
  const delivery = await order.dialog.getByRole("link", { name: /^[0-9a-f]{64}/ }).getAttribute("href");
  await order.close();
  await inspect("rewards-delivered");
  await rewards.getByRole("button", { name: later.history.showAll() }).last().click();
  await inspect("rewards-all-activity");
  // States that need a user's action or a rare event.
  await rewards.getByRole("button", { name: /Delivered/ }).click();
  for (const status of ["CANCELED", "EXPIRED", "INVALID", "AUDIT"]) {
    await alter(page, "fetchClientPOs", ({ orders }) => ({
      orders: orders.map((one: object) => ({ ...one, po_status: status, po_payout_txid: null })),
    }));
    await page.reload();
    await order.dialog.getByTestId("order-status").waitFor();
    await inspect(`order-${status.toLowerCase()}`);
  }
  await page.goto(new URL(delivery!, network.url("lobo")).href);
  await page.getByText(/^[0-9]+ confirmations/).waitFor();
  await inspect("transaction");
  await page.unrouteAll();
  await page.evaluate(() => localStorage.clear());
  await staker.open();
  await page.getByRole("region", { name: text.visit.earned.title }).waitFor();
  await inspect("disconnected-rewards");
}
