import { chooseOrder, itemsOf, whole } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

// A network of its own: a single staker earns the whole reward, 1,000 per epoch, so every figure is known.
test.use({ networkName: "life" });

test("stakes, earns, claims, restakes and withdraws", async ({ page, staker, network }) => {
  let loads = 0;
  page.on("load", () => (loads += 1));
  const sign = () => staker.answer("Sign this message?", "Sign");
  const figures = async (known: Record<string, string>) => {
    for (const [name, amount] of Object.entries(known))
      await expect(staker.figure(name), name).toHaveText(`${amount} LOBO`);
  };
  /** The wallet's balance agrees with the node's chain. */
  const holds = async (tokens: number) => {
    const stake = await staker.tab("Stake");
    const again = stake.getByRole("button", { name: "Stake more" });
    await expect(again.or(stake.getByTestId("balance")).first()).toBeVisible();
    if (await again.isVisible()) await again.click();
    await expect(stake.getByTestId("balance")).toHaveText(tokens.toLocaleString("en"));
    expect(await network.runes((await staker.addresses()).ordinals, 1)).toBe(whole(tokens));
  };

  await test.step("connect and request test funds", async () => {
    await staker.open();
    await staker.connect();
    const { ordinals } = await staker.addresses();
    await expect(page.getByRole("button", { name: `Connected as ${ordinals}` })).toContainText(
      `${ordinals.slice(0, 6)}…${ordinals.slice(-6)}`,
    );
    await staker.faucet();
    await holds(1_000_000);
  });

  await test.step("stake half: PENDING_STAKE", async () => {
    const stake = await staker.stakeHalf();
    // The wallet has to show that it can sign before the first stake.
    await staker.answer("Sign this message?", "Sign");
    await staker.answer("Sign this transaction?", "Sign");
    await expect(stake.getByText("Confirm the transfer in your wallet.")).toBeVisible();
    await staker.answer("Send runes?", "Send");
    await expect(stake.getByText(/^Broadcasted tx id : [0-9a-f]{64}$/)).toBeVisible();
    await expect(stake.getByText(/^Received\. Your stake is likely to earn from epoch \d+/)).toBeVisible();
    await figures({ "Pending stake": "500,000", "Your stake": "0" });
    const unit = (await staker.tab("Unstake")).getByRole("listitem").filter({ hasText: "500,000 LOBO" });
    await expect(unit).toContainText(/Pending stake.*\d+d .* left/);
    await expect(unit.getByRole("checkbox")).toBeDisabled();
  });

  await test.step("the epoch ends: STAKED", async () => {
    await network.mine(3);
    expect(await network.advanceEpoch()).toBe(1);
    await figures({ "Pending stake": "0", "Your stake": "500,000", "Total staked": "500,000" });
    await expect(staker.figure(text.figures.share)).toHaveText("100%");
    await holds(500_000);
  });

  await test.step("stake the rewards of epoch 1", async () => {
    await network.advanceEpoch();
    await figures({ "Claimable rewards": "1,000" });
    const rewards = await staker.tab("Rewards");
    await rewards.getByRole("button", { name: text.rewards.compound }).click();
    await sign();
    await expect(rewards.getByText(text.rewards.compounded("1,000", "LOBO"))).toBeVisible();
    await figures({ "Claimable rewards": "0", "Pending stake": "1,000" });
    await expect(rewards.getByRole("button", { name: text.rewards.compound })).toBeDisabled();
  });

  await test.step("claim the rewards of epoch 2: the wallet pays the order, and it is delivered", async () => {
    await network.advanceEpoch();
    await figures({ "Claimable rewards": "1,000", "Your stake": "501,000", "Pending stake": "0" });
    const rewards = await staker.tab("Rewards");
    await rewards.getByRole("button", { name: "Claim", exact: true }).click();
    const costs = page.getByRole("dialog", { name: "Claim rewards" });
    const estimate = (await itemsOf(costs)).at(-1)!;
    await costs.getByRole("button", { name: "Continue to payment" }).click();
    await sign();

    const { order } = staker;
    await expect(order.dialog.getByText("Delivers 1,000 LOBO")).toBeVisible();
    const total = await order.total();
    expect(total).toBe(estimate);
    const bitcoin = (total / 1e8).toFixed(8);
    await expect(order.dialog.getByRole("img", { name: `QR code to pay ${bitcoin} BTC` })).toBeVisible();
    await expect(order.due).toHaveText(`${bitcoin} BTC`);
    await order.button(later.order.payWallet).click();
    await staker.answer("Send bitcoin?", "Send");
    await expect(order.dialog.getByText(later.order.paidWallet)).toBeVisible();
    await expect(order.progress).toHaveAttribute("aria-valuenow", "100");
    await expect(order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
    await expect(rewards.getByRole("button", { name: "Claim", exact: true, includeHidden: true })).toBeDisabled();

    await deliver();
    await order.close();
    await expect(rewards.getByRole("list").getByRole("button", { name: "1,000 LOBO Delivered" })).toBeVisible();
    await holds(501_000);
  });

  /**
   * Mines blocks: the payment confirms, the payout is sent with its batch, or, for a withdrawal, once its owner signs,
   * and gets three confirmations.
   */
  async function deliver(withdraws = false): Promise<void> {
    const { order } = staker;
    await network.mine();
    await network.advanceClock(10);
    if (withdraws) {
      await order.signDelivery();
      await staker.answer("Sign this transaction?", "Sign");
    }
    await expect(order.step).toHaveText("Sent");
    await expect(order.dialog.getByText(later.confirmations.left(0, 30))).toBeVisible();
    await network.mine();
    await expect(order.dialog.getByText(later.confirmations.left(1, 20))).toBeVisible();
    await network.mine(2);
    await expect(order.step).toHaveText("Delivered");
    await expect(order.dialog.getByText("Delivered. Your runes are in your wallet.")).toBeVisible();
  }

  /** Unstakes the deposit and waits until it is unlocked; the compounded reward stays staked. */
  async function unstake(): Promise<void> {
    const list = await staker.tab("Unstake");
    await expect(list.getByRole("button", { name: "Unstake", exact: true })).toBeDisabled();
    await list.getByRole("checkbox", { name: "500,000 LOBO" }).check();
    await expect(list.getByText("1 selected, 500,000 LOBO")).toBeVisible();
    await staker.unstake(list);
    await sign();
    await expect(list.getByText(text.unstake.done("500,000", "LOBO"))).toBeVisible();
    await figures({ "Pending unstake": "500,000", "Your stake": "1,000" });
    const unit = (await staker.tab("Withdraw")).getByRole("listitem").filter({ hasText: "500,000 LOBO" });
    await expect(unit).toContainText(/Locked.*Pending unlock.*\d+d .* left/);
    await expect(unit.getByRole("checkbox")).toBeHidden();
    await network.advanceEpoch();
    await expect(unit).toContainText("Pending unlock");
    await network.advanceEpoch();
    await expect(unit).toContainText("Unlocked");
    await figures({ "Pending unstake": "0", Unlocked: "500,000" });
  }

  await test.step("unstake, wait for the unlock, restake", async () => {
    await unstake();
    const list = await staker.tab("Withdraw");
    await list.getByRole("checkbox", { name: "500,000 LOBO" }).check();
    await list.getByRole("button", { name: "Restake" }).click();
    await sign();
    await expect(list.getByText(text.withdraw.restaked("500,000", "LOBO"))).toBeVisible();
    await figures({ Unlocked: "0", "Pending stake": "500,000" });
    await network.advanceEpoch();
    await figures({ "Your stake": "501,000" });
  });

  await test.step("unstake again and withdraw: pay half with the wallet and half by hand", async () => {
    await unstake();
    const list = await staker.tab("Withdraw");
    await list.getByRole("checkbox", { name: "Select all" }).check();
    await list.getByRole("button", { name: "Withdraw", exact: true }).click();
    const costs = page.getByRole("dialog", { name: "Withdraw" });
    await expect(costs.getByText(text.withdraw.warning)).toBeVisible();
    await chooseOrder(costs);
    await costs.getByRole("button", { name: "Continue to payment" }).click();
    await sign();

    const { order } = staker;
    await expect(order.dialog.getByText("Delivers 500,000 LOBO")).toBeVisible();
    const total = await order.total();
    const half = Math.floor(total / 2);
    const address = await order.address();
    await expect(order.progress).toHaveAttribute("aria-valuenow", "0");
    await staker.sendFromWallet(address, half);
    await expect(order.dialog.getByText("Still due", { exact: true })).toBeVisible();
    expect(Number(await order.progress.getAttribute("aria-valuenow"))).toBeGreaterThan(30);
    const due = Math.round(Number((await order.due.textContent())!.replace(" BTC", "")) * 1e8);
    // A second payment costs an additional input, which the remaining amount includes.
    expect(due).toBe((await order.total()) - half);
    await network.pay(address, due);
    await expect(order.progress).toHaveAttribute("aria-valuenow", "100");
    await expect(order.dialog.getByText("Unconfirmed", { exact: true })).toHaveCount(2);

    await deliver(true);
    await expect(order.dialog.getByText("Confirmed", { exact: true })).toHaveCount(2);
    await order.close();
    await figures({ Unlocked: "0", "Your stake": "1,000" });
    await holds(1_001_000);
  });

  await test.step("the page was never reloaded, and the audit finds no violation", async () => {
    expect(loads).toBe(1);
    const { code, output } = await network.audit();
    expect(code, output).toBe(0);
  });
});
