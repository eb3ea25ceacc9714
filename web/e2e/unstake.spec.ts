import { checkBothSizes, safeIsProminent } from "./layout.ts";
import { expect, test } from "./test.ts";

test("shows the reward that unstaking gives up and the unlock date, and asks for confirmation", async ({ staker }) => {
  await staker.arrive();
  await staker.becomeStaker();
  await staker.openWithReward();
  const tab = await staker.tab("Unstake");
  const all = /^You give up the epoch \d+ reward of everything you unstake\. Your runes unlock when epoch \d+ ends, /;
  await expect(tab.getByText(all)).toBeVisible();
  await tab.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  const date = /\w{3} \d+, \d{4}, \d+:\d\d [AP]M/;
  const unlocks = `Your runes unlock when epoch \\d+ ends, on ${date.source}\\.$`;
  const cost = new RegExp(`^You give up about [\\d,.]+ LOBO for epoch \\d+\\. ${unlocks}`);
  await expect(tab.getByText(cost)).toBeVisible();
  await checkBothSizes(staker.page, "unstake-chosen");
  const unlock = (await tab.getByText(cost).textContent())!.split(" ends, on ")[1]!.slice(0, -1);

  await tab.getByRole("button", { name: "Unstake 500,000 LOBO" }).click();
  const question = staker.page.getByRole("dialog", { name: "Unstake 500,000 LOBO?" });
  await expect(question.getByText(cost)).toBeVisible();
  const wait = /^If you wait until epoch \d+ ends on .*, you keep this reward, and your runes unlock when epoch \d+ /;
  await expect(question.getByText(wait)).toBeVisible();
  await checkBothSizes(staker.page, "unstake-question");
  const keep = question.getByRole("button", { name: "Keep staking" });
  await safeIsProminent(keep, question.getByRole("button", { name: "Unstake", exact: true }));
  await keep.click();
  await expect(question).toBeHidden();
  await expect(staker.figure("Pending unstake")).toHaveText(/^0 LOBO/);

  await staker.unstake(tab);
  await expect(tab.getByText(new RegExp(`^500,000 LOBO unstaked\\. ${unlocks}`))).toBeVisible();
  await expect(staker.figure("Pending unstake")).toHaveText(/500,000 LOBO/);
  // The date that the page named is the server's unlock date.
  const unit = (await staker.tab("Withdraw")).getByRole("listitem").filter({ hasText: "500,000 LOBO" });
  await expect(unit.locator("time")).toHaveAttribute("title", unlock);
});
