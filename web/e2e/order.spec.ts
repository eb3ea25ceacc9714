import { expect, test } from "./test.ts";
import type { Staker } from "./staker.ts";

/** A staker with a reward in an open claim order. */
async function openClaim(staker: Staker): Promise<void> {
  await staker.arrive();
  await staker.becomeStaker();
  await staker.network.advanceEpoch();
  await expect(staker.figure("Claimable rewards")).not.toHaveText("0 LOBO");
  await staker.claim();
  await expect(staker.order.dialog.getByText(/^Delivers /)).toBeVisible();
}

test("a payment rejected in the wallet says so, and the order stays payable", async ({ page, staker }) => {
  await openClaim(staker);
  const { order } = staker;
  await page.evaluate(() => (window as any).MoonDevWallet.control.autoConfirm(false));
  await order.button("Pay with Wallet").click();
  await staker.answer("Send bitcoin?", "Reject");
  await expect(order.dialog.getByRole("alert")).toContainText("User cancelled action. Please complete action for payment.");
  await expect(order.button("Pay with Wallet")).toBeEnabled();
  await expect(order.progress).toHaveAttribute("aria-valuenow", "0");

  await order.button("Pay with Wallet").click();
  await staker.answer("Send bitcoin?", "Send");
  await expect(order.progress).toHaveAttribute("aria-valuenow", "100");
});

test("an order is canceled only with a signed proof", async ({ page, staker }) => {
  await openClaim(staker);
  const { order } = staker;
  await page.evaluate(() => (window as any).MoonDevWallet.control.autoConfirm(false));
  await order.button("Cancel order").click();
  await order.button("Yes, cancel it").click();
  await staker.answer("Sign this message?", "Reject");
  await expect(order.dialog.getByRole("alert")).toContainText("Failed to sign CANCEL action message by Moon Dev Wallet");
  await expect(order.button("Pay with Wallet")).toBeEnabled();

  await order.button("Yes, cancel it").click();
  await staker.answer("Sign this message?", "Sign");
  await expect(order.dialog.getByText("This order was canceled. Your units are free again.")).toBeVisible();
  await order.close();
  const rewards = await staker.tab("Rewards");
  await expect(rewards.getByRole("button", { name: "Claim", exact: true })).toBeEnabled();
  await rewards.getByRole("searchbox", { name: "Search by status" }).fill("cancel");
  await expect(rewards.getByRole("listitem")).toHaveCount(1);
});

test("an order's address survives a reload, and it expires unpaid", async ({ page, staker, network }) => {
  await openClaim(staker);
  const { order } = staker;
  const address = await order.address();
  await page.reload();
  expect(await order.address()).toBe(address);
  await network.advanceClock(31 * 60);
  await expect(order.dialog.getByText(/^Order expired\. Nothing was paid in time/)).toBeVisible();
  await expect(order.button("Pay with Wallet")).toBeHidden();
});

test("fees expire after a part payment: rerate, then pay the rest", async ({ staker, network }) => {
  await openClaim(staker);
  const { order } = staker;
  await network.pay(await order.address(), 1000);
  await expect(order.dialog.getByText("Still due")).toBeVisible();
  await network.advanceClock(31 * 60);
  await expect(
    order.dialog.getByText("Please note this request's fees have expired. Please rerate to continue with payment"),
  ).toBeVisible();
  await expect(order.button("Pay with Wallet")).toBeHidden();
  await order.button("Rerate order").click();
  await order.button("Pay with Wallet").click();
  await expect(order.dialog.getByText("Transaction paid via wallet.")).toBeVisible();
  await expect(order.progress).toHaveAttribute("aria-valuenow", "100");
});

test("the payment address and amount are copied, and said so for two seconds", async ({ page, context, staker, baseURL }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: baseURL! });
  await openClaim(staker);
  const { order } = staker;
  const copy = order.dialog.getByRole("button", { name: /^Copy payment address/ });
  await copy.click();
  await expect(copy).toContainText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await order.address());
  await expect(copy).not.toContainText("Copied");
});
