import axe from "axe-core";
import { expect, type Locator, type Page } from "@playwright/test";

/** Widths from the smallest phone to a desktop, in px. */
export const widths = [320, 390, 768, 1440];

/** The widths at which axe runs, which is slow: of a phone and of a desktop. */
const axeWidths = [390, 1440];

/** Waits until animations end, because a colour in transition has another contrast. */
async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {})));
  });
}

/** Violations that axe finds on the current page, as "rule: where". */
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

/** Elements that overflow: the page if it scrolls sideways, and every text that is wider than its box. */
export function overflows(page: Page): Promise<string[]> {
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

/** The places of rows, at corners, edges and in the middle, where a press neither opens nor selects anything. */
export function deadPlaces(rows: Locator): Promise<string[]> {
  return rows.evaluateAll((all) => {
    const inset = 6; // rounded corners
    const places = [0, 0.5, 1];
    return all.flatMap((row) => {
      row.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top, width, height } = row.getBoundingClientRect();
      const isDead = (x: number, y: number) => {
        const at = document.elementFromPoint(
          left + inset + x * (width - 2 * inset),
          top + inset + y * (height - 2 * inset),
        );
        const target = at?.closest("a, button, label, input");
        return !target || !row.contains(target);
      };
      return places.flatMap((x) =>
        places.filter((y) => isDead(x, y)).map((y) => `${row.textContent} at ${x}, ${y}`),
      );
    });
  });
}

/** Checks that everything fits at every width, and what axe finds at some. Leaves the page at the desktop width. */
export async function checkLayout(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await still(page);
    expect.soft(await overflows(page), `${name} at ${width} px`).toEqual([]);
    if (axeWidths.includes(width)) expect.soft(await violations(page), `${name} at ${width} px`).toEqual([]);
  }
}

/** A phone and a desktop: each screen must work at both. */
const screens = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];

/**
 * Checks at phone and desktop size that axe finds nothing, everything fits, and `check` passes. Writes screenshots into
 * the folder SHOTS, if it is set. Leaves the page at desktop size.
 */
export async function checkBothSizes(page: Page, name: string, check?: () => Promise<void>): Promise<void> {
  for (const size of screens) {
    await page.setViewportSize(size);
    await check?.();
    expect.soft(await violations(page), `${name} at ${size.width} px`).toEqual([]);
    expect.soft(await overflows(page), `${name} at ${size.width} px`).toEqual([]);
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/${name}-${size.width}.png` });
  }
}

/** Each of these is completely within the viewport without scrolling. */
export async function aboveTheFold(...parts: Locator[]): Promise<void> {
  for (const part of parts) await expect(part).toBeInViewport({ ratio: 1 });
}

/** Phones with and without the browser's own bars, and a desktop. */
const heights = [{ width: 390, height: 664 }, ...screens];

/**
 * Checks that parts of a dialog's footer, such as the total and the main button, are completely within the viewport at
 * each size, before any scrolling and at the dialog's end, and that nothing covers them. Leaves the page at desktop
 * size.
 */
export async function alwaysInView(dialog: Locator, ...parts: Locator[]): Promise<void> {
  for (const size of heights) {
    await dialog.page().setViewportSize(size);
    for (const end of ["top", "bottom"]) {
      await dialog.evaluate((box, end) => box.scrollTo(0, end === "top" ? 0 : box.scrollHeight), end);
      await aboveTheFold(...parts);
      for (const part of parts) {
        const isFree = (one: Element): boolean => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        };
        expect(await part.evaluate(isFree), `${size.width} × ${size.height}, ${end}`).toBe(true);
      }
    }
  }
}

/** Checks that the safe answer to a question comes first, and that only it is filled with a color. */
export async function safeIsProminent(safe: Locator, other: Locator): Promise<void> {
  const color = (button: Locator) => button.evaluate((one) => getComputedStyle(one).backgroundColor);
  await safe.hover(); // the pointer may be over the other one, which colors it
  await expect.poll(() => color(other)).toBe("rgba(0, 0, 0, 0)");
  expect(await color(safe)).not.toBe("rgba(0, 0, 0, 0)");
  const handle = await other.elementHandle();
  const isFirst = (one: Element, second: Node | null): boolean =>
    (one.compareDocumentPosition(second!) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  expect(await safe.evaluate(isFirst, handle)).toBe(true);
}
