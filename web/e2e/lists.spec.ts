import { aboveTheFold, checkBothSizes } from "./layout.ts";
import { chooseOrder } from "./staker.ts";
import { expect, test } from "./test.ts";
import { later } from "../src/lib/text/en.later.ts";
import { text } from "../src/lib/text/en.ts";

test("check 23: Unstake lists STAKED and, disabled with a countdown, PENDING_STAKE", async ({
  activeStaker,
  network,
}) => {
  await activeStaker.openWithReward();
  await activeStaker.stakeHalf();
  await network.mine();
  const list = (await activeStaker.tab("Unstake")).getByRole("region", { name: "Your stakes" });
  const staked = list.getByRole("listitem").filter({ hasText: /Staked/ });
  await expect(staked.first().getByRole("checkbox")).toBeEnabled();
  const pending = list.getByRole("listitem").filter({ hasText: "Pending stake" });
  await expect(pending.first()).toContainText(/\d+[dhms] .*left/);
  await expect(pending.first().getByRole("checkbox")).toBeDisabled();
});

test("check 25: select all selects only selectable rows, Reset clears, no selection disables the buttons", async ({
  activeStaker,
  network,
}) => {
  await activeStaker.openWithReward();
  await activeStaker.stakeHalf();
  await network.mine();
  const tab = await activeStaker.tab("Unstake");
  const submit = tab.getByRole("button", { name: /^Unstake\b/ });
  await expect(tab.getByRole("listitem").filter({ hasText: "Pending stake" }).first()).toBeVisible();
  await expect(submit).toBeDisabled();
  const all = tab.getByRole("checkbox", { name: "Select all" });
  await all.check();
  const boxes = tab.getByRole("listitem").getByRole("checkbox");
  const states = await boxes.evaluateAll((found: HTMLInputElement[]) =>
    found.map((box) => [box.disabled, box.checked]),
  );
  expect(states.length).toBeGreaterThan(1);
  for (const [off, chosen] of states) expect(chosen).toBe(!off);
  await expect(submit).toBeEnabled();

  const count = states.filter(([off]) => !off).length;
  await expect(tab.getByRole("status").filter({ hasText: `${count} selected, ` })).toBeVisible();
  if (count > 1) {
    await tab.getByRole("listitem").getByRole("checkbox", { checked: true }).first().uncheck();
    expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true);
  }
  await tab.getByRole("button", { name: "Reset" }).click();
  await expect(tab.getByText("Nothing selected")).toBeVisible();
  await expect(boxes.and(activeStaker.page.locator(":checked"))).toHaveCount(0);
  await expect(submit).toBeDisabled();

  const leaving = await activeStaker.tab("Withdraw");
  await expect(
    leaving
      .getByText("Nothing here yet.", { exact: false })
      .or(leaving.getByRole("button", { name: "Withdraw", exact: true, disabled: true })),
  ).toBeVisible();
});

test("check 24: Withdraw names the five stages; a locked row opens its order", async ({
  page,
  staker,
  network,
}) => {
  await staker.arrive();
  await staker.becomeStaker();
  const unstake = await staker.tab("Unstake");
  await unstake.getByRole("checkbox", { name: "Select all" }).check();
  await staker.unstake(unstake);
  await expect(unstake.getByText(/unstaked\. Your runes unlock/)).toBeVisible();

  const tab = await staker.tab("Withdraw");
  const row = tab.getByRole("region", { name: text.withdraw.title }).getByRole("listitem");
  const submit = tab.getByRole("button", { name: "Withdraw", exact: true });
  /** Disabled, with a lock that screen readers announce. */
  const locked = async (label: string | RegExp) => {
    await expect(row).toContainText(label);
    await expect(row.getByText("Locked", { exact: true })).toBeAttached();
    await expect(row.getByRole("checkbox")).toHaveCount(0);
  };
  await locked(/Pending unlock.*\d+d .*left/);
  await expect(submit).toBeDisabled();
  await network.advanceEpoch();
  await network.advanceEpoch();
  await expect(row).toContainText("Unlocked");
  await row.getByRole("checkbox").check();
  await expect(tab.getByRole("button", { name: "Restake" })).toBeEnabled();
  await submit.click();
  const costs = page.getByRole("dialog", { name: "Withdraw" });
  await expect(costs.getByText(text.withdraw.warning)).toBeVisible();
  await chooseOrder(costs);
  const go = costs.getByRole("button", { name: text.action.continue });
  await expect(go).toBeEnabled();
  await checkBothSizes(page, "withdraw-costs", () => aboveTheFold(go));
  await go.click();

  const { order } = staker;
  const address = await order.address();
  await order.close();
  await locked(new RegExp(`${text.withdraw.poLocked}.*left`));
  const orders = tab.getByRole("region", { name: later.withdrawals }).getByRole("listitem");
  await expect(orders).toContainText(later.order.status.PENDING);
  await row.click({ position: { x: 20, y: 10 } }); // a locked row opens its order wherever it is clicked
  expect(await order.address()).toBe(address);
  const total = await order.total();
  await order.close();

  await network.pay(address, Math.floor(total / 2));
  await locked(text.withdraw.pendingWithdraw);
  await network.pay(address, total);
  await locked(text.withdraw.paidUnconfirmed);
  await network.mine();
  await locked(new RegExp(`${later.oneTx.signDelivery}.*left`));
  await row.getByRole("button", { name: "Open payment order" }).click();
  await expect(order.step).toHaveText("Paid");
  await order.signDelivery();
  await expect(order.step).toHaveText("Sent");
});
