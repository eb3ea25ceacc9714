import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { test } from "./test.ts";

/**
 * Makes the pictures that the landing page shows, from the pages themselves: `make pictures`. They are
 * WebP, which the browser writes.
 */
const root = resolve(import.meta.dirname, "../..");
const product = (file: string): string => resolve(root, "web/public/assets/product", file);

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1280, height: 800 };
const QUALITY = 0.8;
/** The dev wallet's button belongs to no real page. */
const HIDE = "[data-moon-dev-wallet] { display: none !important; }";

/** Takes a picture of what is in view. `width` is that of the file, smaller than the view's for the guide. */
async function picture(page: Page, file: string, width?: number): Promise<void> {
  const png = await page.screenshot({ animations: "disabled", style: HIDE });
  const blank = await page.context().newPage();
  const webp = await blank.evaluate(
    async ({ source, width, quality }) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
      const scale = width ? width / bitmap.width : 1;
      const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
      const context = canvas.getContext("2d")!;
      context.imageSmoothingQuality = "high";
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
      return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
    },
    { source: png.toString("base64"), width, quality: QUALITY },
  );
  await blank.close();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, Buffer.from(webp, "base64"));
}

test("pictures of the product", async ({ page, staker, network }) => {
  test.setTimeout(300_000);
  await staker.arrive();
  await staker.becomeStaker();
  for (let i = 0; i < 4; i++) await network.advanceEpoch();
  for (const language of ["en", "de"]) {
    for (const [name, view, tab] of [
      ["desk", DESK, "?tab=rewards"],
      ["phone", PHONE, "?tab=stake"],
    ] as const) {
      await page.setViewportSize(view);
      await page.goto(`${network.url("lobo")}/${tab}&lang=${language}`);
      await page.locator("#root[data-app]").waitFor();
      await page.waitForLoadState("networkidle");
      await picture(page, product(`${language}-${name}.webp`));
    }
  }
});
