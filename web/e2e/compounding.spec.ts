import { checkBothSizes } from "./layout.ts";
import { expect, test } from "./test.ts";
import { later } from "../src/lib/text/en.later.ts";

const words = later.compounding;

test.use({ world: "compounding" });

test("rewards are staked automatically until the staker turns it off", async ({ activeStaker, network }) => {
  await activeStaker.openWithReward();
  const tab = await activeStaker.tab("Rewards");
  const section = tab.getByRole("region", { name: words.title });
  await expect(section.getByText(words.off, { exact: true })).toBeVisible();
  await section.getByRole("button", { name: words.setUp }).click();
  await expect(section.getByText(words.explain)).toBeVisible();
  await section.getByLabel(words.length).selectOption("4");
  await section.getByRole("button", { name: words.begin }).click();
  await expect(section.getByText(words.begun)).toBeVisible();
  await expect(section.getByText(/On until epoch \d+: 4 more rewards/)).toBeVisible();

  const before = await activeStaker.figure("Claimable rewards").textContent();
  await network.advanceEpoch();
  await expect(section.getByText(/On until epoch \d+: 3 more rewards/)).toBeVisible();
  await expect(activeStaker.figure("Claimable rewards")).toHaveText(before!);
  await expect(tab.getByText("Rewards staked automatically")).toBeVisible();

  await section.getByRole("button", { name: words.change }).click();
  await checkBothSizes(activeStaker.page, "compounding", () => section.scrollIntoViewIfNeeded());
  await section.getByRole("button", { name: words.end }).click();
  await expect(section.getByText(words.ended)).toBeVisible();
  await expect(section.getByText(words.over, { exact: true })).toBeVisible();
  await network.advanceEpoch();
  await expect(activeStaker.figure("Claimable rewards")).not.toHaveText(before!);
});
