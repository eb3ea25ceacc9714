import { join } from "node:path";
import { test } from "./test.ts";
import { walks } from "./walk.ts";

/** A picture of every screen and state, as wide as a phone, a tablet and a desk: SHOTS=folder npm run shots */
const folder = process.env["SHOTS"] ?? "test-results/shots";
const widths = [390, 768, 1440];
/** States in which something stays away. */
const AWAY = new Set(["loading", "unreachable"]);
const WAIT_MS = 100;
const WAIT_TURNS = 50;

for (const [walk, go] of Object.entries(walks)) {
  test(`pictures of ${walk}`, async ({ page, staker, network }) => {
    test.setTimeout(400_000);
    let count = 0;
    const look = async (name: string) => {
      count += 1;
      // Nothing half loaded, unless that is the state to be seen.
      const waiting = page.locator("main .skeleton");
      for (let wait = 0; wait < WAIT_TURNS && !AWAY.has(name) && (await waiting.count()) > 0; wait++)
        await page.waitForTimeout(WAIT_MS);
      const dialog = await page.getByRole("dialog").first().isVisible();
      for (const width of widths) {
        const screen = { width, height: width < 600 ? 844 : 900 };
        await page.setViewportSize(screen);
        // A taller window instead of a full-page picture: rows that are not in view are not drawn.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        if (!dialog) await page.setViewportSize({ width, height: Math.max(height, screen.height) });
        const file = `${walk.replaceAll(" ", "-")}-${String(count).padStart(2, "0")}-${name}-${width}.png`;
        await page.screenshot({ path: join(folder, file), animations: "disabled" });
      }
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    await go({ page, staker, network, look });
  });
}
