import type { Page } from "@playwright/test";
import { alter, withLongFigures } from "./alter.ts";
import { aboveTheFold, overflows, violations } from "./layout.ts";
import { expect, test } from "./test.ts";
import { guide as deGuide } from "../src/lib/text/de.guide.ts";
import { proofs as deProofs } from "../src/lib/text/de.proofs.ts";
import { text as de } from "../src/lib/text/de.ts";
import { proofs } from "../src/lib/text/en.proofs.ts";
import { landing } from "../src/lib/text/en.landing.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

/** The page as a first-time visitor sees it. */
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
const sizes = [PHONE, DESKTOP];

/** Runs a check at both sizes; axe finds nothing and everything fits. */
async function atBothSizes(page: Page, name: string, check: (size: typeof PHONE) => Promise<void>): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await check(size);
    expect.soft(await violations(page), `${name} at ${size.width} px`).toEqual([]);
    expect.soft(await overflows(page), `${name} at ${size.width} px`).toEqual([]);
  }
}

test("the first screen says what this is, what it paid, and how to begin; the explanations follow", async ({
  activeStaker,
  page,
  network,
}) => {
  await activeStaker.openWithReward(); // a network with settled epochs
  for (const [language, words] of [
    ["en", text],
    ["de", de],
  ] as const) {
    await page.goto(`${network.url("lobo")}/?lang=${language}`);
    await expect(page.locator("#root[data-app]")).toBeAttached();
    const { visit, figures } = words;
    const glance = page.getByLabel(visit.glance.title, { exact: true });
    const below = page.getByRole("region", { name: visit.title });
    await atBothSizes(page, `first visit, ${language}`, async () => {
      await page.evaluate(() => window.scrollTo(0, 0));
      await aboveTheFold(
        page.getByText(visit.what("LOBO", "")),
        page.getByRole("button", { name: words.tabs.connect }),
        ...[figures.totalStaked, visit.glance.stakers, visit.glance.thousand("LOBO")].map((name) =>
          glance.getByRole("term").filter({ hasText: name }),
        ),
        glance.getByRole("term").filter({ hasText: /^Reward (of epoch|der Epoche) \d+$/ }),
        ...[visit.cost, visit.leave, visit.keys].map(({ title }) =>
          below.locator("div").filter({ has: page.getByRole("term").filter({ hasText: title }) }),
        ),
      );
      // Other tests stake on this network, too.
      await expect(glance.getByRole("definition").nth(1)).toHaveText(/^[1-9]\d*$/);
      await expect(glance.getByRole("definition").last()).toHaveText(/^[0-9.,]*[1-9] LOBO$/);
      await expect(glance.locator(".skeleton")).toHaveCount(0);
      const button = (await page.getByRole("button", { name: words.tabs.connect }).boundingBox())!;
      const explained = (await page.getByRole("region", { name: visit.title }).boundingBox())!;
      expect(explained.y).toBeGreaterThan(button.y + button.height);
    });
    for (const [title, sentence] of [
      [visit.token.title("LOBO"), visit.token.text("LOBO", "LOBO•THE•WOLF•PUP")],
      [visit.stake.title, visit.stake.text("")],
      [visit.cost.title, visit.cost.text(language === "en" ? "1,500" : "1.500")],
      // The day on which runes unlock that are unstaked now.
      [visit.leave.title, new RegExp(visit.leave.text("LOBO", "@").replace("@", ".*20\\d\\d"))],
      [visit.keys.title, visit.keys.text(visit.duration.months(6))],
    ] as const) {
      await expect(below.getByRole("term").filter({ hasText: title })).toBeVisible();
      await expect(below.getByRole("definition").filter({ hasText: sentence })).toBeVisible();
    }
    expect(visit.cost.text("")).toContain("546");
    await expect(page.getByRole("region", { name: visit.earned.title })).toBeVisible();
    await expect(page.getByText("—", { exact: true })).toHaveCount(0);
    await expect(page.getByRole("region", { name: figures.title })).toHaveCount(0);
  }
  await page.getByRole("link", { name: de.visit.keys.proofs }).click();
  await expect(page.getByRole("heading", { name: de.pages.proofs, level: 1 })).toBeVisible();
});

