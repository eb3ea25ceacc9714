import { expect, test } from "./test.ts";
import { whole } from "../staker.ts";
import { text } from "../../src/lib/text/en.ts";

// The life cycle of a stake with the real Unisat.

/** Blocks. */
const DELAY = 30;

test.use({ recoveryDelay: DELAY });

test("stakes, claims, unstakes, withdraws and recovers with the real Unisat", async ({ unisat }) => {
  test.setTimeout(900_000);
  const { network, page, wallet } = unisat;
  const address = await unisat.account();

  await test.step("stake after the wallet proved that it can sign", async () => {
    await unisat.stake("1,000");
    await unisat.expectFigure("Pending stake", "1,000");
    expect(await network.runes(address)).toBe(whole(4_000));
    await network.mine(6);
    await network.advanceEpoch();
    await unisat.expectFigure("Your stake", "1,000");
    await network.advanceEpoch();
    await expect(unisat.figure("Claimable rewards")).toHaveText(/[1-9]/);
  });

  await test.step("a rejected stake sends nothing", async () => {
    const before = await network.runes(address);
    const tab = await unisat.stake("500", /^Reject$/);
    await tab.getByRole("button", { name: "Try again" }).click();
    expect(await network.runes(address)).toBe(before);
  });

  await test.step("compound", async () => {
    const rewards = await unisat.tab("Rewards");
    await rewards.getByRole("button", { name: text.rewards.compound }).click();
    await wallet.answer(/^Sign$/);
    await expect(rewards.getByText(/will earn rewards from the next epoch/)).toBeVisible();
    await network.advanceEpoch();
    await expect(unisat.figure("Claimable rewards")).toHaveText(/[1-9]/);
  });

  await test.step("claim and pay", async () => {
    const before = await network.runes(address);
    await unisat.claim();
    await wallet.answer(/^Sign$/);
    await unisat.pay();
    expect(await network.runes(address)).toBeGreaterThan(before);
  });

  await test.step("unstake, withdraw and pay", async () => {
    const unstake = await unisat.tab("Unstake");
    await unstake.getByRole("checkbox", { name: "1,000 LOBO Self-custody" }).check();
    await unisat.unstake(unstake);
    await wallet.answer(/^Sign$/);
    await expect(unisat.figure("Pending unstake")).toHaveText(/1,000 LOBO/);
    await network.advanceEpoch();
    await network.advanceEpoch();
    const before = await network.runes(address);
    const costs = await unisat.openWithdrawal();
    await costs.getByRole("button", { name: text.action.continue }).click();
    await wallet.answer(/^Sign$/);
    await unisat.pay();
    expect((await network.runes(address)) - before).toBe(whole(1_000));
  });

  await test.step("sign a recovery before the delay is over, and send it afterwards", async () => {
    // At a higher rate the output of 546 sats is less than its own fee, and the page does not offer to send.
    await network.feeRate(1);
    const tab = await unisat.stake("2,000");
    await expect(tab.getByText(/^Received\./)).toBeVisible();
    await network.mine();
    await tab.getByRole("button", { name: "Stake more" }).click();
    await tab.getByRole("button", { name: "Recover without the operator" }).click();
    const dialog = page.getByRole("dialog", { name: "Recover without the operator" });
    await dialog.getByRole("button", { name: "Sign only" }).click();
    await wallet.answer(/^Sign$/);
    await expect(dialog.getByTestId("recovery")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
    const before = await network.runes(address);
    await network.mine(DELAY);
    await tab.getByRole("button", { name: "Recover without the operator" }).click();
    await dialog.getByRole("button", { name: "Sign and send" }).click();
    await wallet.answer(/^Sign$/);
    await expect(dialog.getByText(/^Sent: [0-9a-f]{64}$/)).toBeVisible();
    expect((await network.runes(address)) - before).toBe(whole(2_000));
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  await test.step("another account of the wallet is another session", async () => {
    await wallet.addAccount();
    await expect.poll(() => unisat.account()).not.toBe(address);
    await unisat.expectConnected();
  });

  await test.step("with a locked wallet the page opens no popup, and reconnects after it is unlocked", async () => {
    await wallet.lock();
    await page.reload();
    await expectNoPopup();
    await unisat.connect();
  });

  await test.step("after a revocation in the wallet the page is disconnected and opens no popup", async () => {
    await wallet.revoke(new URL(page.url()).origin);
    await page.reload();
    await expectNoPopup();
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: /Connected as/ })).toHaveCount(0);
  });

  /** Waits until the page is loaded and has read from its wallet, which must not have opened a popup. */
  async function expectNoPopup(): Promise<void> {
    await expect(page.locator("#root[data-app]")).toBeAttached();
    await expect(page.getByRole("region", { name: "Epoch", exact: true })).toContainText("21M");
    const opened = await page
      .context()
      .waitForEvent("page", { timeout: 4_000 })
      .catch(() => null);
    expect(opened?.url() ?? wallet.popup()?.url(), "a popup opened by itself").toBeUndefined();
  }
});
