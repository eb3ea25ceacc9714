import type { Locator } from "@playwright/test";
import { order as germanOrder } from "../src/lib/text/de.order.ts";
import { payment } from "../src/lib/text/de.payment.ts";
import { alter, pathOf } from "./alter.ts";
import { checkLayout, safeIsProminent } from "./layout.ts";
import { scan } from "./qr.ts";
import { itemsOf, paidSoFar } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";
import { walletErrors } from "../src/lib/text/en.wallet.ts";

test("check 28: the fee items add up, in the estimate and in the order", async ({ activeStaker }) => {
  await activeStaker.openWithReward();
  const rewards = await activeStaker.tab("Rewards");
  await rewards.getByRole("button", { name: "Claim", exact: true }).click();
  const costs = activeStaker.page.getByRole("dialog", { name: "Claim rewards" });
  const items = await itemsOf(costs);
  const estimate = items.pop()!;
  expect(items[0]).toBe(546);
  expect(items.reduce((sum, item) => sum + item)).toBe(estimate);
  await costs.getByRole("button", { name: "Continue to payment" }).click();
  expect(await activeStaker.order.total()).toBe(estimate);
});

test("check 29: the QR code has 200 px, a margin of 4, and contains address, amount, label and message", async ({
  activeStaker,
}) => {
  const order = await activeStaker.openClaim();
  const code = order.dialog.getByRole("img", { name: /^QR code to pay/ });
  await expect(code).toHaveAttribute("width", "200");
  await expect(code).toHaveAttribute("height", "200");
  const due = (await order.due.textContent())!.replace(" BTC", "");
  expect(due).toMatch(/^\d+\.\d{8}$/);
  const read = await scan(activeStaker.page, await code.screenshot());
  const [target, query] = read.split("?");
  expect(target).toBe(`bitcoin:${await order.address()}`);
  const fields = Object.fromEntries(new URLSearchParams(query));
  expect(fields).toEqual({ amount: due, label: "LOBO payment order", message: expect.stringMatching(/^Order \S+$/) });
  // The picture has a margin of four modules around the code.
  const box = await code.evaluate((svg: SVGSVGElement) => {
    const dark = svg.querySelector<SVGPathElement>("path:last-of-type")!.getBBox();
    return {
      size: svg.viewBox.baseVal.width,
      left: dark.x,
      top: dark.y,
      right: dark.x + dark.width,
      bottom: dark.y + dark.height,
    };
  });
  expect(box).toMatchObject({ left: 4, top: 4, right: box.size - 4, bottom: box.size - 4 });
});

test("check 30: Copy shows its confirmation for 2 s", async ({ activeStaker }) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const copy = order.dialog.getByRole("button", { name: /^Copy payment address/ });
  await copy.click();
  await expect(copy).toContainText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await order.address());
  await page.clock.runFor(1_900);
  await expect(copy).toContainText("Copied");
  await page.clock.runFor(200);
  await expect(copy).not.toContainText("Copied");
});

test("check 31: a part payment updates the bar, the remainder and the QR code, without a reload", async ({
  activeStaker,
  network,
}) => {
  const order = await activeStaker.openClaim();
  let loads = 0;
  activeStaker.page.on("load", () => (loads += 1));
  const due = await order.due.textContent();
  const code = order.dialog.getByRole("img", { name: /^QR code to pay/ });
  const before = await scan(activeStaker.page, await code.screenshot());
  await expect(order.progress).toHaveAttribute("aria-valuenow", "0");
  await network.pay(await order.address(), 1_000);
  await expect(order.dialog.getByText("Still due", { exact: true })).toBeVisible();
  await expect(order.progress).not.toHaveAttribute("aria-valuenow", "0");
  await expect(order.due).not.toHaveText(due!);
  await expect(order.dialog.getByText(paidSoFar("1,000")).first()).toBeVisible();
  const after = await scan(activeStaker.page, await code.screenshot());
  expect(after).not.toBe(before);
  expect(after).toContain(`amount=${(await order.due.textContent())!.replace(" BTC", "")}`);
  expect(loads).toBe(0);
});

