import { expect, test } from "./test.ts";
import { inKB, weigh } from "./weight.ts";

/** The sizes among the budgets: they are the same on every machine. `make bench-web` measures the times. */
test("the first load of a community's page keeps to its budget, the landing page loads no script", async ({ page, network }) => {
  const community = await weigh(page, network.url("lobo"));
  const fund = await weigh(await page.context().newPage(), network.url("www"));
  test.info().annotations.push({ type: "first load", description: `${inKB(community.script)} script, ${inKB(community.style)} style` });
  expect(community.script).toBeLessThanOrEqual(110_000);
  expect(community.style).toBeLessThanOrEqual(10_000);
  expect(fund.script).toBe(0);
  expect(fund.style).toBeLessThanOrEqual(10_000);
});

test("the app comes as one file, which the browser compiles while it comes", async ({ page, network }) => {
  const scripts: Promise<string>[] = [];
  page.on("response", (answer) => {
    if (answer.request().resourceType() === "script" && !answer.url().includes("/dev/")) scripts.push(answer.text());
  });
  await page.goto(network.url("lobo"));
  await page.waitForLoadState("networkidle");
  const apps = (await Promise.all(scripts)).filter((script) => script.length > 50_000);
  expect(apps).toHaveLength(1);
  // Its first words, or they are a comment like any other (vite.config.ts).
  expect(apps[0]!.slice(0, 28)).toBe("//# allFunctionsCalledOnLoad");
  // What loads it is asked for with the page, not a round trip later.
  expect(await page.locator('link[rel="modulepreload"][href^="/assets/load-"]').count()).toBe(1);
});
