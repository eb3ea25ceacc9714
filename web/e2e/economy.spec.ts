import { later } from "../src/lib/text/en.later.ts";
import { text } from "../src/lib/text/en.ts";
import { aboveTheFold, checkBothSizes } from "./layout.ts";
import { itemsOf, type OrderDialog, type Staker } from "./staker.ts";
import { expect, inCheck, test } from "./test.ts";

const words = later.economy;

/** Rates in sat/vB: the network's own at first, and one at which economy orders are sent. */
const BUSY = 10;
const QUIET = 3;

test.use({ networkName: "economy" });

test.beforeEach(({ network }) => network.feeRate(BUSY));
test.afterEach(async ({ network }) => {
  await network.feeRate(null);
  await network.settle();
});

/** Opens the costs of a claim and chooses economy delivery at a rate; returns the dialog. */
async function chooseEconomy(staker: Staker, rate: string) {
  await staker.openWithReward();
  const rewards = await staker.tab("Rewards");
  await rewards.getByRole("button", { name: "Claim", exact: true }).click();
  const costs = staker.page.getByRole("dialog", { name: "Claim rewards" });
  await costs.getByRole("radio", { name: new RegExp(`^${words.economy}`) }).check();
  await costs.getByLabel(words.rate).fill(rate);
  await expect(costs.getByText(later.fees.rate(rate))).toBeVisible();
  return costs;
}

/** Opens a claim with economy delivery at a rate, and pays it with the wallet. */
async function payEconomy(staker: Staker, rate: string): Promise<OrderDialog> {
  const costs = await chooseEconomy(staker, rate);
  await costs.getByRole("button", { name: text.action.continue }).click();
  const { order } = staker;
  await checkBothSizes(staker.page, "economy-to-pay", () => aboveTheFold(order.button(later.order.payWallet)));
  await order.button(later.order.payWallet).click();
  await expect(order.dialog.getByText(words.covered)).toBeVisible();
  await staker.network.mine();
  await expect(order.dialog.getByTestId("order-status")).toHaveText(words.waitsFor(rate));
  return order;
}

test("an economy order waits for its rate, is shown in the list, and is delivered", async ({
  activeStaker,
  network,
}) => {
  const costs = await chooseEconomy(activeStaker, "4");
  const items = await itemsOf(costs);
  const price = items.pop()!;
  expect(items.reduce((sum, item) => sum + item)).toBe(price);
  const saved = Number((await costs.getByText(/^saves [\d,]+ sats$/).textContent())!.replace(/\D/g, ""));
  await expect(costs.getByText((price + saved).toLocaleString("en"))).toBeVisible();
  await costs.getByLabel(words.limit).selectOption("7");
  await checkBothSizes(activeStaker.page, "economy-choice", () =>
    costs.getByText(words.choose).scrollIntoViewIfNeeded(),
  );
  await costs.getByLabel(words.rate).fill("0.01");
  await expect(costs.getByText(/^The rate is too low\./)).toBeVisible();
  await costs.getByLabel(words.rate).fill(String(BUSY));
  await expect(costs.getByText(/^Enter at most /)).toBeVisible();
  await expect(costs.getByRole("button", { name: text.action.continue })).toBeDisabled();
  await costs.getByLabel(words.rate).fill("4");

  // The wallet shows the speed in the message that it signs.
  await activeStaker.distrustPage();
  await costs.getByRole("button", { name: text.action.continue }).click();
  const question = activeStaker.page.getByRole("dialog", { name: "Sign this message?" });
  await expect(question).toContainText(/Speed: economy, 4 sat\/vB, until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  await activeStaker.answer("Sign this message?", "Sign");
  await activeStaker.trustPage();

  const { order } = activeStaker;
  await expect(order.dialog.getByText(words.unpaid)).toBeVisible();
  expect(await order.total()).toBe(price);
  await order.button(later.order.payWallet).click();
  await expect(order.dialog.getByText(words.covered)).toBeVisible();
  await network.mine();
  await expect(order.dialog.getByTestId("order-status")).toHaveText(words.waitsFor("4"));
  await expect(order.step).toHaveText(later.order.status.PAID);
  await network.mine(2);
  await expect(order.dialog.getByText(words.waiting)).toBeVisible();
  await checkBothSizes(activeStaker.page, "economy-waits");
  await order.close();
  const rewards = await activeStaker.tab("Rewards");
  const row = rewards.getByRole("listitem").filter({ hasText: words.waitsFor("4") });
  await row.getByRole("button").click();

  await network.feeRate(QUIET);
  await network.mine();
  await expect(order.step).toContainText(later.order.status.SENT);
  await network.mine(3);
  await expect(order.step).toHaveText(later.order.status.DELIVERED);
  await expect(order.dialog.getByLabel(later.fees.title).getByText(later.fees.rate("4"))).toBeAttached();
});

test("paying the difference sends a waiting order", async ({ activeStaker, network }) => {
  const order = await payEconomy(activeStaker, "4");
  await order.dialog.getByRole("button", { name: /^Pay the difference, about [1-9]/ }).click();
  await expect(order.due).toHaveText(/^0\.0000\d+ BTC$/);
  await checkBothSizes(activeStaker.page, "economy-difference", () => order.due.scrollIntoViewIfNeeded());
  await order.button(later.order.payWallet).click();
  await expect(order.dialog.getByText(words.differenceSeen)).toBeVisible();
  await network.mine();
  await expect(order.dialog.getByText(words.title)).toBeHidden();
  await expect(order.step).toContainText(/^(Paid|Sent)/);
  await network.mine(4);
  await expect(order.step).toHaveText(later.order.status.DELIVERED);
});

test("at its limit an order can wait longer, and be canceled", inCheck, async ({ activeStaker, network }) => {
  const order = await payEconomy(activeStaker, "4");
  await expect(order.dialog.getByRole("button", { name: /^Wait until / })).toHaveCount(0);
  await network.advanceClock(14 * 24 * 3600 + 60);
  await network.mine();
  await expect(order.dialog.getByTestId("order-status")).toHaveText(words.limitReached);
  await expect(order.dialog.getByText(/^The time limit has passed\./)).toBeVisible();
  await checkBothSizes(activeStaker.page, "economy-limit", () =>
    order.dialog.getByText(/^The time limit has passed\./).scrollIntoViewIfNeeded(),
  );
  await order.dialog.getByRole("button", { name: /^Wait until / }).click();
  await expect(order.dialog.getByTestId("order-status")).toHaveText(words.waitsFor("4"));

  await order.button(later.order.cancel).click();
  await order.button(later.order.cancelYes).click();
  await expect(order.dialog.getByText(later.order.state.CANCELED)).toBeVisible();
  await expect(order.dialog.getByRole("region", { name: "Refund" })).toBeVisible();
});
