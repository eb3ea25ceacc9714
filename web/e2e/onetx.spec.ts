import type { Locator } from "@playwright/test";
import type { PaymentType } from "../src/devwallet/keys.ts";
import { faults } from "../src/lib/text/de.faults.ts";
import { oneTx as german } from "../src/lib/text/de.oneTx.ts";
import { order as germanOrder } from "../src/lib/text/de.order.ts";
import { text as germanText } from "../src/lib/text/de.ts";
import { later } from "../src/lib/text/en.later.ts";
import { alwaysInView, checkBothSizes } from "./layout.ts";
import { chooseOrder, Staker, whole } from "./staker.ts";
import { expect, inCheck, test } from "./test.ts";

// Withdrawals in one transaction: the wallet signs the delivery, and coins of its payment address pay the fee.

const words = later.oneTx;
const TRANSACTION = "Sign this transaction?";

test.use({ networkName: "onetx" });
test.afterEach(({ network }) => network.feeRate(null));

/** Opens the dialog of a withdrawal of the first unlocked unit. */
async function openWithdrawal(staker: Staker): Promise<Locator> {
  const list = await staker.tab("Withdraw");
  await list.getByRole("checkbox", { name: "1,000 LOBO" }).first().check();
  await list.getByRole("button", { name: "Withdraw", exact: true }).click();
  return staker.page.getByRole("dialog", { name: "Withdraw" });
}

/** Chooses one transaction, and has the message and the transaction signed. */
async function withdraw(staker: Staker): Promise<void> {
  const costs = await openWithdrawal(staker);
  await costs.getByRole("radio", { name: new RegExp(`^${words.option}`) }).check();
  await costs.getByRole("button", { name: words.continue }).click();
}

async function delivered(staker: Staker): Promise<void> {
  const { ordinals } = await staker.addresses();
  const before = await staker.network.runes(ordinals, 1);
  await staker.network.mine(3);
  await expect(staker.order.step).toHaveText(later.order.status.DELIVERED);
  expect(await staker.network.runes(ordinals, 1)).toBe(before + whole(1_000));
}

/** The transaction that the order dialog links to or names. */
async function payoutOf(staker: Staker): Promise<string> {
  const shown = staker.order.dialog.getByText(/^[0-9a-f]{64}$/).first();
  return (await shown.textContent())!;
}

test("is offered with its price, signed by keyboard and sent", async ({ staker }) => {
  await staker.unlock(1);
  const costs = await openWithdrawal(staker);
  const option = costs.getByRole("radio", { name: new RegExp(`^${words.option}`) });
  await expect(option).toBeEnabled();
  await expect(option).toBeChecked(); // the default where the wallet has coins
  await chooseOrder(costs);
  await checkBothSizes(staker.page, "onetx-offer");
  await option.focus();
  await staker.page.keyboard.press("Space");
  await expect(costs.getByText(words.unchecked)).toBeVisible();
  await checkBothSizes(staker.page, "onetx-chosen", () => option.scrollIntoViewIfNeeded());
  const go = costs.getByRole("button", { name: words.continue });
  await expect(go).toBeEnabled();
  await alwaysInView(costs, costs.getByTestId("footer-total"), go);
  const { payment } = await staker.addresses();
  const before = await sum(staker, payment);
  await go.focus();
  await staker.page.keyboard.press("Enter");
  await expect(staker.order.step).toHaveText(later.order.status.SENT);
  await expect(staker.order.dialog.getByText(words.keep)).toBeVisible();
  await checkBothSizes(staker.page, "onetx-sent", () =>
    staker.order.dialog.getByText(words.stuck).scrollIntoViewIfNeeded(),
  );
  // Nothing but the fee and the 546 sats of the output with the runes left the payment address.
  const card = staker.order.dialog.getByRole("region", { name: words.title });
  const fee = Number((await card.locator(".num").first().textContent())!.replace(/\D/g, ""));
  await delivered(staker);
  expect(before - (await sum(staker, payment))).toBe(fee + 546);
  await expect(card).toBeHidden();
});

async function sum(staker: Staker, address: string): Promise<number> {
  return (await staker.network.utxos(address)).reduce((total, { value }) => total + value, 0);
}