test("what has nothing to show before the first reward is not there", async ({ page, network }) => {
  await alter(page, "epochs", ({ epochs }) => ({
    epochs: [epochs[0], { ...epochs[0], settled: true, rewarded: "0", owners: 0, total_staked: "0" }],
  }));
  await page.goto(network.url("lobo"));
  await expect(page.locator("#root[data-app]")).toBeAttached();
  const glance = page.getByLabel(text.visit.glance.title, { exact: true });
  await expect(glance.getByRole("term")).toHaveText([text.figures.totalStaked, text.visit.glance.first]);
  await expect(page.getByRole("heading", { name: text.visit.earned.title })).toHaveCount(0);
});

test("before the first reward, the calculator fills the shorter column", async ({ page, network }) => {
  await alter(page, "epochs", ({ epochs }) => ({
    epochs: epochs.filter(({ settled }: { settled: boolean }) => !settled),
  }));
  await page.goto(network.url("lobo"));
  await expect(page.locator("#root[data-app]")).toBeAttached();
  const left = async (name: string) => (await page.getByRole("region", { name, exact: true }).boundingBox())?.x;
  await expect(async () => expect(await left(text.visit.wouldEarn)).toBe(await left(text.epoch.title))).toPass();
});

test("beside a longer column, the chart of past rewards grows, so that both columns end together", async ({
  page,
  network,
}) => {
  await alter(page, "epochs", ({ epochs: [running] }) => ({
    epochs: [
      { ...running, epoch: 8, settled: false, budget: "100000000000" },
      ...[7, 6].map((epoch) => ({ ...running, epoch, settled: true, rewarded: "100000000000", owners: 2 })),
    ],
  }));
  await page.setViewportSize(DESKTOP);
  await page.goto(network.url("lobo"));
  const end = async (name: string): Promise<number> => {
    const { y, height } = (await page.getByRole("region", { name, exact: true }).boundingBox())!;
    return y + height;
  };
  await expect(async () => {
    expect(Math.abs((await end(text.visit.earned.title)) - (await end(text.visit.wouldEarn)))).toBeLessThan(2);
  }).toPass();
});

test("on a phone, the stake, the claimable rewards and the share are above the tabs", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await page.setViewportSize(PHONE);
  await activeStaker.openWithReward();
  const tabs = (await page.getByRole("tablist").boundingBox())!;
  for (const name of [text.figures.yourStake, text.figures.claimable, text.figures.share]) {
    await expect(activeStaker.figure(name)).toHaveCount(1);
    const figure = (await activeStaker.figure(name).boundingBox())!;
    expect(figure.y + figure.height, name).toBeLessThan(tabs.y);
  }
  const rest = (await activeStaker.figure(text.figures.pendingStake).boundingBox())!;
  expect(rest.y).toBeGreaterThan(tabs.y);
  await expect(page.getByRole("term").filter({ hasText: text.figures.yourStake })).toHaveCount(1);
});

test("the end of the epoch stands once where the local time is UTC", async ({ browser, network }) => {
  for (const [timezoneId, lines] of [
    ["UTC", 1],
    ["Europe/Berlin", 2],
  ] as const) {
    const context = await browser.newContext({ timezoneId, locale: "en-US" });
    const page = await context.newPage();
    await page.goto(network.url("lobo"));
    const epoch = page.getByRole("region", { name: text.epoch.title, exact: true });
    const ends = epoch.getByRole("time");
    await expect(ends).toHaveText(/^Ends .* UTC$/);
    expect((await ends.innerText()).split("\n"), timezoneId).toHaveLength(lines);
    // No empty line is kept below it.
    const [above, below] = [(await ends.boundingBox())!, (await epoch.getByRole("button").boundingBox())!];
    expect(below.y - above.y - above.height, timezoneId).toBeLessThan(10);
    await context.close();
  }
});

