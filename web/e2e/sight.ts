import axe from "axe-core";
import { expect, test, type Locator, type Page } from "@playwright/test";

/** From the smallest phone to a desk, in px. */
export const widths = [320, 390, 768, 1440];

/** Waits until nothing moves: a colour in the middle of its fade has a contrast that nobody sees for long. */
async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
  });
}

/** What axe finds on the page as it is now: "rule: where" for each violation. */
export async function violations(page: Page): Promise<string[]> {
  await still(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ["violations"],
    });
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`);
  });
}

/** What does not fit: the page itself when it scrolls sideways, and every text that is wider than its box. */
export function spills(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    const over = root.scrollWidth - root.clientWidth;
    if (over > 0) {
      const out = [...document.querySelectorAll("body *")].filter(
        (one) => one.getBoundingClientRect().right > root.clientWidth + 1,
      );
      found.push(`the page, by ${over} px: ${out.slice(-3).map((one) => one.outerHTML.slice(0, 120)).join(" … ")}`);
    }
    const parts = "dialog, button, dd, p, h1, h2, h3, li, label, .num, [role=timer], [role=tab]";
    for (const box of document.querySelectorAll<HTMLElement>(parts)) {
      const style = getComputedStyle(box);
      if (style.position === "absolute" || style.display === "inline" || box.closest(".sr-only")) continue;
      if (box.scrollWidth > box.clientWidth + 1)
        found.push(`${box.tagName} "${box.textContent!.slice(0, 40)}", by ${box.scrollWidth - box.clientWidth} px`);
    }
    return found;
  });
}

/** At every width: axe finds nothing and everything fits. Leaves the page at a desk's width. */
export async function looksRight(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft(await violations(page), `${name} at ${width} px`).toEqual([]);
    expect.soft(await spills(page), `${name} at ${width} px`).toEqual([]);
  }
}

/** A phone and a desk: each screen must work at both. */
const screens = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/**
 * On a phone and at a desk: axe finds nothing, everything fits, and `check` holds. A picture of each is kept with the
 * test's results. Leaves the page at a desk's size.
 */
export async function onPhoneAndDesk(page: Page, name: string, check?: () => Promise<void>): Promise<void> {
  for (const size of screens) {
    await page.setViewportSize(size);
    await check?.();
    expect.soft(await violations(page), `${name} at ${size.width} px`).toEqual([]);
    expect.soft(await spills(page), `${name} at ${size.width} px`).toEqual([]);
    await page.screenshot({ path: test.info().outputPath(`${name}-${size.width}.png`) });
  }
}

/** Every one of these is whole within the screen, without scrolling. */
export async function aboveTheFold(...parts: Locator[]): Promise<void> {
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
}
