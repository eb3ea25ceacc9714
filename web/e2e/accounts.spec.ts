import { checkBothSizes } from "./layout.ts";
import { expect, test } from "./test.ts";

test("shows an empty wallet where to get the token; a dev network's faucet sends some", async ({ staker }) => {
  await staker.open();
  await staker.connect();
  const stake = await staker.tab("Stake");
  await expect(stake.getByText("You don't have any LOBO yet.").first()).toBeVisible();
  await checkBothSizes(staker.page, "empty-wallet");
  await stake.getByRole("button", { name: "Get test LOBO from the faucet" }).click();
  // The dev wallet includes unconfirmed runes in its balance; some wallets do not.
  await expect(stake.getByTestId("balance")).toHaveText("1,000,000");
  await expect(stake.getByText("You don't have any LOBO yet.")).toHaveCount(0);
});

test("switches the account without Disconnect, and keeps the account after a rejection", async ({ staker }) => {
  const { page } = staker;
  await staker.open();
  await staker.connect();
  const first = (await staker.addresses()).ordinals;
  await page.getByRole("button", { name: "Switch account" }).click();
  const dialog = page.getByRole("dialog", { name: "Switch account" });
  await checkBothSizes(page, "switch-account");
  await dialog.getByRole("button", { name: "Moon Dev Wallet" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Moon Dev Wallet still shares the same account.");
  await expect(page.getByRole("button", { name: `Connected as ${first}` })).toBeAttached();
  await page.evaluate(() => (window as any).MoonDevWallet.control.addAccount());
  await expect(dialog).toBeHidden();
  const second = (await staker.addresses()).ordinals;
  await expect(page.getByRole("button", { name: `Connected as ${second}` })).toBeVisible();
});

test("reconnects with one click after the wallet disconnected", async ({ staker }) => {
  const { page } = staker;
  await staker.open();
  await staker.connect();
  await page.evaluate(() => (window as any).MoonDevWallet.control.disconnect());
  await expect(page.getByRole("alert")).toContainText("Your wallet no longer shares an account with this page.");
  await checkBothSizes(page, "reconnect");
  await page.getByRole("button", { name: "Reconnect" }).click();
  await staker.answer("Let this site see your account?", "Connect");
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