test("the proofs page links records, reserves and the source", async ({ activeStaker, page, network }) => {
  await activeStaker.openWithReward();
  await network.published();
  await page.goto(`${network.url("lobo")}/proofs`);
  await expect(page.getByText(/^Epoch \d+$/).first()).toBeVisible();
  await atBothSizes(page, "proofs", async () => {
    await expect(page.getByText(/^moonfund epoch verify [1-9]\d* --server/)).toBeVisible();
  });
  const reserves = page.getByRole("region", { name: proofs.reserves.title });
  await expect(reserves.getByText(/^At block [\d,]+, everything that is owed is held\.$/)).toBeVisible();
  await expect(reserves.getByText(/^[1-9][\d,.]*[KM]? owed · [1-9][\d,.]*[KM]? LOBO held$/).first()).toBeVisible();
  await expect(reserves.getByRole("columnheader")).toHaveText([proofs.reserves.output, proofs.reserves.amount("LOBO")]);
  const rows = reserves.getByRole("row").filter({ has: page.getByRole("cell") });
  await expect(rows.filter({ hasText: /custody[\d,.]+[KM]?$/ }).first()).toBeVisible();
  // Outputs of one transaction differ in their index.
  const names = await rows.getByRole("link").allTextContents();
  expect(new Set(names).size).toBe(names.length);
  await expect(rows.getByRole("link").first()).toHaveAttribute("href", /\/tx\/[0-9a-f]{64}$/);
  const linked = () => rows.getByRole("link").evaluateAll((all: HTMLAnchorElement[]) => all.map(({ href }) => href));
  const before = await linked();
  const [txid] = before[0]!.match(/[0-9a-f]{64}$/)!;
  await reserves.getByRole("searchbox").fill(` ${txid.slice(0, 20)} `);
  await expect.poll(linked).toEqual(before.filter((href) => href.endsWith(txid)));
  await reserves.getByRole("searchbox").fill("nothing");
  await expect(rows).toHaveCount(0);
  const json = (await reserves.getByRole("link", { name: proofs.reserves.link }).boundingBox())!;
  const csv = (await reserves.getByRole("button", { name: proofs.reserves.csv }).boundingBox())!;
  expect(Math.abs(json.y + json.height / 2 - csv.y - csv.height / 2)).toBeLessThan(2); // side by side
  const download = page.waitForEvent("download");
  await reserves.getByRole("button", { name: proofs.reserves.csv }).click();
  expect((await download).suggestedFilename()).toBe("lobo-reserves.csv");
  const statements = page.getByRole("region", { name: proofs.statements.title });
  await expect(statements.getByText(/^Epoch \d+, signed as of /)).toBeVisible();
  await expect(statements.getByText(`${proofs.statements.valid} ${proofs.statements.covered}`)).toBeVisible();
  for (const name of [/^Record \(JSON\) ?: Epoch/, "Reserves (JSON)"]) {
    const href = await page.getByRole("link", { name }).first().getAttribute("href");
    const status = await page.evaluate((url) => fetch(url).then((answer) => answer.status), href!);
    expect(status, href!).toBe(200);
  }
});

test("trust and recovery are pages of the site, linked where they are spoken of", async ({ page, network }) => {
  const titles = { trust: "Whom you trust, and with what", recover: "Recover a stake with Bitcoin Core" };
  await page.goto(`${network.url("lobo")}/proofs`);
  await page.getByRole("link", { name: proofs.limits.trust }).click();
  await atBothSizes(page, "trust", async () => {
    await expect(page.getByRole("heading", { name: titles.trust, level: 1 })).toBeVisible();
  });
  await expect(page).toHaveTitle(`${titles.trust} · LOBO · Moon Fund`);
  await page.getByRole("link", { name: "step 2", exact: true }).last().click();
  await expect(page).toHaveURL(`${network.url("lobo")}/recover#2-check-the-output`);
  await expect(page.getByRole("heading", { name: "2. Check the output" })).toBeInViewport();
  await atBothSizes(page, "recover", async () => {
    await expect(page.getByText("gettxout TXID VOUT")).toBeVisible();
  });
  for (const [label, from, link, title] of [
    ["lobo", "/proofs", proofs.keys.recover, titles.recover],
    ["www", "/", landing.trust.trust, titles.trust],
    ["www", "/#what-if-the-site-is-gone", titles.recover, titles.recover],
  ] as const) {
    await page.goto(network.url(label) + from);
    await page.getByRole("link", { name: link }).first().click();
    await expect(page.getByRole("heading", { name: title, level: 1 }), label + from).toBeVisible();
  }
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.getByText(deGuide.onlyEnglish)).toBeVisible();
});

