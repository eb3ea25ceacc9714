import { join } from "node:path";
import type { Page } from "@playwright/test";
import { test } from "./test.ts";
import { tours } from "./tours.ts";

/** Screenshots of every screen and state at phone, tablet and desktop widths: SHOTS=folder npm run shots */
const folder = process.env["SHOTS"] ?? "test-results/shots";
const widths = [390, 768, 1440];
/** States in which a response never arrives. */
const AWAY = new Set(["loading", "unreachable"]);
const WAIT_MS = 100;
const WAIT_TURNS = 50;

for (const [tour, go] of Object.entries(tours)) {
  test(`takes pictures of ${tour}`, async ({ page, staker, network }) => {
    test.setTimeout(400_000);
    let count = 0;
    const shoot = async (name: string) => {
      count += 1;
      await loaded(page, name);
      const dialog = await page.getByRole("dialog").first().isVisible();
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
        // A taller viewport instead of a full-page screenshot, because what is out of view is not loaded or rendered.
        // What it loads may be higher than the place that was kept for it.
        for (let turn = 0; turn < 2 && !dialog; turn++) {
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width, height });
          await loaded(page, name);
        }
        const file = `${tour.replaceAll(" ", "-")}-${String(count).padStart(2, "0")}-${name}-${width}.png`;
        await page.screenshot({ path: join(folder, file), animations: "disabled" });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    await go({ page, staker, network, inspect: shoot });
  });
}

/** Waits until everything is loaded, unless that is the state of the screenshot. */
async function loaded(page: Page, state: string): Promise<void> {
  // What is near the viewport begins to load after the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  const skeletons = page.locator("main .skeleton");
  for (let wait = 0; wait < WAIT_TURNS && !AWAY.has(state) && (await skeletons.count()) > 0; wait++)
    await page.waitForTimeout(WAIT_MS);
}
