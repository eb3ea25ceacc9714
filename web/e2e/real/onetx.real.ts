import { expect, test } from "./test.ts";
import { whole } from "../staker.ts";
import { later } from "../../src/lib/text/en.later.ts";
import { text } from "../../src/lib/text/en.ts";

// Unisat uses one address for payments and for runes: a withdrawal needs a payment order.

const words = later.oneTx;

test("the real Unisat is told why one transaction is not offered, and pays by the order", async ({ unisat }) => {
  test.setTimeout(600_000);
  const { network, wallet } = unisat;
  const address = await unisat.account();
  await unisat.unlock(1);

  await test.step("the page names the reason, and the order is paid", async () => {
    const before = await network.runes(address);
    const costs = await unisat.openWithdrawal();
    await expect(costs.getByText(/^One transaction isn't possible now\. Your wallet uses one address/)).toBeVisible();
    await expect(costs.getByRole("radio", { name: new RegExp(`^${words.option}`) })).toHaveCount(0);
    await costs.getByRole("button", { name: text.action.continue }).click();
    await wallet.answer(/^Sign$/);
    await expect(unisat.order.dialog.getByRole("button", { name: words.signInstead })).toHaveCount(0);
    await unisat.pay();
    expect((await network.runes(address)) - before).toBe(whole(1_000));
  });
});
