import { readFileSync } from "node:fs";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";
import { walletErrors } from "../src/lib/text/en.wallet.ts";

const stored = () => localStorage.length;

test("check 4: without a wallet every tab shows only Connect", async ({ page, staker }) => {
  await staker.open();
  for (const name of ["Stake", "Rewards", "Unstake", "Withdraw"] as const) {
    await expect(await staker.tab(name)).toHaveText(text.tabs.connect);
    await page.getByRole("button", { name: text.tabs.connect }).click();
    await expect(page.getByRole("dialog", { name: later.wallets.title })).toBeVisible();
    await page.keyboard.press("Escape");
  }
});

test("check 13: the header shows six characters of each end of the ordinals address", async ({ page, staker }) => {
  await staker.open();
  await staker.connect();
  const { ordinals } = await staker.addresses();
  const button = page.getByRole("button", { name: `Connected as ${ordinals}` });
  await expect(button).toContainText(`${ordinals.slice(0, 6)}…${ordinals.slice(-6)}`);
  await expect(button).toHaveAttribute("title", ordinals);
});

test("check 14: a reload keeps the session, and Disconnect clears local storage", async ({ page, staker }) => {
  await staker.open();
  await staker.connect();
  await page.reload();
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  expect(await page.evaluate(stored)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(stored)).toBe(0);
  await page.reload();
  await expect(page.getByRole("tabpanel")).toHaveText(text.tabs.connect);
});

test("finds a wallet that injects itself late, and a reload keeps its session", async ({ page, staker }) => {
  const wallet = readFileSync(new URL("../dist-dev/devwallet.js", import.meta.url), "utf8");
  await page.route("**/dev/wallet.js", (route) => route.abort());
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const tiles = page.getByRole("dialog").getByRole("listitem").getByRole("button");
  await expect(tiles.filter({ hasText: "Xverse" })).toBeVisible();
  await expect(tiles.filter({ hasText: "Moon Dev Wallet" })).toBeHidden();
  await page.evaluate(wallet);
  await tiles.filter({ hasText: "Moon Dev Wallet" }).click();
  await staker.answer("Let this site see your account?", "Connect");
  const connected = page.getByRole("button", { name: /Connected as / });
  await expect(connected).toBeVisible();

  // Within the page: its time does not depend on the load of the machine that runs the test.
  await page.addInitScript({ content: `setTimeout(() => { ${wallet} }, 500)` });
  await page.reload();
  await expect(connected).toBeVisible();
  const stake = await staker.tab("Stake");
  await expect(stake.getByText("You don't have any LOBO yet.").first()).toBeVisible();
});

test("shows a rejected transfer, stakes nothing, and allows a retry", async ({ page, staker }) => {
  await staker.open();
  await staker.connect();
  await staker.faucet();
  const stake = await staker.stakeHalf();
  await staker.answer("Sign this message?", "Sign");
  await staker.answer("Sign this transaction?", "Sign"); // the rehearsal
  await staker.answer("Send runes?", "Reject");
  // The page asks the server for some seconds whether the wallet has sent the payment.
  await expect(stake.getByRole("alert")).toContainText(walletErrors.runesRejected, { timeout: 20_000 });
  await stake.getByRole("button", { name: "Try again" }).click();
  await expect(stake.getByTestId("balance")).toHaveText("1,000,000");
  await expect(stake.getByLabel("Amount to stake")).toHaveValue("500000");
  await expect(staker.figure("Pending stake")).toHaveText("0 LOBO");
  await expect(page.getByRole("button", { name: "Stake 500,000 LOBO" })).toBeEnabled();
});

test("finds the deposit of a wallet that reports a rejection after sending", async ({ staker }) => {
  await staker.arrive();
  await staker.misbehave("Report a rejection after sending", true);
  const stake = await staker.stakeHalf();
  await expect(stake.getByText(text.stake.rejectedButSeen)).toBeVisible();
  await expect(staker.figure("Pending stake")).toHaveText("500,000 LOBO");
});
