import type { Locator } from "@playwright/test";
import { checkBothSizes } from "./layout.ts";
import { paidSoFar, type OrderDialog, type Staker } from "./staker.ts";
import { expect, inCheck, test } from "./test.ts";
import { later } from "../src/lib/text/en.later.ts";

/** The refund in the order's dialog. */
const cardOf = (order: OrderDialog): Locator => order.dialog.getByRole("region", { name: "Refund", exact: true });

/** An amount of the card, in sats. */
async function sats(card: Locator, name: string): Promise<number> {
  const row = card.locator("dl > div").filter({ has: card.page().getByRole("term").filter({ hasText: name }) });
  return Number((await row.getByRole("definition").textContent())!.replace(/\D/g, ""));
}

/** The card and the activity list agree on a refund's state, amount, cost, destination and transaction. */
async function expectRefund(activeStaker: Staker, order: OrderDialog, state: string, name: string): Promise<void> {
  const { page } = activeStaker;
  const card = cardOf(order);
  await expect(card.getByText(state, { exact: true })).toBeVisible();
  const { payment } = await activeStaker.addresses();
  await expect(card.getByText(payment)).toBeVisible();
  const amount = await sats(card, "You paid");
  const cost = await sats(card, "Network fee");
  expect(cost).toBeGreaterThan(0);
  const link = card.getByRole("link");
  const txid = (await link.count()) > 0 ? (await link.textContent())!.slice(0, 64) : null;
  if (txid !== null) expect(await sats(card, "You receive")).toBe(amount - cost);
  await card.scrollIntoViewIfNeeded();
  await checkBothSizes(page, `${name}-order`, () => card.scrollIntoViewIfNeeded());
  const address = page.url();
  await order.close();
  const rewards = await activeStaker.tab("Rewards");
  const activity = rewards.getByRole("region", { name: later.history.activity });
  await activity.getByRole("button", { name: later.history.showAll() }).click();
  const words = `${state} · network fee ${cost.toLocaleString("en-US")} sats · to ${payment}`;
  const row = activity.getByRole("listitem").filter({ hasText: words }).first();
  await expect(row).toContainText(`${amount.toLocaleString("en-US")} sats`);
  if (txid !== null) await expect(row).toContainText(txid.slice(0, 4));
  await checkBothSizes(page, `${name}-activity`, () => row.scrollIntoViewIfNeeded());
  await page.goto(address);
  await expect(card).toBeVisible();
}

async function cancel(order: OrderDialog): Promise<void> {
  await order.button(later.order.cancel).click();
  await order.button("Yes, cancel it").click();
  await expect(order.dialog.getByText("This order was canceled. Its runes are available again.")).toBeVisible();
}

test("refunds a part payment of a canceled order", async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), 1_500);
  await expect(order.dialog.getByText(paidSoFar("1,500")).first()).toBeVisible();
  await cancel(order);
  await expectRefund(activeStaker, order, "Waiting for a block", "refund-waiting");
  await network.mine();
  await expectRefund(activeStaker, order, "Sent", "refund-sent");
  await network.mine(3);
  await expectRefund(activeStaker, order, "Refunded", "refund-done");
});

test("refunds a part payment of an expired order", inCheck, async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), 1_500);
  await network.mine();
  await network.advanceClock(8 * 24 * 3600);
  await expect(order.dialog.getByText(/^This order expired because it wasn't paid in full in time\./)).toBeVisible();
  await expectRefund(activeStaker, order, "Sent", "refund-expired");
});

test("refunds a late payment", inCheck, async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  const [address, total] = [await order.address(), await order.total()];
  await network.advanceClock(31 * 60);
  await expect(order.dialog.getByTestId("order-status")).toHaveText("Order Expired");
  await network.pay(address, total);
  await network.mine();
  await expectRefund(activeStaker, order, "Sent", "refund-late");
});

test("refunds an overpayment after the delivery", async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), (await order.total()) + 30_000);
  await expect(order.dialog.getByText(/^You paid 30,000 sats more than needed\. After your runes/)).toBeVisible();
  await network.mine();
  await network.mine(3);
  await expect(order.step).toHaveText("Delivered");
  await expectRefund(activeStaker, order, "Sent", "refund-overpayment");
});

test("shows the fee rate that an uneconomical refund waits for", inCheck, async ({
  activeStaker,
  network,
}) => {
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), 1_500);
  await network.mine();
  await network.feeRate(90);
  try {
    await cancel(order);
    const rates = /fee rate is [\d.]+ sat\/vB or lower\. The rate is now 90 sat\/vB/;
    await expect(cardOf(order).getByText(rates)).toBeVisible();
    await expectRefund(activeStaker, order, "Waiting for a lower network fee", "refund-rate");
  } finally {
    await network.feeRate(null);
  }
  await network.mine();
  await expect(cardOf(order).getByText("Sent", { exact: true })).toBeVisible();
});

test("shows the operator's contact for a refund above the limit", inCheck, async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  const address = await order.address();
  await network.advanceClock(31 * 60);
  await expect(order.dialog.getByTestId("order-status")).toHaveText("Order Expired");
  await network.pay(address, 2_000_001);
  await network.mine();
  await expect(cardOf(order).getByText(/above the limit for refunds in 24 hours/)).toBeVisible();
  const contact = order.dialog.getByRole("link", { name: "help@moonfund.example" });
  await expect(contact).toHaveAttribute("href", "mailto:help@moonfund.example");
  await expectRefund(activeStaker, order, "Waiting for approval", "refund-limit");
});
