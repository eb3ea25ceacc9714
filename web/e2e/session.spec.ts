import { expect, test } from "./test.ts";

const stored = () => localStorage.length;

test("a reload keeps the session, Disconnect empties local storage", async ({ page, staker }) => {
  await staker.open();
  await expect(page.getByRole("tabpanel")).toHaveText("Connect Wallet to start staking!");
  await staker.connect();
  await expect(page.getByRole("tabpanel", { name: "Stake" }).getByLabel("Amount to stake")).toBeVisible();

  await page.reload();
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  expect(await page.evaluate(stored)).toBeGreaterThan(0);

  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(stored)).toBe(0);
  await page.reload();
  await expect(page.getByRole("tabpanel")).toHaveText("Connect Wallet to start staking!");
});

test("refusing the connection keeps no provider and says why", async ({ page, staker }) => {
  await staker.open();
  await page.getByRole("button", { name: "Connect Wallet to start staking!" }).click();
  const selector = page.getByRole("dialog", { name: "Choose wallet to connect" });
  await selector.getByRole("button", { name: "Moon Dev Wallet" }).click();
  await expect(selector.getByText("Opening Moon Dev Wallet...")).toBeVisible();
  await expect(selector.getByText("Confirm the operation in Moon Dev Wallet")).toBeVisible();
  await staker.answer("Let this site see your account?", "Reject");
  await expect(selector.getByRole("alert")).toHaveText("User refused connection.");
  expect(await page.evaluate(stored)).toBe(0);

  await page.keyboard.press("Escape");
  await expect(selector).toBeHidden();
  await expect(page.getByRole("button", { name: "Connect Wallet to start staking!" })).toBeFocused();
});

test("a rejected transfer says so, takes nothing, and can be tried again", async ({ page, staker }) => {
  await staker.open();
  await staker.connect();
  await staker.faucet();
  const stake = await staker.stakeHalf();
  await staker.answer("Send runes?", "Reject");
  await expect(stake.getByRole("alert")).toHaveText("User rejected rune transfer");
  await stake.getByRole("button", { name: "Try again" }).click();
  await expect(stake.getByTestId("balance")).toHaveText("1,000,000");
  await expect(stake.getByLabel("Amount to stake")).toHaveValue("500000");
  await expect(staker.figure("Pending stake")).toHaveText("0 LOBO");
  await expect(page.getByRole("button", { name: "Stake 500,000 LOBO" })).toBeEnabled();
});

test("a wallet that says “rejected” after sending: the chain decides", async ({ staker }) => {
  await staker.arrive();
  await staker.misbehave("Say “rejected” after sending", true);
  const stake = await staker.stakeHalf();
  await expect(stake.getByText(/^Your wallet reported an error, but the transfer is on its way/)).toBeVisible();
  await expect(staker.figure("Pending stake")).toHaveText("500,000 LOBO");
});

test("another account of the wallet is another staker", async ({ page, staker }) => {
  await staker.arrive();
  await staker.becomeStaker();
  const first = (await staker.addresses()).ordinals;
  await page.evaluate(() => (window as any).MoonDevWallet.control.addAccount());
  const second = (await staker.addresses()).ordinals;
  expect(second).not.toBe(first);
  await expect(page.getByRole("button", { name: `Connected as ${second}` })).toBeVisible();
  await expect(staker.figure("Your stake")).toHaveText("0 LOBO");
});
