import { whole } from "./staker.ts";
import { expect, test } from "./test.ts";
import { later } from "../src/lib/text/en.later.ts";
import { text } from "../src/lib/text/en.ts";

// The life cycle of a stake with a wallet that has one address for everything, as Unisat and OKX have.
test.use({ networkName: "one-address" });

test("stakes, claims, unstakes and withdraws with one address for both purposes", async ({
  page,
  staker,
  network,
}) => {
  const figures = async (known: Record<string, string>) => {
    for (const [name, amount] of Object.entries(known))
      await expect(staker.figure(name), name).toHaveText(`${amount} LOBO`);
  };
  const sign = () => staker.answer("Sign this message?", "Sign");
  let address = "";

  await test.step("connect with one address", async () => {
    await staker.open();
    await staker.usePaymentType("p2tr");
    await staker.connect();
    const { payment, ordinals } = await staker.addresses();
    expect(payment).toBe(ordinals);
    expect(payment).toMatch(/^bcrt1p/);
    address = ordinals;
    await expect(page.getByRole("button", { name: `Connected as ${address}` })).toBeVisible();
    await staker.faucet();
  });

  await test.step("stake", async () => {
    const stake = await staker.tab("Stake");
    await stake.getByLabel("Amount to stake").fill("500000");
    await stake.getByRole("button", { name: "Stake 500,000 LOBO" }).click();
    await sign();
    await staker.answer("Sign this transaction?", "Sign"); // the rehearsal
    await staker.answer("Send runes?", "Send");
    await expect(stake.getByText(/^Broadcasted tx id : [0-9a-f]{64}$/)).toBeVisible();
    await figures({ "Pending stake": "500,000" });
    await network.mine(3);
    await network.advanceEpoch();
    await figures({ "Your stake": "500,000", "Pending stake": "0" });
  });

  await test.step("claim: sign, pay, receive", async () => {
    await network.advanceEpoch();
    await figures({ "Claimable rewards": "1,000" });
    await staker.claim();
    await sign();
    await pay();
    expect(await network.runes(address, 1)).toBe(whole(501_000));
  });

  await test.step("unstake, withdraw, pay, receive", async () => {
    const list = await staker.tab("Unstake");
    await list.getByRole("checkbox", { name: "500,000 LOBO" }).check();
    await staker.unstake(list);
    await sign();
    await expect(list.getByText(text.unstake.done("500,000", "LOBO"))).toBeVisible();
    await network.advanceEpoch();
    await network.advanceEpoch();
    const withdraw = await staker.tab("Withdraw");
    await withdraw.getByRole("checkbox", { name: "500,000 LOBO" }).check();
    await withdraw.getByRole("button", { name: "Withdraw", exact: true }).click();
    await page.getByRole("dialog", { name: "Withdraw" }).getByRole("button", { name: "Continue to payment" }).click();
    await sign();
    await pay(true);
    expect(await network.runes(address, 1)).toBe(whole(1_001_000));
  });

  await test.step("another account is another session; disconnecting empties the storage", async () => {
    await page.evaluate(() => (window as any).MoonDevWallet.control.addAccount());
    const { ordinals } = await staker.addresses();
    expect(ordinals).not.toBe(address);
    await expect(page.getByRole("button", { name: `Connected as ${ordinals}` })).toBeVisible();
    await page.getByRole("button", { name: "Disconnect" }).click();
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  });

  /** Pays the open order with the wallet, signs the delivery of a withdrawal, and waits until it is delivered. */
  async function pay(withdraws = false): Promise<void> {
    const { order } = staker;
    await order.button(later.order.payWallet).click();
    await staker.answer("Send bitcoin?", "Send");
    const complete = withdraws ? later.oneTx.paidInFull : later.order.completeUnconfirmed;
    await expect(order.dialog.getByText(complete)).toBeVisible();
    await network.mine();
    await network.advanceClock(10);
    if (withdraws) await order.signDelivery();
    if (withdraws) await staker.answer("Sign this transaction?", "Sign");
    await expect(order.step).toHaveText("Sent");
    await network.mine(3);
    await expect(order.step).toHaveText("Delivered");
    await order.close();
  }
});
