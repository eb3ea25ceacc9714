import { expect, test, type UnisatStaker } from "./test.ts";
import { whole } from "../staker.ts";
import { later } from "../../src/lib/text/en.later.ts";
import { text } from "../../src/lib/text/en.ts";

// Withdrawals with economy delivery, signed and paid with the real Unisat.

const words = later.economy;

/** Rates in sat/vB: the network's own at first, and the orders'. */
const BUSY = 10;
const OWN = "4";

test("withdraws at the economy speed, and cancels, with the real Unisat", async ({ unisat }) => {
  test.setTimeout(600_000);
  const { network, order, wallet } = unisat;
  const address = await unisat.account();
  await unisat.unlock(2);
  await network.feeRate(BUSY);

  await test.step("sign, pay, wait for the rate, and receive the runes", async () => {
    const before = await network.runes(address);
    await openPaid(unisat);
    await network.mine(2);
    await expect(order.dialog.getByText(words.waiting)).toBeVisible();
    await expect(order.step).toHaveText(later.order.status.PAID);
    expect(await network.runes(address)).toBe(before);

    await network.feeRate(Number(OWN));
    await network.mine();
    await expect(order.step).toContainText(later.order.status.SENT);
    await network.mine(3);
    await expect(order.step).toHaveText(later.order.status.DELIVERED);
    await expect(order.dialog.getByLabel(later.fees.title).getByText(later.fees.rate(OWN))).toBeAttached();
    expect((await network.runes(address)) - before).toBe(whole(1_000));
    await order.close();
  });

  await test.step("cancel before the payout is signed", async () => {
    await network.feeRate(BUSY);
    await network.mine();
    const before = await network.runes(address);
    await openPaid(unisat);
    await order.button(later.order.cancel).click();
    await order.button(later.order.cancelYes).click();
    const [popup] = await wallet.answer(/^Sign$/);
    expect(popup).toContain("Action: CANCEL");
    await expect(order.dialog.getByText(later.order.state.CANCELED)).toBeVisible();
    const refund = order.dialog.getByRole("region", { name: "Refund" });
    await expect(refund).toBeVisible();

    await network.feeRate(Number(OWN));
    await network.mine();
    await network.advanceClock(10);
    await network.mine(3);
    expect(await network.runes(address)).toBe(before);
    await order.close();
    const list = await unisat.tab("Withdraw");
    await expect(list.getByRole("checkbox", { name: "1,000 LOBO" })).toBeEnabled();
  });
});

/** Orders a withdrawal at the rate OWN and pays it with the wallet. Resolves when the order waits for its rate. */
async function openPaid(unisat: UnisatStaker): Promise<void> {
  const { network, order, wallet } = unisat;
  const costs = await unisat.openWithdrawal();
  await costs.getByRole("radio", { name: new RegExp(`^${words.economy}`) }).check();
  await costs.getByLabel(words.rate).fill(OWN);
  await expect(costs.getByText(later.fees.rate(OWN))).toBeVisible();
  await costs.getByRole("button", { name: text.action.continue }).click();
  const popups = await wallet.answer(/^Sign$/);
  expect(popups).toHaveLength(1);
  expect(popups[0]).toContain("Moon Fund: read before you sign\n");
  expect(popups[0]).toMatch(/Speed: economy, 4 sat\/vB, until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  await order.button(later.order.payWallet).click();
  await wallet.answer(/^Sign$/);
  await expect(order.dialog.getByText(words.covered)).toBeVisible();
  await network.mine();
  await expect(order.dialog.getByTestId("order-status")).toHaveText(words.waitsFor(OWN));
}
