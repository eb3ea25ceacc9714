import { aboveTheFold } from "./layout.ts";
import { expect, test } from "./test.ts";
import { landing } from "../src/lib/text/en.landing.ts";
import { text } from "../src/lib/text/en.ts";

const { communities } = landing;

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the landing page shows all its sections", async ({ page, network }) => {
    const scripts: string[] = [];
    page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
    await page.goto(network.url("www"));
    for (const name of ["Communities", "What is Moon Fund?", "How it works", "Roadmap", "FAQ"]) {
      await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
    }
    await expect(page.getByRole("link", { name: "Learn More" })).toHaveAttribute("href", "#about");
    const answer = page.getByText(/^Staking means setting tokens aside/);
    await expect(answer).toBeHidden();
    await page.getByText("What is staking?", { exact: true }).click();
    await expect(answer).toBeVisible();
    await page.getByText("What is staking?", { exact: true }).click();
    await expect(answer).toBeHidden();
    expect(scripts).toEqual([]);
  });

  test("a link with a hash opens that answer", async ({ page, network }) => {
    await page.goto(`${network.url("www")}/#what-does-it-cost`);
    await expect(page.getByText(/^Staking costs the network fee/)).toBeVisible();
    await expect(page.getByText(/^Staking means setting tokens aside/)).toBeHidden();
  });
});

test("a community opens from the first screen, and the page is short", async ({ page, network }) => {
  for (const [width, height, longest] of [
    [1440, 900, 2_225],
    [390, 844, 4_800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(network.url("www"));
    await aboveTheFold(
      page.getByRole("link", { name: "Learn More" }),
      page.getByRole("list").filter({ hasText: "lobo.localhost" }).getByRole("link"),
    );
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(longest);
  }
});

test("a community's card shows live figures and opens in a new tab", async ({ page, network, context }) => {
  await page.goto(network.url("www"));
  const card = page.getByRole("list").filter({ hasText: "lobo.localhost" }).getByRole("link");
  await expect(card).toContainText("$LOBO");
  await expect(card).toContainText("LOBO ordinals");
  await expect(card).toContainText("21M");
  await expect(page.getByRole("link", { name: /dummy/i })).toHaveCount(0);
  const opened = context.waitForEvent("page");
  await card.click();
  await expect((await opened).getByRole("heading", { name: "Stake with the pack" })).toBeVisible();
});

test("a card's pictures are shown, and its figures are the community's of this moment", async ({
  activeStaker,
  page,
  network,
}) => {
  const card = page.getByRole("list").filter({ hasText: "lobo.localhost" }).getByRole("link");
  const figure = (name: string) => card.locator(`dt:text-is("${name}") + dd`);
  const open = async () => {
    await page.goto(network.url("www"));
    return Number(await figure(communities.epoch).textContent());
  };
  const epoch = await open();
  expect(epoch).toBeGreaterThan(0);
  await network.advanceEpoch();
  expect(await open()).toBe(epoch + 1);
  await expect(figure(communities.ends).getByRole("time")).toHaveText(/ UTC$/);
  const pictures = card.locator("img:visible");
  const widths = () => pictures.evaluateAll((all: HTMLImageElement[]) => all.map((one) => one.naturalWidth));
  await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(0);
  expect(await widths()).toHaveLength(2); // the logo and, beside the only community, its page's picture
  const padding = () => card.evaluate((one) => getComputedStyle(one).paddingRight);
  expect(parseFloat(await padding())).toBeGreaterThan(100); // room for the page's picture
  await card.locator("> img").evaluate((picture) => picture.remove());
  expect(await padding()).toBe("20px");
  await activeStaker.open();
  await expect(activeStaker.figure(text.figures.totalStaked)).toHaveText(/[1-9]/);
  // From a million, both show a short number, and the exact one is its title.
  const total = await activeStaker.figure(text.figures.totalStaked).locator("[title]").getAttribute("title");
  await expect(figure(communities.staked).locator("span")).toHaveAttribute("title", total!.replace(" LOBO", ""));
});

test("serves previews, icons and the files for crawlers", async ({ page, network }) => {
  await page.goto(network.url("www"));
  const picture = await page.locator('meta[property="og:image"]').getAttribute("content");
  expect(picture).toBe(`${network.url("www")}/social.png`);
  // The landing page makes no requests, so a community's page does.
  await page.goto(network.url("lobo"));
  for (const path of [
    "/social.png",
    "/touch.png",
    "/favicon.svg",
    "/sitemap.xml",
    "/robots.txt",
    "/assets/communities/lobo.svg",
  ]) {
    expect(await page.evaluate((url) => fetch(url).then((answer) => answer.status), path), path).toBe(200);
  }
  await expect(page.locator("link[rel=icon]")).toHaveAttribute("href", "/assets/communities/lobo.svg");
});