test("the proofs page says so if the newest statement can't be verified", async ({ activeStaker, page, network }) => {
  await activeStaker.openWithReward();
  await network.published();
  await page.route("**/lobo/statements/head", (route) => route.fulfill({ body: `{"key":"${"11".repeat(32)}"}` }));
  await page.goto(`${network.url("lobo")}/proofs`);
  await expect(page.getByText(proofs.statements.bad)).toBeVisible();
});

test("the proofs page lists incidents, also in German", async ({ page, network }) => {
  await page.goto(`${network.url("lobo")}/proofs`);
  const section = (title: string) => page.getByRole("region", { name: title, exact: true });
  await expect(section(proofs.incidents.title).getByText(proofs.incidents.none)).toBeVisible();
  await alter(page, "status", (data) => ({
    ...data,
    incidents: [
      { time: "2026-11-20T10:00:00Z", kind: "resume", detail: "all" },
      { time: "2026-11-20T09:00:00Z", kind: "restore", detail: "from the backup of 2026-11-20T03:00:00Z" },
      { time: "2026-11-18T09:00:00Z", kind: "refused", detail: "ab".repeat(32) },
    ],
  }));
  for (const [language, { incidents }] of [
    ["en", proofs],
    ["de", deProofs],
  ] as const) {
    await page.goto(`${network.url("lobo")}/proofs?lang=${language}`);
    await atBothSizes(page, `incidents, ${language}`, async () => {
      await expect(section(incidents.title).getByText(incidents.kinds.restore)).toBeVisible();
    });
  }
});

test("the stake form is above the fold on a phone", async ({ staker, page }) => {
  await page.setViewportSize(PHONE);
  await staker.arrive();
  const stake = await staker.tab("Stake");
  await stake.getByRole("button", { name: "Half" }).click();
  await page.evaluate(() => window.scrollTo(0, 0));
  const box = await stake.getByRole("button", { name: /^Stake / }).boundingBox();
  expect(box!.y + box!.height).toBeLessThanOrEqual(PHONE.height);
  expect(await violations(page)).toEqual([]);
  expect(await overflows(page)).toEqual([]);
});

test("the Rewards tab has at most three screens on a phone", async ({ activeStaker, network }) => {
  const { page } = activeStaker;
  await withLongFigures(page); // they take two lines
  for (let i = 0; i < 9; i++) await network.advanceEpoch();
  await activeStaker.openWithReward();
  await activeStaker.tab("Rewards");
  await expect(page.getByRole("region", { name: later.history.activity }).getByRole("listitem").first()).toBeVisible();
  await atBothSizes(page, "rewards", async ({ height }) => {
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(3 * height);
  });
  // The running epoch has a place in the chart and no bar.
  const chart = page.locator("[aria-labelledby=reward-chart]");
  await chart.scrollIntoViewIfNeeded(); // Its bars are loaded when they are nearly seen.
  await expect(chart.locator(".border-dashed")).toHaveAttribute("style", "height: 0px;");
});

