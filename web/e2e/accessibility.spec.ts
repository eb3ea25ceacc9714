import axe from "axe-core";
import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import type { Tab } from "./staker.ts";

const widths = [390, 1440];
const tabs: Tab[] = ["Stake", "Rewards", "Unstake", "Withdraw"];

/** What axe finds on the page as it is now: "rule: where" for each violation. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))));
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document);
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`);
  });
}

/** How far the page can be scrolled sideways, in px. */
const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("axe finds nothing, and nothing scrolls sideways", async ({ page, staker, network }) => {
  await page.addInitScript({ content: axe.source });
  const check = async (name: string) => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violations(page), `${name} at ${width} px`).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await sideways(page), `${name} at 320 px`).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  await page.goto(`${network.url("lobo")}/zzz`);
  await page.getByRole("heading", { name: "Sorry, the page was not found" }).waitFor();
  await check("not found");
  await page.goto(`http://localhost:${network.port}`);
  await page.getByRole("heading", { name: "Together Moon Fund" }).waitFor();
  await check("landing");
  await staker.open();
  await check("disconnected");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Choose wallet to connect" })).toBeVisible();
  await check("wallets");
  await page.keyboard.press("Escape");

  await staker.arrive();
  await staker.becomeStaker();
  await check("the steps of a stake");
  await network.advanceEpoch();
  await (await staker.tab("Stake")).getByRole("button", { name: "Stake more" }).click();
  for (const name of tabs) {
    await staker.tab(name);
    await check(name);
  }
  await staker.claim();
  await expect(staker.order.dialog.getByRole("img", { name: /^QR code to pay/ })).toBeVisible();
  await check("payment order");
});
