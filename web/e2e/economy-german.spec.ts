import { later } from "../src/lib/text/de.later.ts";
import { text } from "../src/lib/text/de.ts";
import { later as english } from "../src/lib/text/en.later.ts";
import { checkBothSizes } from "./layout.ts";
import { OrderDialog, Staker } from "./staker.ts";
import { expect, test } from "./test.ts";

const words = later.economy;

/** Rates in sat/vB: the network's own at first, and the order's. */
const BUSY = 10;
const OWN = 4.5;
const DAY = 24 * 3600;

test.use({ networkName: "economy-german" });
test.afterEach(({ network }) => network.feeRate(null));

test("an economy order in German, from the choice to the delivery", async ({ browser, storedSession, network }) => {
  await network.feeRate(BUSY);
  await network.advanceEpoch();
  const context = await browser.newContext({ locale: "de-DE", storageState: storedSession });
  const page = await context.newPage();
  await new Staker(page, network).open();
  await page.getByRole("tab", { name: text.tabs.rewards }).click();
  await page.getByRole("button", { name: text.rewards.claim, exact: true }).click();
  const costs = page.getByRole("dialog", { name: text.rewards.claimTitle });

  await test.step("the choice, with a comma in the rate", async () => {
    await costs.getByRole("radio", { name: new RegExp(`^${words.economy}`) }).check();
    await costs.getByLabel(words.rate).fill("0,01");
    await expect(costs.getByText(/^Die Rate ist zu niedrig\./)).toBeVisible();
    await costs.getByLabel(words.rate).fill("4,5");
    await costs.getByLabel(words.limit).selectOption("7");
    await expect(costs.getByText(later.fees.rate("4,5"))).toBeVisible();
    await checkBothSizes(page, "choice", () => costs.getByText(words.choose).scrollIntoViewIfNeeded());
  });

  const dialog = page.getByRole("dialog", { name: later.order.title });
  const order = new OrderDialog(dialog);
  const status = dialog.getByTestId("order-status");
  await test.step("the payment", async () => {
    await costs.getByRole("button", { name: text.action.continue }).click();
    await expect(dialog.getByText(words.unpaid)).toBeVisible();
    await checkBothSizes(page, "unpaid");
    await order.button(later.order.payWallet).click();
    await expect(dialog.getByText(words.covered)).toBeVisible();
    await checkBothSizes(page, "covered");
    await network.mine();
    await expect(status).toHaveText(words.waitsFor("4,5"));
  });

  await test.step("the wait, and the difference that is not paid", async () => {
    await network.mine(2);
    await expect(dialog.getByText(words.waiting)).toBeVisible();
    await checkBothSizes(page, "waits");
    await dialog.getByRole("button", { name: /^Differenz bezahlen, etwa [1-9]/ }).click();
    await expect(dialog.getByText(/^Der normale Preis ist [\d.]+ Sats bei 10 sat\/vB\./)).toBeVisible();
    await expect(order.due).toHaveText(/^0\.0000\d+ BTC$/);
    await checkBothSizes(page, "difference", () => order.due.scrollIntoViewIfNeeded());
  });

  await test.step("the limit, and a longer wait", async () => {
    await network.advanceClock(7 * DAY + 60);
    await network.mine();
    await expect(status).toHaveText(words.limitReached);
    await expect(dialog.getByText(/^Die Frist ist vorbei\./)).toBeVisible();
    await checkBothSizes(page, "limit", () => dialog.getByText(/^Die Frist ist vorbei\./).scrollIntoViewIfNeeded());
    await dialog.getByRole("button", { name: /^Bis .* warten$/ }).click();
    await expect(status).toHaveText(words.waitsFor("4,5"));
  });

  await test.step("the delivery", async () => {
    await network.feeRate(OWN);
    await network.mine();
    await expect(status).toHaveText(later.order.status.SENT);
    await network.mine(3);
    await expect(status).toHaveText(later.order.status.DELIVERED);
    await expect(dialog.getByLabel(later.fees.title).getByText(later.fees.rate("4,5"))).toBeAttached();
    await checkBothSizes(page, "delivered");
  });

  // No English sentence of economy delivery is left on the page.
  await expect(page.getByText(english.economy.title)).toHaveCount(0);
  await context.close();
});