test("the Rewards tab shows a long history in three screens, and all of it after a click", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await (await activeStaker.openClaim()).close();
  const finished = ["DELIVERED", "CANCELED", "EXPIRED", "INVALID"];
  await alter(page, "fetchClientPOs", ({ orders: [order] }) => ({
    orders: [
      order,
      ...Array.from({ length: 60 }, (_, i) => ({
        ...order,
        po_order_id: `past-${i}`,
        po_status: finished[i % finished.length],
        wa_amount: `${i}12345678`,
      })),
    ],
  }));
  await alter(page, "earnings", ({ earnings: [newest] }) => ({
    earnings: Array.from({ length: 104 }, (_, i) => ({ ...newest, epoch: 200 - i, reward: `1298765432${10 + i}` })),
  }));
  await alter(page, "activity", ({ activity: [entry] }) => ({
    activity: Array.from({ length: 90 }, (_, i) => ({
      ...entry,
      id: 1_000 - i,
      date: new Date(Date.parse(entry.date) - i * 60_000).toISOString(),
      kind: "PAYOUT_CONFIRMED",
      txid: "ab".repeat(32),
    })),
  }));
  await page.reload();
  const tab = await activeStaker.tab("Rewards");
  const claims = tab.getByRole("region", { name: text.rewards.orders });
  const activity = tab.getByRole("region", { name: later.history.activity });
  await expect(claims.getByRole("listitem")).toHaveCount(1);
  await expect(activity.getByRole("listitem")).toHaveCount(3);
  const earnings = tab.getByRole("region", { name: later.history.earnings });
  await earnings.scrollIntoViewIfNeeded(); // Its bars are loaded when they are nearly seen.
  const bars = earnings.getByRole("slider").locator(".paint");
  await expect(bars).toHaveCount(2 * 104); // rewards, and stakes below them
  await atBothSizes(page, "rewards with a long history", async ({ height }) => {
    const widths = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(1);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(3 * height);
  });
  await claims.getByRole("button", { name: later.history.showAll(61) }).click();
  await expect(claims.getByRole("listitem")).toHaveCount(61);
  await activity.getByRole("button", { name: later.history.showAll() }).click();
  await expect(activity.getByRole("listitem")).toHaveCount(50);
  await expect(activity.getByRole("link", { name: later.history.csv })).toBeVisible();
  await atBothSizes(page, "rewards unfolded", async () => {
    await expect(claims.getByRole("searchbox", { name: text.rewards.searchOrders })).toBeVisible();
  });
  for (const section of [claims, activity]) await section.getByRole("button", { name: later.history.showLess }).click();
  await expect(claims.getByRole("listitem")).toHaveCount(1);
  await expect(activity.getByRole("listitem")).toHaveCount(3);
});

test("the landing page shows the product and links its proofs", async ({ page, network }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
  await page.goto(network.url("www"));
  await atBothSizes(page, "landing", async ({ width }) => {
    const picture = page.getByRole("img", { name: width > 600 ? /^A community's page on a computer/ : /on a phone/ });
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(300);
  });
  expect(scripts).toEqual([]);
  const proofs = `${network.url("lobo")}/proofs`;
  await expect(page.getByRole("link", { name: /^Check LOBO/ })).toHaveAttribute("href", proofs);
  await page.getByRole("contentinfo").getByRole("link", { name: "Proofs" }).click();
  await expect(page.getByRole("heading", { name: "Don't just trust it. Check it." })).toBeInViewport();
});

test("the list of communities fits one, two and twelve", async ({ page, network }) => {
  await page.goto(network.url("www"));
  const list = page.getByRole("list").filter({ hasText: "lobo.localhost" });
  for (const count of [1, 2, 3, 12]) {
    await list.evaluate((ul, count) => {
      while (ul.children.length < count) ul.append(ul.children[0]!.cloneNode(true));
    }, count);
    await atBothSizes(page, `${count} communities`, async ({ width }) => {
      const cards = await list.locator(":scope > li").evaluateAll((all) =>
        all.map((card) => card.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height })),
      );
      expect(cards).toHaveLength(count);
      const columns = width < 600 ? 1 : Math.min(3, count);
      const whole = (await list.boundingBox())!;
      const first = cards.filter(({ y }) => Math.abs(y - cards[0]!.y) < 1);
      expect(first, `${count} communities at ${width} px`).toHaveLength(columns);
      // The row is filled for any number of cards.
      const last = first.at(-1)!;
      expect(Math.abs(last.x + last.width - whole.x - whole.width)).toBeLessThan(2);
    });
  }
});