test("check 32: a fully paid order says so, names the three blocks and requests nothing more", async ({
  activeStaker,
  network,
}) => {
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), await order.total());
  await expect(order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
  await expect(order.progress).toHaveAttribute("aria-valuenow", "100");
  await expect(order.button(later.order.payWallet)).toBeHidden();
  await expect(order.dialog.getByRole("img", { name: /^QR code/ })).toBeHidden();
  await network.mine();
  await expect(order.step).toHaveText(/^(Paid|Sent)$/);
  await expect(order.dialog.getByText(/3 confirmations/).first()).toBeVisible();
});

test("check 33: expired fees need a rerate, which restores 30 minutes", async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), 1_000);
  await expect(order.dialog.getByText("Still due", { exact: true })).toBeVisible();
  await network.advanceClock(31 * 60);
  const expired = later.order.expiredFees;
  await expect(order.dialog.getByText(expired)).toBeVisible();
  await expect(order.button(later.order.payWallet)).toBeHidden();
  await order.close();
  const rewards = await activeStaker.tab("Rewards");
  const row = rewards.getByRole("listitem").filter({ hasText: "Rerate needed" });
  await row.getByRole("button").click();
  await order.button("Rerate order").click();
  await expect(order.dialog.getByText(/^This price is valid for (30m|29m \d+s)/)).toBeVisible();
  await order.button(later.order.payWallet).click();
  await expect(order.dialog.getByText(later.order.paidWallet)).toBeVisible();
  await expect(order.progress).toHaveAttribute("aria-valuenow", "100");
});

test("check 34: a closed order shows its final state", async ({ activeStaker, network }) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  await page.reload();
  await network.advanceClock(31 * 60);
  await expect(order.dialog.getByText(later.order.state.EXPIRED)).toBeVisible();
  await expect(order.button(later.order.payWallet)).toBeHidden();

  const states = {
    CANCELED: later.order.state.CANCELED,
    PAID: later.order.state.PAID,
    SENT: later.order.state.SENT,
    DELIVERED: "Delivered. Your runes are in your wallet.",
    CONSOLIDATED: "Delivered. Your runes are in your wallet.",
    INVALID: later.order.state.INVALID,
    AUDIT: later.order.state.AUDIT,
  };
  let status = "";
  await alter(page, "fetchClientPOs", ({ orders }) => ({
    orders: orders.map((one: object) => ({ ...one, po_status: status })),
  }));
  for (const [name, sentence] of Object.entries(states)) {
    status = name;
    await page.reload();
    await expect(order.dialog.getByText(sentence)).toBeVisible();
    for (const button of [later.order.payWallet, "Rerate order"]) await expect(order.button(button)).toBeHidden();
    // A paid order can be canceled until its delivery is signed.
    await expect(order.button(later.order.cancel)).toBeVisible({ visible: name === "PAID" });
  }
});

test("an order that expires while its first request is answered is shown as expired", async ({
  activeStaker,
  network,
}) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await alter(page, "fetchClientPOs", async (orders) => {
    answered.resolve();
    await released.promise;
    return orders;
  });
  const streamOpened = page.waitForResponse(pathOf("events"));
  await page.reload();
  await Promise.all([streamOpened, answered.promise]);
  // The wallet's figures are refetched at the event that the order has expired.
  await expect(activeStaker.figure("Your stake")).toHaveText(/[1-9]/);
  const changed = page.waitForRequest(pathOf("postInfoWallet"));
  await network.advanceClock(31 * 60);
  await changed;
  released.resolve();
  await expect(order.dialog.getByText(later.order.state.EXPIRED)).toBeVisible();
});

test("check 35: shows a payment that was rejected in the wallet, and the order stays payable", async ({
  activeStaker,
}) => {
  const order = await activeStaker.openClaim();
  await activeStaker.distrustPage();
  await order.button(later.order.payWallet).click();
  await activeStaker.answer("Send bitcoin?", "Reject");
  // The page asks the server for some seconds whether the wallet has sent the payment.
  await expect(order.dialog.getByRole("alert")).toContainText(walletErrors.paymentCancelled, {
    timeout: 20_000,
  });
  await expect(order.button(later.order.payWallet)).toBeEnabled();
  await expect(order.progress).toHaveAttribute("aria-valuenow", "0");
  await order.button(later.order.payWallet).click();
  await activeStaker.answer("Send bitcoin?", "Send");
  await expect(order.progress).toHaveAttribute("aria-valuenow", "100");
});

