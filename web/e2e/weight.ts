import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";

/** Size of a page's first load, in bytes after gzip -9. */
export interface Weight {
  script: number;
  /** Style sheets, and the styles that the server writes into the page. */
  style: number;
}

const packed = (content: Buffer | string): number => gzipSync(content, { level: 9 }).length;

/**
 * Loads a page with an empty cache and sums the sizes of the responses until the network is idle and `loaded` returns.
 */
export async function weigh(page: Page, url: string, loaded = async (): Promise<void> => {}): Promise<Weight> {
  const files: Promise<[kind: string, bytes: number]>[] = [];
  page.on("response", (answer) => {
    const kind = answer.request().resourceType();
    // The dev wallet replaces an extension: production pages do not contain it.
    if ((kind !== "script" && kind !== "stylesheet") || answer.url().includes("/dev/")) return;
    files.push(answer.body().then((body) => [kind, packed(body)]));
  });
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  await loaded();
  const sum = async (kind: string) =>
    (await Promise.all(files)).filter(([one]) => one === kind).reduce((all, [, bytes]) => all + bytes, 0);
  const inlined = await page.locator("style").allTextContents();
  return { script: await sum("script"), style: (await sum("stylesheet")) + packed(inlined.join("")) };
}

export const inKB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
