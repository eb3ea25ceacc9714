import { alter, withoutFigures } from "./alter.ts";
import { checkBothSizes } from "./layout.ts";
import { expect, test } from "./test.ts";

const HALF_HOUR = 30 * 60_000;
const WEEK = 7 * 24 * 60 * 60_000;

test("shows the first epoch in which a stake is likely to earn, and updates it", async ({ staker, network }) => {
  const { page } = staker;
  let remaining = 3 * 24 * 60 * 60_000;
  await withoutFigures(page);
  // The epoch has just begun and takes a week. The network's clock may be ahead of the browser's.
  await alter(page, "infoGlobals", (data) => ({
    ...data,
    end_next_epoch_UTC: new Date(Date.parse(data.end_next_epoch_UTC) - WEEK + remaining).toISOString(),
  }));
  await staker.arrive();
  const first = (await network.advanceEpoch()) + 1;
  const stake = await staker.tab("Stake");
  const likely = (epoch: number) => new RegExp(`ikely to earn from epoch ${epoch}\\b`, "i");
  await stake.getByRole("button", { name: "Half" }).click();
  await expect(stake.getByText(likely(first))).toContainText("3 confirmations by then");

  // Half an hour is not enough for three blocks.
  remaining = HALF_HOUR;
  await network.mine();
  await expect(stake.getByText(likely(first + 1))).toBeVisible();
  await checkBothSizes(page, "stake-likely");

  await stake.getByRole("button", { name: /^Stake \d/ }).click();
  await expect(stake.getByText(/^Received\./)).toContainText(likely(first + 1));
  await expect(stake.getByText(/^Received\./)).toContainText("and has 0. The rest take about 30 minutes");
  await checkBothSizes(page, "stake-seen");
  await network.mine(3);
  await expect(stake.getByText(/^Received, with 3 confirmations\./)).toContainText(likely(first));
  const unstake = await staker.tab("Unstake");
  await expect(unstake.getByText(`Pending stake · likely to earn from epoch ${first}`)).toBeVisible();
  await checkBothSizes(page, "stake-pending");

  await network.advanceEpoch();
  await expect(unstake.getByText("Staked", { exact: true })).toBeVisible();
});
