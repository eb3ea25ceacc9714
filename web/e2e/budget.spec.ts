import { expect, test } from "./test.ts";
import { inKB, weigh } from "./weight.ts";

// Other tests of a shared network leave rewards, whose chart loads 2.6 kB more once the page shows it.
test.use({ networkName: "budget" });

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
  expect(community.script).toBeLessThanOrEqual(110_000);
  expect(community.style).toBeLessThanOrEqual(10_000);
  expect(fund.script).toBe(0);
  expect(fund.style).toBeLessThanOrEqual(10_000);
});

test("the browser paints the server's page before it fetches the app", async ({ page, network }) => {
  await page.goto(network.url("lobo"));
  await expect(page.locator("#root[data-app]")).toBeAttached();
  const { painted, fetched } = await page.evaluate(() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0]!.startTime,
    fetched: performance
      .getEntriesByType("resource")
      .filter(({ name }) => /\/(app|start)-[^/]+\.js$/.test(name))
      .map(({ startTime }) => startTime),
  }));
  expect(fetched).toHaveLength(2);
  for (const start of fetched) expect(start).toBeGreaterThanOrEqual(painted);
});
