import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";

/** Policy violations of the pages, and the hosts that they requested. */
async function watch(page: Page): Promise<{ stopped: () => Promise<string[]>; origins: Set<string> }> {
  await page.addInitScript(() => {
    const stopped: string[] = ((window as any).stopped = []);
    document.addEventListener("securitypolicyviolation", (event) =>
      stopped.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sample}`),
    );
  });
  const origins = new Set<string>();
  page.on("request", (request) => request.url().startsWith("http") && origins.add(new URL(request.url()).origin));
  return { stopped: () => page.evaluate(() => (window as any).stopped), origins };
}

test("the pages have a strict content security policy and don't violate it", async ({ context, network }) => {
  for (const [label, path] of [
    ["www", "/"],
    ["www", "/terms"],
    ["www", "/trust"],
    ["lobo", "/"],
    ["lobo", "/zzz"],
    ["dummy", "/"],
  ] as const) {
    const page = await context.newPage(); // a page that is left can still send a request
    const { stopped, origins } = await watch(page);
    const answer = await page.goto(network.url(label) + path);
    const policy = answer!.headers()["content-security-policy"]!;
    const scripts = /script-src ([^;]*)/.exec(policy)![1];
    expect(scripts).toBe(label === "www" ? "'none'" : "'self'");
    expect(policy).toMatch(/^default-src 'none';/);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await stopped(), label + path).toEqual([]);
    expect([...origins], label + path).toEqual([network.url(label)]);
    await page.close();
  }
});

test("shows markup in texts as text", async ({ page, network }) => {
  const hostile = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';
  await page.route("**/infoGlobals*", (route) =>
    route.fulfill({
      json: {
        success: true,
        message: "",
        data: {
          total_staked: "100",
          total_issued: "2100000000000000",
          epoch: 3,
          end_next_epoch_UTC: "2030-01-02T00:00:00Z",
          frontNotice: hostile,
        },
      },
    }),
  );
  await page.goto(network.url("lobo"));
  await expect(page.getByText(hostile)).toBeVisible();
  expect(await page.evaluate(() => (window as any).broken)).toBeUndefined();
  // In a browser with Trusted Types, a mistake in our own code cannot do it either.
  const results = await page.evaluate(() => {
    try {
      document.createElement("div").innerHTML = "<b>bold</b>";
      return "written";
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(results).toBe("TypeError");
});
