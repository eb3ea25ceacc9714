import { alter, pathOf, withoutFigures } from "./alter.ts";
import { expect, oneOfThree, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";

test("check 19: shows a participation of 0.00114712 as 0.1147%", async ({ activeStaker }) => {
  await alter(activeStaker.page, "postInfoWallet", (data) => ({ ...data, wallet_share: "0.00114712" }));
  await activeStaker.open();
  await expect(activeStaker.figure(text.figures.share)).toHaveText("0.1147%");
});

test("check 20: shows N/A for unreadable figures and keeps the rest of the page", async ({ activeStaker }) => {
  const unreadable = { wallet_share: "much", wallet_staked: "a lot" };
  await alter(activeStaker.page, "postInfoWallet", (data) => ({ ...data, ...unreadable }));
  await activeStaker.open();
  await expect(activeStaker.figure(text.figures.share)).toHaveText("N/A");
  await expect(activeStaker.figure("Your stake")).toHaveText("N/A");
  await expect((await activeStaker.tab("Unstake")).getByText(/^500,000/).first()).toBeVisible();
});

test("check 21: without infoGlobals shows a notice within 2 s, epoch −1 and 21,000,000 issued", async ({
  page,
  staker,
}) => {
  await withoutFigures(page);
  await page.route(pathOf("infoGlobals"), (route) => route.abort());
  await oneOfThree(async () => {
    await staker.open();
    await expect(page.getByText(text.epoch.unreachable)).toBeVisible({ timeout: 2_000 });
  });
  const epoch = page.getByRole("region", { name: "Epoch", exact: true });
  const figure = (name: string) =>
    epoch
      .locator("div")
      .filter({ has: page.getByRole("term").filter({ hasText: name }) })
      .getByRole("definition");
  await expect(figure("Current epoch")).toHaveText("-1");
  await expect(figure("Tokens issued")).toHaveAttribute("title", "21,000,000 LOBO");
});

test("check 22: the countdown ticks once a second, and refetches once at zero", async ({ page, staker }) => {
  const start = Date.parse("2026-03-04T10:00:00.300Z");
  const epochs = [
    { epoch: 7, end_next_epoch_UTC: new Date(start + 59_700).toISOString() },
    { epoch: 8, end_next_epoch_UTC: new Date(start + 7 * 86_400_000).toISOString() },
  ];
  let requests = 0;
  let over = false;
  await withoutFigures(page);
  await alter(page, "infoGlobals", (data) => {
    requests += 1;
    return { ...data, ...epochs[over ? 1 : 0] };
  });
  await page.route(pathOf("status"), (route) => route.abort());
  // A stream that is open and tells of no change: the server's own events would be further requests.
  await page.addInitScript(() => {
    window.EventSource = class extends EventTarget {
      readonly readyState = 1;
      constructor() {
        super();
        queueMicrotask(() => this.dispatchEvent(new Event("alive")));
      }
      close(): void {}
    } as unknown as typeof EventSource;
  });
  await page.clock.install({ time: start });
  await staker.open();
  await expect(page.getByText("Epoch 7 ends in").first()).toBeVisible();
  await page.clock.pauseAt(start + 50_000);
  const timer = page.getByRole("main").getByRole("timer").first();
  // The clock jumps, so the page requests its data again, as after a sleep: once or, if that is aborted, twice.
  let before = 1;
  await expect(async () => {
    await page.clock.runFor(20);
    const earlier = before;
    before = requests;
    expect(earlier).toBeGreaterThan(1);
    expect(before).toBe(earlier);
  }).toPass({ intervals: [1_000] });
  const shown: string[] = [];
  for (let second = 0; second < 8; second++) {
    await page.clock.runFor(1_000);
    shown.push(/(\d+) seconds/.exec((await timer.getAttribute("aria-label"))!)![1]!);
  }
  const first = Number(shown[0]);
  expect(shown).toEqual(shown.map((_, i) => String(first - i)));
  expect(requests).toBe(before);
  over = true;
  await page.clock.runFor(1_000 * (first - 7) + 2_500);
  await expect.poll(() => requests).toBe(before + 1);
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(page.getByText("Epoch 8 ends in").first()).toBeVisible({ timeout: 100 });
  }).toPass();
  await page.clock.runFor(10_000);
  expect(requests).toBe(before + 1);
});