test("a refusal, a changed transaction and a spent coin are named; the order can be paid", async ({
  staker,
  network,
}) => {
  await staker.unlock(1);
  await staker.distrustPage();
  await withdraw(staker);
  await staker.answer("Sign this message?", "Sign");
  const { dialog } = staker.order;

  await staker.answer(TRANSACTION, "Reject");
  await expect(dialog.getByText(words.declined("Moon Dev Wallet"))).toBeVisible();
  await checkBothSizes(staker.page, "onetx-refused", () =>
    dialog.getByText(words.declined("Moon Dev Wallet")).scrollIntoViewIfNeeded(),
  );

  await alwaysInView(dialog, dialog.getByTestId("footer-total"), dialog.getByRole("button", { name: words.again }));

  await staker.misbehaves({ changesPsbt: true });
  await dialog.getByRole("button", { name: words.again }).click();
  await staker.answer(TRANSACTION, "Sign");
  await expect(dialog.getByRole("alert")).toContainText(/^Your wallet changed the transaction/);
  await checkBothSizes(staker.page, "onetx-changed", () => dialog.getByRole("alert").scrollIntoViewIfNeeded());

  await staker.misbehaves({ changesPsbt: false, spendsElsewhere: true });
  await dialog.getByRole("button", { name: words.again }).click();
  await staker.answer(TRANSACTION, "Sign");
  await expect(dialog.getByText(words.ended["ONE_TX_COIN_SPENT"]!)).toBeVisible();
  await checkBothSizes(staker.page, "onetx-spent");
  await staker.misbehaves({ spendsElsewhere: false });

  await dialog.getByRole("button", { name: words.payOrder }).click();
  await staker.order.button(later.order.payWallet).click();
  await staker.answer("Send bitcoin?", "Send");
  await expect(dialog.getByText(words.paidInFull)).toBeVisible();
  await network.mine();
  await alwaysInView(dialog, dialog.getByText(words.fee).last(), staker.order.button(words.signDelivery));
  await staker.order.signDelivery();
  await staker.answer(TRANSACTION, "Sign");
  await expect(staker.order.step).toHaveText(later.order.status.SENT);
  await delivered(staker);
});

test("a transaction that does not confirm is replaced by a higher fee", async ({ staker, network }) => {
  await network.feeRate(5);
  await staker.unlock(1);
  await withdraw(staker);
  const { order } = staker;
  await expect(order.step).toHaveText(later.order.status.SENT);
  const first = await payoutOf(staker);
  await network.feeRate(20);
  await network.mine(1, [first]);
  await order.dialog.getByRole("button", { name: words.replace }).click();
  await expect(order.dialog.getByText(/^The network fee is [\d,]+ sats\. Sign to accept it\./)).toBeVisible();
  await order.dialog.getByRole("button", { name: words.sign }).click();
  await expect(order.dialog.getByText(/ vB at 20(\.\d+)? sat\/vB/).first()).toBeVisible();
  await expect(order.dialog.getByText(first)).toBeHidden();
  await delivered(staker);
});

/** Connects again with another type of payment address, and fills it. */
async function reconnect(staker: Staker, type: PaymentType): Promise<void> {
  const { page, network } = staker;
  await page.getByRole("button", { name: "Disconnect" }).click();
  await staker.usePaymentType(type);
  await staker.chooseWallet();
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await network.pay((await staker.addresses()).payment, 100_000);
  await network.mine(3);
}

test("a nested SegWit address signs; a wallet with a single address is told why not", inCheck, async ({ staker }) => {
  await staker.unlock(2);
  await reconnect(staker, "p2sh-p2wpkh");
  await withdraw(staker);
  await expect(staker.order.step).toHaveText(later.order.status.SENT);
  await delivered(staker);
  await staker.order.close();

  await reconnect(staker, "p2tr");
  const costs = await openWithdrawal(staker);
  await expect(costs.getByText(/^One transaction isn't possible now\. Your wallet uses one address/)).toBeVisible();
  await expect(costs.getByRole("radio", { name: new RegExp(`^${words.option}`) })).toHaveCount(0);
  await checkBothSizes(staker.page, "onetx-impossible");
});

test("in German: the choice, a changed transaction, and what is sent", inCheck, async ({
  browser,
  network,
  staker,
}) => {
  await staker.unlock(1);
  const storage = await staker.page.context().storageState({ indexedDB: true });
  const context = await browser.newContext({ locale: "de-DE", storageState: storage });
  const page = await context.newPage();
  await new Staker(page, network).open();
  await page.getByRole("tab", { name: germanText.tabs.withdraw }).click();
  await page.getByRole("checkbox", { name: "1.000 LOBO" }).check();
  await page.getByRole("button", { name: germanText.withdraw.submit, exact: true }).click();
  const costs = page.getByRole("dialog", { name: germanText.withdraw.dialogTitle });
  await costs.getByRole("radio", { name: new RegExp(`^${german.option}`) }).check();
  await checkBothSizes(page, "onetx-german", () => costs.getByText(german.unchecked).scrollIntoViewIfNeeded());
  await page.evaluate(() => (window as any).MoonDevWallet.control.misbehave({ changesPsbt: true }));
  await costs.getByRole("button", { name: german.continue }).click();
  const dialog = page.getByRole("dialog", { name: germanOrder.title });
  const changed = faults["ONE_TX_CHANGED"]!.split("%s")[0]!;
  await expect(dialog.getByRole("alert")).toContainText(changed);
  await page.evaluate(() => (window as any).MoonDevWallet.control.misbehave({ changesPsbt: false }));
  await dialog.getByRole("button", { name: german.again }).click();
  await expect(dialog.getByText(german.keep)).toBeVisible();
  await network.mine(3);
  await expect(dialog.getByTestId("order-status")).toHaveText(germanOrder.status.DELIVERED);
  await context.close();
});
