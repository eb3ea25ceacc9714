import { checkBothSizes } from "./layout.ts";
import { expect, test } from "./test.ts";
import { earn } from "../src/lib/text/en.earn.ts";
import { text } from "../src/lib/text/en.ts";

// Its figures depend on all stakes of the network.
test.use({ networkName: "earnings" });

test("shows what a stake would earn and cost, before connecting and while typing", async ({
  page,
  activeStaker,
  staker,
}) => {
  await activeStaker.openWithReward(); // 500,000 LOBO are staked
  // To the only staker, more stake brings no more reward.
  const alone = await activeStaker.tab("Stake");
  await alone.getByLabel("Amount to stake").fill("1000");
  await expect(alone.getByText(earn.alone)).toBeVisible();
  await expect(alone.getByText(earn.perEpoch)).toHaveCount(0);
  await staker.open();
  const calculator = page.getByRole("region", { name: text.visit.wouldEarn });
  await calculator.scrollIntoViewIfNeeded(); // It is loaded when it is nearly seen.
  // 1,000 of 501,000 staked LOBO, and rewards of 1,000 LOBO per epoch.
  await expect(calculator.getByText("about 1.99 LOBO", { exact: true })).toBeVisible();
  await expect(calculator.getByText(/^That assumes 0\.1996% of the total stake\./)).toBeVisible();
  // Epochs of a dev network end by hand, so nothing is said about a year.
  await expect(calculator.getByText("Per year")).toHaveCount(0);
  const costs = /a withdrawal costs about [\d,]+ sats and a claim about [\d,]+ sats; 546 of each come back/;
  await expect(calculator.getByText(costs)).toBeVisible();
  await calculator.getByRole("textbox").fill("500,000.0");
  await expect(calculator.getByText("about 500 LOBO", { exact: true })).toBeVisible();
  await checkBothSizes(page, "calculator", () => calculator.scrollIntoViewIfNeeded());

  await staker.connect();
  await staker.faucet();
  const stake = await staker.tab("Stake");
  await stake.getByRole("button", { name: "Half" }).click();
  await expect(stake.getByText("about 500 LOBO", { exact: true })).toBeVisible();
  await expect(stake.getByText(/At today's stake and rewards/)).toBeVisible();
  await checkBothSizes(page, "stake-would-earn", () => stake.getByText("Per epoch").scrollIntoViewIfNeeded());
});

test("shows the cost of a claim per token and as a share, and suggests staking or waiting", async ({
  activeStaker,
}) => {
  await activeStaker.openWithReward();
  const rewards = await activeStaker.tab("Rewards");
  const now = /^A claim costs about [\d,]+ sats right now; 546 of them come back\. That is about [\d.]+ sats per LOBO/;
  await expect(rewards.getByText(now)).toBeVisible();
  await rewards.getByRole("button", { name: "Claim", exact: true }).click();
  const costs = activeStaker.page.getByRole("dialog", { name: "Claim rewards" });
  const perToken = costs.getByText(/^That is about [\d.]+ sats per LOBO\./);
  await expect(perToken).toContainText("If you wait, the cost per LOBO falls.");
  const worth = costs.getByLabel("What is 1 LOBO worth to you, in sats?");
  await worth.fill("1000");
  await expect(costs.getByText(/^The cost is about 0\.\d+% of this claim\.$/)).toBeVisible();
  await worth.fill("5");
  const advice = /^The cost is about \d+\.\d+% of this claim\. Consider staking the rewards/;
  await expect(costs.getByText(advice)).toBeVisible();
  await checkBothSizes(activeStaker.page, "claim-share");
  await worth.fill("0.1");
  await expect(costs.getByText(/^The cost is more than this claim is worth\./)).toBeVisible();
});