test("an unknown host label shows the landing page with a note", async ({ page, network }) => {
  await page.goto(network.url("wolf"));
  await atBothSizes(page, "missing community", async () => {
    await expect(page.getByText("There is no community at wolf.localhost.")).toBeInViewport();
    await expect(page.getByRole("heading", { name: "Together Moon Fund" })).toBeVisible();
  });
  for (const label of ["www", "localhost"]) {
    await page.goto(label === "www" ? network.url("www") : `http://localhost:${network.port}`);
    await expect(page.getByRole("heading", { name: "Together Moon Fund" })).toBeVisible();
    await expect(page.getByText("There is no community at")).toHaveCount(0);
  }
});

test("shows the manifest's terms with version and date, in the page's language", async ({ page, network }) => {
  await page.goto(`${network.url("lobo")}/terms`);
  await atBothSizes(page, "terms", async () => {
    await expect(page.getByText("Version 1 · In effect since Nov 1, 2026")).toBeVisible();
    await expect(page.getByRole("heading", { name: "This network is for trials", level: 2 })).toBeVisible();
  });
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { name: "Dieses Netz ist zum Ausprobieren" })).toBeVisible();
  await page.goto(`${network.url("www")}/terms?lang=en`);
  await atBothSizes(page, "terms of the fund", async () => {
    await expect(page.getByText(/^This is placeholder text/)).toBeVisible();
  });
  await page.getByRole("link", { name: "Terms of LOBO" }).click();
  await expect(page).toHaveURL(`${network.url("lobo")}/terms`);
});

test("every page has its own title, and links contact, source and proofs in the footer", async ({ page, network }) => {
  const titles = new Map<string, string>();
  for (const [label, path, title] of [
    ["lobo", "/", "LOBO · Moon Fund"],
    ["lobo", "/terms", "Terms · LOBO · Moon Fund"],
    ["lobo", "/proofs", "Proofs · LOBO · Moon Fund"],
    ["lobo", "/etch", "Etch and mint · LOBO · Moon Fund"],
    ["lobo", "/zzz", "Page not found · LOBO · Moon Fund"],
    ["dummy", "/", "Dummy · Moon Fund"],
    ["www", "/", "Together Moon Fund"],
    ["www", "/terms", "Terms · Moon Fund"],
    ["www", "/zzz", "Page not found · Moon Fund"],
  ] as const) {
    await page.goto(network.url(label) + path);
    await expect(page.getByRole("contentinfo")).toBeVisible();
    if (path !== "/terms" && (label !== "www" || path !== "/"))
      await expect(page.locator("#root[data-app]")).toBeAttached();
    await expect(page, label + path).toHaveTitle(title);
    titles.set(title, path);
    for (const size of sizes) {
      await page.setViewportSize(size);
      for (const name of ["Contact", "Source code", "Proofs"])
        await expect(page.getByRole("contentinfo").getByRole("link", { name }), `${label}${path}`).toBeVisible();
    }
  }
  expect(titles.size).toBe(9);
});

test("the not-found page keeps the header", async ({ page, network }) => {
  await page.goto(`${network.url("lobo")}/zzz`);
  await atBothSizes(page, "not found", async () => {
    await expect(page.getByRole("banner").getByRole("link", { name: "LOBO, Home" })).toBeInViewport();
    await expect(page.getByRole("heading", { name: text.pages.notFound })).toBeVisible();
  });
});

test("a community has its own colours and picture", async ({ page, network }) => {
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(network.url("dummy"));
  await atBothSizes(page, "test community", async () => {
    await expect(page.getByRole("heading", { name: "Rehearse here", level: 1 })).toBeVisible();
  });
  expect(loaded.filter((path) => path.includes("lobo"))).toEqual([]);
  const connect = page.getByRole("button", { name: text.tabs.connect });
  // The app replaces the server's first paint, so the button can be replaced while the test reads it: poll.
  const accent = () => connect.evaluate((button) => getComputedStyle(button).backgroundColor);
  await expect.poll(accent).toBe("rgb(127, 214, 200)");
  await page.goto(network.url("lobo"));
  await expect.poll(accent).toBe("rgb(255, 184, 77)");
  expect(loaded).toContain("/assets/communities/lobo-hero.svg");
});
