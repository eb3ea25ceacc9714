import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { inKB, weigh } from "./weight.ts";
import { text as german } from "../src/lib/text/de.ts";
import { text as english } from "../src/lib/text/en.ts";

// The first test needs a network without rewards.
test.use({ networkName: "budget" });

const SCRIPT = 110_000;

/** The size budgets, which do not depend on the machine. `make bench-web` measures the times. */
test("a community's page stays within its size budget, and the landing page loads no script", async ({
  page,
  network,
}) => {
  const community = await weigh(page, network.url("lobo"));
  const fund = await weigh(await page.context().newPage(), network.url("www"));
  test.info().annotations.push({
    type: "first load",
    description: `${inKB(community.script)} script, ${inKB(community.style)} style`,
  });
  expect(community.script).toBeLessThanOrEqual(SCRIPT);
  expect(community.style).toBeLessThanOrEqual(10_000);
  expect(fund.script).toBe(0);
  expect(fund.style).toBeLessThanOrEqual(10_000);
});

test("with rewards, the page loads the chart's bars and the calculator when they are nearly seen", async ({
  activeStaker,
  browser,
  network,
}) => {
  await activeStaker.openWithReward();
  await network.advanceEpoch(); // One epoch is a sentence, two are a chart.
  for (const [viewport, locale, text] of [
    [{ width: 390, height: 844 }, "en", english],
    [{ width: 1440, height: 900 }, "en", english],
    [{ width: 1440, height: 900 }, "de", german],
  ] as const) {
    const context = await browser.newContext({ viewport, locale });
    const page = await context.newPage();
    const chart = page.getByRole("region", { name: text.visit.earned.title });
    const bars = chart.getByRole("slider");
    const calculator = page.getByRole("region", { name: text.visit.wouldEarn });
    const onPhone = viewport.width < 600;
    const { script } = await weigh(page, network.url("lobo"), async () => {
      await expect(chart.getByRole("table").getByRole("row").last()).toContainText(text.visit.earned.unsettled);
      await expect(bars).toHaveCount(onPhone ? 0 : 1);
    });
    test.info().annotations.push({ type: "first load", description: `${inKB(script)} at ${viewport.width} px` });
    expect(script).toBeLessThanOrEqual(SCRIPT);
    await expect(calculator.getByRole("textbox")).toHaveCount(0);

    const shift = await observeShifts(page);
    await calculator.scrollIntoViewIfNeeded();
    await expect(calculator.getByRole("definition").first()).toBeVisible();
    await chart.scrollIntoViewIfNeeded();
    await expect(bars).toBeVisible();
    expect(await shift(), `${viewport.width} px`).toBe(0);

    // Nothing is missing on paper, where browsers omit the bars' colors.
    await page.emulateMedia({ media: "print" });
    await expect(chart.getByRole("table")).toBeVisible();
    await expect(bars).toBeHidden();
    await context.close();
  }
});

test("the browser paints the server's page before it fetches the app", async ({ page, network }) => {
  await page.goto(network.url("lobo"));
  await expect(page.locator("#root[data-app]")).toBeAttached();
  const { painted, fetched } = await page.evaluate(() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
    fetched: performance
      .getEntriesByType("resource")
      .filter(({ name }) => /\/(app|react|start)-[^/]+\.js$/.test(name))
      .map(({ startTime }) => startTime),
  }));
  expect(fetched).toHaveLength(3); // React is a file of its own, so that no task of a slow phone is long
  for (const start of fetched) expect(start).toBeGreaterThanOrEqual(painted);
});

/** Sums the layout shifts from now on, except those that follow an input. */
async function observeShifts(page: Page): Promise<() => Promise<number>> {
  const sum = await page.evaluateHandle(() => {
    let shifts = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) shifts += entry.value;
    });
    observer.observe({ type: "layout-shift" });
    return () => shifts;
  });
  return async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return sum.evaluate((read) => read());
  };
}
