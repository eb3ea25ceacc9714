import { expect, test } from "./test.ts";
import { inKB, weigh } from "./weight.ts";

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