test("finds a payment that the wallet sent and reported as rejected, and does not request it again", async ({
  activeStaker,
}) => {
  const order = await activeStaker.openClaim();
  await activeStaker.misbehaves({ rejectAfterBroadcast: true });
  await order.button(later.order.payWallet).click();
  await expect(
    order.dialog.getByText("Your wallet reported an error, but your payment was sent and has arrived."),
  ).toBeVisible();
  await expect(order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
  await expect(order.button(later.order.payWallet)).toHaveCount(0);
  await expect(order.dialog.getByRole("region", { name: "Payment history" }).getByRole("listitem")).toHaveCount(1);
});

test("continues without a silent wallet, and remembers its possible payment across a reload", async ({
  activeStaker,
  network,
}) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  await activeStaker.misbehaves({ silent: true });
  await order.button(later.order.payWallet).click();
  await order.button(later.payment.giveUp).click();
  const unclear = order.dialog.getByText(
    /^Your wallet was asked to pay [\d,]+ sats on .*, but we don't know whether it did\./,
  );
  await expect(unclear).toBeVisible({ timeout: 20_000 });
  await page.reload();
  await expect(unclear).toBeVisible({ timeout: 20_000 });
  await expect(order.button(later.order.payWallet)).toHaveCount(0);
  await checkLayout(page, "payment-unclear");
  await order.button("Pay again").click();
  await expect(order.dialog.getByText(later.payment.risk)).toBeVisible();
  await safeIsProminent(order.button("Keep waiting"), order.button(later.payment.againYes));
  await checkLayout(page, "payment-again");
  await order.button("Keep waiting").click();
  // The payment was sent and the server sees it, so no decision remains.
  await network.pay(await order.address(), await order.total());
  await expect(
    order.dialog.getByText("Your wallet reported an error, but your payment was sent and has arrived."),
  ).toBeVisible();
  await expect(order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
});

test("a double tap on the second payment's button, in German on a phone, does not confirm the payment", async ({
  activeStaker,
  browser,
}) => {
  const order = await activeStaker.openClaim();
  await activeStaker.misbehaves({ silent: true });
  await order.button(later.order.payWallet).click();
  await order.button(later.payment.giveUp).click();
  await expect(order.button(later.payment.again)).toBeVisible();
  const storageState = await activeStaker.page.context().storageState({ indexedDB: true });
  const context = await browser.newContext({ locale: "de-DE", storageState });
  const page = await context.newPage();
  await page.goto(activeStaker.page.url());
  const dialog = page.getByRole("dialog", { name: germanOrder.title });
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const pressed = (await button(payment.again).boundingBox())!;
    await page.mouse.click(pressed.x + pressed.width / 2, pressed.y + pressed.height / 2);
    const confirmation = (await button(payment.againYes).boundingBox())!;
    expect(overlaps(pressed, confirmation), `at ${width} px`).toBe(false);
    await button(payment.againNo).click();
  }
  await context.close();
});

type Box = NonNullable<Awaited<ReturnType<Locator["boundingBox"]>>>;

function overlaps(a: Box, b: Box): boolean {
  const inX = a.x < b.x + b.width && b.x < a.x + a.width;
  return inX && a.y < b.y + b.height && b.y < a.y + a.height;
}

test("cancels an order only with a signed proof", async ({ activeStaker }) => {
  const order = await activeStaker.openClaim();
  await activeStaker.distrustPage();
  await order.button(later.order.cancel).click();
  await order.button("Yes, cancel it").click();
  await activeStaker.answer("Sign this message?", "Reject");
  await expect(order.dialog.getByRole("alert")).toContainText(
    text.action.failedToSign("CANCEL", "Moon Dev Wallet"),
  );
  await expect(order.button(later.order.payWallet)).toBeEnabled();

  await order.button("Yes, cancel it").click();
  await activeStaker.answer("Sign this message?", "Sign");
  await expect(order.dialog.getByText(later.order.state.CANCELED)).toBeVisible();
  await order.close();
  const rewards = await activeStaker.tab("Rewards");
  await expect(rewards.getByRole("button", { name: "Claim", exact: true })).toBeEnabled();
});
