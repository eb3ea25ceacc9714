import { join } from "node:path";
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
      // Waits until everything is loaded, unless that is the state of the screenshot.
      const skeletons = page.locator("main .skeleton");
      for (let wait = 0; wait < WAIT_TURNS && !AWAY.has(name) && (await skeletons.count()) > 0; wait++)
        await page.waitForTimeout(WAIT_MS);
      const dialog = await page.getByRole("dialog").first().isVisible();
      for (const width of widths) {
        const screen = { width, height: width < 600 ? 844 : 900 };
        await page.setViewportSize(screen);
        // A taller viewport instead of a full-page screenshot, because rows out of view are not rendered.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        if (!dialog) await page.setViewportSize({ width, height: Math.max(height, screen.height) });
        const file = `${tour.replaceAll(" ", "-")}-${String(count).padStart(2, "0")}-${name}-${width}.png`;
        await page.screenshot({ path: join(folder, file), animations: "disabled" });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    await go({ page, staker, network, inspect: shoot });
  });
}
