import type { Page } from "@playwright/test";
import { paidSoFar, Staker, type Tab } from "./staker.ts";
import { expect, test } from "./test.ts";
import { translate } from "./translator.ts";
import { later } from "../src/lib/text/en.later.ts";

const TABS: readonly Tab[] = ["Stake", "Rewards", "Unstake", "Withdraw"];

/** What a person reads, without the clocks, which two pages don't show at the same second. */
const read = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((all) =>
    all.map((element) => {
      const copy = element.cloneNode(true) as Element;
      for (const timer of copy.querySelectorAll("[role=timer], style")) timer.remove();
      return copy.textContent!.replace(/\s+/g, "");
    }),
  );

/** Ids, addresses and amounts that the translator replaced, whole or within a sentence. */
const translatedParts = (page: Page) =>
  page
    .locator(":is(#root, dialog) :not(svg *) > font font")
    .evaluateAll((all) =>
      all
        .map((one) => one.textContent!)
        .filter((words) =>
          /[0-9a-f]{16}|bcrt1[a-z0-9]{3}|[a-z0-9]{4}…[a-z0-9]{4}|^[\d.,]*[.,]\d+$|\d (sat|LOBO|BTC|vB)/.test(words),
        ),
    );

/** Checks that the translated page shows what a page that was loaded now shows, in every tab. */
async function compare(staker: Staker, tabs = TABS): Promise<void> {
  const fresh = new Staker(await staker.page.context().newPage(), staker.network);
  await fresh.open();
  await expect(fresh.figure("Your stake")).not.toHaveText("");
  for (const name of tabs) {
    for (const one of [fresh, staker]) await one.tab(name);
    const both = async () => Promise.all([staker, fresh].map(({ page }) => read(page, "main dd, [role=tabpanel] li")));
    await expect(async () => {
      const [translated, plain] = await both();
      expect(translated).toEqual(plain);
      expect(plain!.length).toBeGreaterThan(0);
    }).toPass({ timeout: 60_000 });
    expect(await translatedParts(staker.page)).toEqual([]);
  }
  await fresh.page.close();
}

test("a translated page shows the right figures through a whole life, without an error", async ({ page, network }) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await translate(page);
  const staker = new Staker(page, network);
  await staker.arrive();
  await expect((await staker.tab("Stake")).getByTestId("balance")).toHaveText("1,000,000");
  expect(await page.locator("main font").count()).toBeGreaterThan(20);
  const stake = await staker.stakeHalf();
  await expect(stake.getByText(/^Broadcasted tx id : [0-9a-f]{64}$/)).toBeVisible();
  expect(await translatedParts(page)).toEqual([]);
  await network.mine(3);
  await network.advanceEpoch();
  await expect(staker.figure("Your stake")).toHaveText(/500,000 LOBO/);
  await compare(staker, ["Rewards", "Unstake", "Withdraw"]);

  await network.advanceEpoch();
  await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  await compare(staker, ["Rewards", "Unstake", "Withdraw"]);
  await staker.claim();
  const { order } = staker;
  await expect(order.dialog.getByText(/^Delivers /)).toBeVisible();
  const due = await order.due.textContent();
  expect(await translatedParts(page)).toEqual([]);
  await network.pay(await order.address(), 1_000);
  await expect(order.dialog.getByText(paidSoFar("1,000")).first()).toBeVisible();
  await expect(order.due).not.toHaveText(due!);
  await order.button(later.order.payWallet).click();
  await expect(order.dialog.getByText(/^([\d,]+) sats out of [\d.]+ BTC \(\1 sats\)$/).first()).toBeVisible();
  expect(await translatedParts(page)).toEqual([]);
  await network.mine();
  await network.mine(3);
  await expect(order.dialog.getByText(/^Delivered /).first()).toBeVisible();
  expect(await translatedParts(page)).toEqual([]);
  await order.close();
  await compare(staker, ["Rewards", "Unstake", "Withdraw"]);

  const list = await staker.tab("Unstake");
  await list.getByRole("checkbox", { name: "500,000 LOBO" }).check();
  await staker.unstake(list);
  await expect(staker.figure("Pending unstake")).not.toHaveText(/^0 LOBO/);
  await compare(staker, ["Rewards", "Unstake", "Withdraw"]);
  await network.advanceEpoch();
  await network.advanceEpoch();
  await compare(staker, ["Rewards", "Unstake", "Withdraw"]);

  const clock = page.getByRole("main").getByRole("timer").first();
  const before = await clock.textContent();
  await expect(clock).not.toHaveText(before!);
  expect(errors).toEqual([]);
});
