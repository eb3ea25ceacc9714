import { expect, test } from "./test.ts";
import { later } from "../../src/lib/text/en.later.ts";

// Automatic compounding with the real Unisat: one signature turns it on, another ends it.

const words = later.compounding;

test("rewards are staked automatically after one signature in the real Unisat", async ({ unisat }) => {
  test.setTimeout(300_000);
  const { network, page, wallet } = unisat;
  await unisat.stake("1,000");
  await unisat.expectFigure("Pending stake", "1,000");
  await network.mine(6);
  await network.advanceEpoch();
  await unisat.expectFigure("Your stake", "1,000");

  const tab = await unisat.tab("Rewards");
  const section = tab.getByRole("region", { name: words.title });
  const turnOn = async () => {
    await section.getByRole("button", { name: words.setUp }).click();
    await section.getByLabel(words.length).selectOption("4");
    await section.getByRole("button", { name: words.begin }).click();
  };

  await test.step("a rejection changes nothing", async () => {
    await turnOn();
    await wallet.answer(/^Reject$/);
    await expect(section.getByRole("alert")).toBeVisible();
    await expect(section.getByText(words.off, { exact: true })).toBeVisible();
  });

  await test.step("one popup shows the instruction, and its signature turns it on", async () => {
    await section.getByRole("button", { name: words.begin }).click();
    const popups = await wallet.answer(/^Sign$/);
    expect(popups).toHaveLength(1);
    expect(popups[0]).toContain("Action: AUTO_COMPOUND");
    await expect(section.getByText(words.begun)).toBeVisible();
    await expect(section.getByText(/On until epoch \d+: 4 more rewards/)).toBeVisible();
  });

  await test.step("a settled reward is staked without a popup", async () => {
    await network.advanceEpoch();
    await expect(section.getByText(/On until epoch \d+: 3 more rewards/)).toBeVisible();
    await expect(tab.getByText("Rewards staked automatically")).toBeVisible();
    await unisat.expectFigure("Claimable rewards", "0");
    await expect(unisat.figure("Pending stake")).toHaveText(/[1-9]/);
    expect(wallet.popup()).toBeUndefined();
  });

  await test.step("it goes on after a reload, and a second signature ends it", async () => {
    await page.reload();
    await unisat.tab("Rewards");
    await section.getByRole("button", { name: words.change }).click();
    await section.getByRole("button", { name: words.end }).click();
    const popups = await wallet.answer(/^Sign$/);
    expect(popups).toHaveLength(1);
    expect(popups[0]).toContain("Action: END_AUTO_COMPOUND");
    await expect(section.getByText(words.ended)).toBeVisible();
    await expect(section.getByText(words.over, { exact: true })).toBeVisible();
    await network.advanceEpoch();
    await expect(unisat.figure("Claimable rewards")).toHaveText(/[1-9]/);
  });
});
