import type { Locator } from "@playwright/test";
import { deadPlaces } from "./layout.ts";
import { expect, test } from "./test.ts";
import { later } from "../src/lib/text/en.later.ts";
import { proofs } from "../src/lib/text/en.proofs.ts";
import { text } from "../src/lib/text/en.ts";

/** Checks at both sizes that a press anywhere in a row does the same as on its link, button or checkbox. */
async function expectWholeRows(rows: Locator): Promise<void> {
  await expect(rows.first()).toBeVisible();
  for (const size of [{ width: 390, height: 844 }, { width: 1440, height: 900 }]) {
    await rows.page().setViewportSize(size);
    expect(await deadPlaces(rows), `at ${size.width} px`).toEqual([]);
  }
}

test("a row opens or selects something wherever it is pressed", async ({ activeStaker, network }) => {
  const { page } = activeStaker;
  const order = await activeStaker.openClaim();
  await network.pay(await order.address(), 1_000);
  const payments = order.dialog.getByRole("region", { name: later.order.history }).getByRole("listitem");
  await expectWholeRows(payments);
  const opened = page.context().waitForEvent("page");
  await payments.first().click({ position: { x: 8, y: 8 } });
  const explorer = await opened;
  const inputs = explorer.getByRole("region", { name: later.transaction.inputs }).getByRole("listitem");
  await expectWholeRows(inputs);
  const before = explorer.url();
  await inputs.first().click({ position: { x: 8, y: 8 } });
  await expect(explorer).not.toHaveURL(before);
  await explorer.close();
  await order.close();

  const rewards = await activeStaker.tab("Rewards");
  await expectWholeRows(rewards.getByRole("region", { name: text.rewards.orders }).getByRole("listitem"));
  const activity = rewards.getByRole("region", { name: later.history.activity });
  await activity.getByRole("button", { name: later.history.showAll() }).click();
  await expectWholeRows(activity.getByRole("listitem").filter({ has: page.getByRole("link") }));
  await expectWholeRows((await activeStaker.tab("Unstake")).getByRole("listitem"));

  await page.goto(`${network.url("lobo")}/proofs`);
  await expectWholeRows(page.getByRole("region", { name: proofs.epochs.title }).getByRole("listitem"));
});
