import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type jsQR from "jsqr";

const decoder = readFileSync(createRequire(import.meta.url).resolve("jsqr"), "utf8");

/** Decodes a picture of a QR code. The decoder shares no code with the encoder. */
export async function scan(page: Page, png: Buffer): Promise<string> {
  const lab = await page.context().newPage();
  await lab.evaluate(decoder);
  const read = await lab.evaluate(async (url) => {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(picture, 0, 0);
    const { data, width, height } = context.getImageData(0, 0, picture.width, picture.height);
    return (window as unknown as { jsQR: typeof jsQR }).jsQR(data, width, height)?.data ?? "";
  }, `data:image/png;base64,${png.toString("base64")}`);
  await lab.close();
  return read;
}
