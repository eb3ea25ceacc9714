import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";

/** Size of a page's first load, in bytes after gzip -9. */
export interface Weight {
  script: number;
  /** Style sheets, and the styles that the server writes into the page. */
  style: number;
}

const packed = (content: string): number => gzipSync(content, { level: 9 }).length;

/**
 * Loads a page with an empty cache and sums the sizes of the responses until the network is idle and `loaded` returns.
 */
export async function weigh(page: Page, url: string, loaded = async (): Promise<void> => {}): Promise<Weight> {
  const files: { kind: string; url: string }[] = [];
  page.on("response", (answer) => {
    const kind = answer.request().resourceType();
    // The dev wallet replaces an extension: production pages do not contain it.
    if ((kind === "script" || kind === "stylesheet") && !answer.url().includes("/dev/"))
      files.push({ kind, url: answer.url() });
  });
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  await loaded();
  // The page reads them again from its cache: the body of a worker's script is lost when the worker ends.
  const read = (url: string) => page.evaluate(async (from) => (await fetch(from)).text(), url);
  const sum = async (wanted: string) => {
    const bodies = await Promise.all(files.filter(({ kind }) => kind === wanted).map(({ url }) => read(url)));
    return bodies.reduce((bytes, body) => bytes + packed(body), 0);
  };
  const inlined = await page.locator("style").allTextContents();
  return { script: await sum("script"), style: (await sum("stylesheet")) + packed(inlined.join("")) };
}

export const inKB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
