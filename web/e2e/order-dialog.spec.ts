import { text } from "../src/lib/text/en.ts";
import { aboveTheFold, checkBothSizes } from "./layout.ts";
import { expect, test } from "./test.ts";

test("shows amount, deadline and payment above the fold, and the fees in a disclosure", async ({ activeStaker }) => {
  const order = await activeStaker.openClaim();
  const code = order.dialog.getByRole("img", { name: /^QR code to pay/ });
  await expect(code).toBeVisible();
  await checkBothSizes(activeStaker.page, "order-to-pay", () =>
    aboveTheFold(order.due, order.dialog.getByRole("timer"), order.button(text.order.payWallet), code),
  );
  const fees = order.dialog.getByLabel(text.fees.title);
  await expect(fees).toBeHidden();
  await order.dialog.getByText(/^What it costs: [\d,]+ sats$/).click();
  await expect(fees).toBeVisible();
  await expect(order.dialog.getByText(/^0 of [\d,]+ sats paid$/)).toBeVisible();
  await checkBothSizes(activeStaker.page, "order-fees");
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
  await order.button("Cancel order").click();
  await expect(order.dialog.getByText(/^You have paid this order in full\./)).toBeVisible();
  await expect(order.button("Keep the order")).toBeFocused();
  await checkBothSizes(activeStaker.page, "order-covered");
});

test("announces an expired order and shows nothing to pay", async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await network.advanceClock(31 * 60);
  await expect(order.dialog.getByTestId("order-status")).toHaveText("Order expired");
  await expect(order.dialog.getByRole("status").filter({ hasText: /^Order expired\.$/ })).toBeAttached();
  for (const request of [/still due/, /^Pay by/]) await expect(order.dialog.getByText(request)).toHaveCount(0);
  await expect(order.due).toHaveCount(0);
  await checkBothSizes(activeStaker.page, "order-expired");
});
