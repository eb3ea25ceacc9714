import type { Locator } from "@playwright/test";
import { faults as germanFaults } from "../src/lib/text/de.faults.ts";
import { later as german } from "../src/lib/text/de.later.ts";
import { text as germanText } from "../src/lib/text/de.ts";
import { later } from "../src/lib/text/en.later.ts";
import { text } from "../src/lib/text/en.ts";
import { checkBothSizes } from "./layout.ts";
import { withRecoveryDelay } from "./manifests.ts";
import { Network } from "./network.ts";
import { chooseOrder, Staker } from "./staker.ts";
import { expect, test } from "./test.ts";

// Economy delivery of units that their owner can recover soon: an order must end a margin of blocks before that.

const words = later.economy;

/** In blocks: the recovery delay, a sixth of which is the margin, and one day. */
const DELAY = 1080;
const DAY = 144;
/** The network's rate and the orders' rate, in sat/vB. */
const BUSY = 10;
const OWN = "4";

let network: Network;
let manifests: Awaited<ReturnType<typeof withRecoveryDelay>>;

test.beforeAll(async () => {
  manifests = await withRecoveryDelay(DELAY);
  network = await Network.start("economy-recovery", ["--communities", manifests.folder]);
});

test.afterAll(async () => {
  const { code, output } = await network.audit();
  await network.stop();
  await manifests.remove();
  expect(code, output).toBe(0);
});

test("near a recovery, the page offers fewer days, and leads to a possible choice", async ({ page }) => {
  const staker = new Staker(page, network);
  await staker.unlock(2);
  await network.feeRate(BUSY);
  const costs = await openWithdrawal(staker);
  await costs.getByRole("radio", { name: new RegExp(`^${words.economy}`) }).check();
  await costs.getByLabel(words.rate).fill(OWN);
  const limit = costs.getByLabel(words.limit);
  const { order } = staker;

  const longest = await test.step("the choice ends with the longest possible limit", async () => {
    const days = Number(await limit.locator("option").last().getAttribute("value"));
    expect(days).toBeGreaterThan(3);
    expect(days).toBeLessThan(7);
    await expect(limit.locator("option")).toHaveText([1, 3, days].map(words.days));
    await expect(limit).toHaveValue(`${days}`);
    await expect(costs.getByText(words.daysNear(days))).toBeVisible();
    await expect(costs.getByText(words.endsNear(days))).toBeVisible();
    await checkBothSizes(page, "near", () => costs.getByText(words.daysNear(days)).scrollIntoViewIfNeeded());
    return days;
  });

  await test.step("a limit that became too long is refused, and replaced by the longest possible one", async () => {
    await network.mine(DAY);
    await costs.getByRole("button", { name: text.action.continue }).click();
    const refused = costs.getByRole("alert").filter({ hasText: `Choose at most ${longest - 1} days.` });
    await expect(refused).toBeVisible();
    await expect(limit).toHaveValue(`${longest - 1}`);
    await checkBothSizes(page, "refused", () => refused.scrollIntoViewIfNeeded());
    await costs.getByRole("button", { name: text.action.continue }).click();
    await expect(order.dialog.getByText(words.unpaid)).toBeVisible();
  });

  await test.step("the order names its end, waits, and ends before the recovery", async () => {
    await order.button(later.order.payWallet).click();
    await expect(order.dialog.getByText(words.covered)).toBeVisible();
    await network.mine();
    await expect(order.dialog.getByTestId("order-status")).toHaveText("Sign the delivery");
    await checkBothSizes(page, "waits");
    await network.mine((longest - 1) * DAY);
    await network.mine(DAY);
    await expect(order.dialog.getByText(words.ended(OWN))).toBeVisible();
    await expect(order.dialog.getByRole("region", { name: "Refund" })).toBeVisible();
    await checkBothSizes(page, "ended");
    await order.close();
  });

  await test.step("then only a delivery at once is offered", async () => {
    const costs = await openWithdrawal(staker);
    await expect(costs.getByText(words.nearRecovery)).toBeVisible();
    await expect(costs.getByRole("radio", { name: new RegExp(`^${words.economy}`) })).toHaveCount(0);
    await chooseOrder(costs);
    await checkBothSizes(page, "too-late");
    await costs.getByRole("button", { name: text.action.continue }).click();
    await expect(order.due).toBeVisible();
    await order.close();
  });
});

test("in German, a wait that became impossible leads to the other delivery", async ({ browser }) => {
  const context = await browser.newContext({ locale: "en-US" });
  const staker = new Staker(await context.newPage(), network);
  await staker.unlock(1);
  await network.feeRate(BUSY);
  const { page } = staker;
  await page.goto(`${network.url("lobo")}?lang=de`);
  await staker.started();
  const words = german.economy;
  await page.getByRole("tab", { name: germanText.tabs.withdraw }).click();
  await page.getByRole("checkbox", { name: "1.000 LOBO" }).check();
  await page.getByRole("button", { name: germanText.withdraw.submit, exact: true }).click();
  const costs = page.getByRole("dialog", { name: germanText.withdraw.dialogTitle });
  await costs.getByRole("radio", { name: new RegExp(`^${words.economy}`) }).check();
  await expect(costs.getByText(/^Höchstens \d Tage: /)).toBeVisible();
  await checkBothSizes(page, "near-de", () => costs.getByText(/^Höchstens \d Tage: /).scrollIntoViewIfNeeded());

  await network.mine(6 * DAY);
  const go = costs.getByRole("button", { name: germanText.action.continue });
  await go.click();
  await expect(costs.getByText(germanFaults["ECONOMY_TOO_LATE"]!)).toBeVisible();
  await expect(go).toBeDisabled();
  await checkBothSizes(page, "too-late-de", () =>
    costs.getByText(germanFaults["ECONOMY_TOO_LATE"]!).scrollIntoViewIfNeeded(),
  );
  await costs.getByRole("radio", { name: new RegExp(`^${german.oneTx.order}`) }).check();
  await expect(costs.getByRole("radio", { name: new RegExp(`^${words.economy}`) })).toHaveCount(0);
  await go.click();
  await expect(page.getByRole("dialog", { name: german.order.title }).getByTestId("due")).toBeVisible();
  await context.close();
});

/** Opens the costs of a withdrawal of the first unlocked unit of 1,000 LOBO; returns the dialog. */
async function openWithdrawal(staker: Staker): Promise<Locator> {
  const list = await staker.tab("Withdraw");
  await list.getByRole("checkbox", { name: "1,000 LOBO" }).first().check();
  await list.getByRole("button", { name: "Withdraw", exact: true }).click();
  return staker.page.getByRole("dialog", { name: "Withdraw" });
}
