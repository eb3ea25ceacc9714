import { later } from "../src/lib/text/en.later.ts";
import { aboveTheFold, alwaysInView, checkBothSizes, safeIsProminent } from "./layout.ts";
import { paidSoFar } from "./staker.ts";
import { expect, test } from "./test.ts";

test("shows amount, deadline and payment above the fold, and the fees in a disclosure", async ({ activeStaker }) => {
  const order = await activeStaker.openClaim();
  const code = order.dialog.getByRole("img", { name: /^QR code to pay/ });
  await expect(code).toBeVisible();
  await checkBothSizes(activeStaker.page, "order-to-pay", () =>
    aboveTheFold(order.due, order.dialog.getByRole("timer"), order.button(later.order.payWallet), code),
  );
  const fees = order.dialog.getByLabel(later.fees.title);
  await expect(fees).toBeHidden();
  await order.dialog.getByText(/^What it costs: [\d,]+ sats$/).click();
  await expect(fees).toBeVisible();
  await expect(order.dialog.getByText(paidSoFar("0"))).toBeVisible();
  await checkBothSizes(activeStaker.page, "order-fees");
});

test("the total and the main button are always in view: claim, payment, part payment and rerate", async ({
  activeStaker,
  network,
}) => {
  const { page, order } = activeStaker;
  await activeStaker.openWithReward();
  const rewards = await activeStaker.tab("Rewards");
  await rewards.getByRole("button", { name: "Claim", exact: true }).click();
  const costs = page.getByRole("dialog", { name: "Claim rewards" });
  const go = costs.getByRole("button", { name: "Continue to payment" });
  await expect(go).toBeEnabled();
  await alwaysInView(costs, costs.getByTestId("footer-total"), go);
  await go.click();
  const total = order.dialog.getByTestId("footer-total");
  await expect(total).toHaveText(/^Total[\d,]+ sats$/);
  await alwaysInView(order.dialog, total, order.button(later.order.payWallet));
  await network.pay(await order.address(), 1_000);
  await expect(total).toHaveText(/^Still due[\d,]+ sats$/);
  await alwaysInView(order.dialog, total, order.button(later.order.payWallet));
  await checkBothSizes(page, "order-part-paid-footer");
  await network.advanceClock(31 * 60);
  await expect(total).toHaveText(/^Expired price[\d,]+ sats$/);
  await alwaysInView(order.dialog, total, order.button(later.order.rerate));
  await checkBothSizes(page, "order-rerate-footer");
});

test("Back closes the order, Forward reopens it, and Close removes it from the history", async ({ activeStaker }) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  const opened = page.url();
  await page.goBack();
  await expect(order.dialog).toBeHidden();
  await expect(activeStaker.figure("Claimable rewards")).toBeVisible();
  await page.goForward();
  await expect(order.dialog).toBeVisible();
  // Two Escapes close the dialog once: the page itself stays.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(order.dialog).toBeHidden();
  expect(new URL(page.url()).searchParams.get("tab")).toBe("rewards");
  // An order's URL opened directly has no previous page: Close stays on the page.
  await page.goto(opened);
  await order.close();
  expect(new URL(page.url()).searchParams.get("order")).toBeNull();
});

test("shows a fully paid order as in progress, and warns before it is canceled", async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), await order.total());
  await expect(order.dialog.getByTestId("order-status")).toHaveText("Paid, in progress");
  await order.button(later.order.cancel).click();
  await expect(order.dialog.getByText(/^You have paid this order in full\./)).toBeVisible();
  await expect(order.button("Keep the order")).toBeFocused();
  await safeIsProminent(order.button("Keep the order"), order.button(later.order.cancelYes));
  await checkBothSizes(activeStaker.page, "order-covered");
});

test("announces an expired order and shows nothing to pay", async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await network.advanceClock(31 * 60);
  await expect(order.dialog.getByTestId("order-status")).toHaveText("Order Expired");
  await expect(order.dialog.getByRole("status").filter({ hasText: /^Order Expired\.$/ })).toBeAttached();
  for (const request of [/still due/, /^Pay by/]) await expect(order.dialog.getByText(request)).toHaveCount(0);
  await expect(order.due).toHaveCount(0);
  await checkBothSizes(activeStaker.page, "order-expired");
});

test("two quick clicks open an order once, while its dialog is loading", async ({ activeStaker }) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  await order.close();
  await page.route(/\/OrderDialog-[^/]*\.js$/, async (route) => {
    await new Promise((done) => setTimeout(done, 1_000));
    await route.continue();
  });
  await page.reload();
  const rewards = await activeStaker.tab("Rewards");
  await rewards.getByRole("listitem").filter({ hasText: later.order.continue }).getByRole("button").dblclick();
  await expect(order.dialog).toBeVisible();
  await order.close();
  expect(new URL(page.url()).search).toBe("?tab=rewards");
});

test("on a slow device, a closed order stays closed and the next one opened stays open", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await page.addInitScript(() => {
    const back = history.back.bind(history);
    history.back = () => void setTimeout(back, 1_000);
    addEventListener("popstate", () => document.documentElement.toggleAttribute("data-went-back", true));
  });
  const order = await activeStaker.openClaim();
  const rewards = page.getByRole("tabpanel", { name: "Rewards" });
  const row = rewards.getByRole("listitem").filter({ hasText: later.order.continue }).getByRole("button");
  const slow = await page.context().newCDPSession(page);
  await slow.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  // A reload before the step back arrives does not open the order again.
  await order.button("Close").click();
  await page.reload();
  await activeStaker.started();
  await expect(row).toBeVisible();
  await expect(order.dialog).toBeHidden();
  // An order that is opened before the step back arrives is not closed by it, and a reload keeps it.
  await row.click();
  await expect(order.dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(row).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("html[data-went-back]")).toBeAttached();
  await expect(order.dialog).toBeVisible();
  await page.reload();
  await expect(order.dialog.getByText(/^Delivers /)).toBeVisible();
  // Back closes it, and not the page.
  await page.goBack();
  await expect(order.dialog).toBeHidden();
  await expect(row).toBeVisible();
});

test("selecting text beyond the edge of the order keeps it open; a click outside closes it", async ({
  activeStaker,
}) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  const address = (await order.dialog.getByTestId("payment-address").boundingBox())!;
  const { x } = (await order.dialog.boundingBox())!;
  await page.mouse.move(address.x + address.width / 2, address.y + address.height / 2);
  await page.mouse.down();
  await page.mouse.move(x - 50, address.y, { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBeTruthy();
  await expect(order.dialog).toBeVisible();
  await page.mouse.click(x - 50, address.y);
  await expect(order.dialog).toBeHidden();
});
