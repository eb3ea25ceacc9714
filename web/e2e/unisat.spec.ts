import { whole } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";

// The life cycle of a stake with the model of Unisat's window API: one address for everything, no rune balance.
test.use({ world: "unisat" });

test("stakes, claims, unstakes and withdraws with Unisat and one address for both purposes", async ({
  page,
  staker,
  network,
}) => {
  test.setTimeout(120_000);
  const figures = async (known: Record<string, string>) => {
    for (const [name, amount] of Object.entries(known))
      await expect(staker.figure(name), name).toHaveText(`${amount} LOBO`);
  };
  const sign = () => staker.answer("Sign this message?", "Sign");
  let address = "";

  await test.step("a wallet that injects late is found and connects with one address", async () => {
    await staker.open();
    await page.evaluate(() => (window as any).MoonDevWallet.control.useKind("unisat"));
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page
      .getByRole("dialog", { name: text.wallets.title })
      .getByRole("button", { name: "Unisat" })
      .click();
    await staker.answer("Let this site see your account?", "Connect");
    const { payment, ordinals } = await staker.addresses();
    expect(payment).toBe(ordinals);
    expect(payment).toMatch(/^bcrt1p/);
    address = ordinals;
    await expect(page.getByRole("button", { name: `Connected as ${address}` })).toBeVisible();
    await staker.faucet();
  });

  await test.step("a reload keeps the session of a wallet that injects late", async () => {
    await page.reload();
    await expect(page.getByRole("button", { name: `Connected as ${address}` })).toBeVisible();
    await page.waitForFunction(() => (window as any).unisat !== undefined);
  });

  await test.step("stake a typed amount, because the wallet has no balance method", async () => {
    const stake = await staker.tab("Stake");
    await expect(stake.getByText("Unisat doesn't share its rune balance.", { exact: false })).toBeVisible();
    await stake.getByLabel("Amount to stake").fill("500000");
    await stake.getByRole("button", { name: "Stake 500,000 LOBO" }).click();
    await sign();
    await staker.answer("Send runes?", "Send");
    await expect(stake.getByText(/^Transaction sent: [0-9a-f]{64}$/)).toBeVisible();
    await figures({ "Pending stake": "500,000" });
    await network.mine(3);
    await network.advanceEpoch();
    await figures({ "Your stake": "500,000", "Pending stake": "0" });
  });

  await test.step("a rejection shows the specification's message", async () => {
    await network.advanceEpoch();
    await figures({ "Claimable rewards": "1,000" });
    await staker.claim();
    await staker.answer("Sign this message?", "Reject");
    await expect(
      page.getByRole("dialog", { name: "Claim rewards" }).getByText(text.action.failedToSign("CLAIM", "Unisat")),
    ).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("claim: sign, pay, receive", async () => {
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
    await pay();
    expect(await network.runes(address, 1)).toBe(whole(1_001_000));
  });

  await test.step("another account is another session; disconnecting empties the storage", async () => {
    await page.evaluate(() => (window as any).MoonDevWallet.control.addAccount());
    const { ordinals } = await staker.addresses();
    expect(ordinals).not.toBe(address);
    await expect(page.getByRole("button", { name: `Connected as ${ordinals}` })).toBeVisible();
    await page.getByRole("button", { name: "Disconnect" }).click();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  /** Pays the open order with the wallet and waits until it is delivered. */
  async function pay(): Promise<void> {
    const { order } = staker;
    await order.button(text.order.payWallet).click();
    await staker.answer("Send bitcoin?", "Send");
    await expect(order.dialog.getByText(text.order.completeUnconfirmed)).toBeVisible();
    await network.mine();
    await network.advanceClock(10);
    await expect(order.step).toHaveText("Sent");
    await network.mine(3);
    await expect(order.step).toHaveText("Delivered");
    await order.close();
  }
});
