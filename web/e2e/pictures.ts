import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Page } from "@playwright/test";
import type { Network } from "./network.ts";
import { Staker } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text as german } from "../src/lib/text/de.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

/**
 * Creates the pictures of the landing page, the readme and the guide from the pages: `make pictures`. They are WebP,
 * encoded by the browser.
 */
const root = resolve(import.meta.dirname, "../..");
const product = (file: string): string => resolve(root, "web/public/assets/product", file);
const guide = (name: string): string => resolve(root, "docs/img", `${name}.webp`);

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };
/** Width in px of a guide's picture. */
const GUIDE = 800;
const QUALITY = 0.8;
/** Hides the dev wallet's button, which no production page has. */
const HIDE = "[data-moon-dev-wallet] { display: none !important; }";

interface Options {
  /** Width of the file, smaller than the viewport's. */
  width?: number;
  /** Whether the dev wallet is visible. */
  wallet?: boolean;
}

/** Takes a screenshot of the viewport. */
async function picture(page: Page, file: string, { width = 0, wallet = false }: Options = {}): Promise<void> {
  const skeletons = page.locator("main .skeleton");
  await expect(skeletons).toHaveCount(0);
  const png = await page.screenshot({ animations: "disabled", style: wallet ? "" : HIDE });
  const blank = await page.context().newPage();
  const webp = await blank.evaluate(
    async ({ source, width, quality }) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
      const scale = width > 0 ? Math.min(1, width / bitmap.width) : 1;
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

/** The pictures of the landing page, in each language. */
async function pictureProduct(page: Page, home: string): Promise<void> {
  for (const [language, half] of [
    ["en", text.stake.half],
    ["de", german.stake.half],
  ] as const) {
    await page.setViewportSize(DESKTOP);
    await page.goto(`${home}/?tab=rewards&lang=${language}`);
    await page.getByRole("tabpanel").getByRole("button").first().waitFor();
    await picture(page, product(`${language}-desk.webp`));
    await page.setViewportSize(PHONE);
    await page.goto(`${home}/?lang=${language}`);
    await page.getByRole("tabpanel").getByRole("button", { name: half, exact: true }).click();
    await picture(page, product(`${language}-phone.webp`));
  }
}

/** A second staker, so that the pictures show a share and an estimate; the epoch ends once it has staked. */
async function joinAnother(page: Page, network: Network): Promise<void> {
  const context = await page.context().browser()!.newContext({ locale: "en-US" });
  const other = new Staker(await context.newPage(), network);
  await other.arrive();
  await other.becomeStaker();
  await context.close();
}

test("takes pictures from the first visit to a claimed reward", async ({ page, staker, network }) => {
  test.setTimeout(300_000);
  await page.setViewportSize(DESKTOP);
  const shot = (name: string, options: Options = {}) => picture(page, guide(name), { width: GUIDE, ...options });
  await page.goto(network.url("www"));
  await shot("landing");
  await staker.open();
  await shot("visit");
  await page.getByRole("button", { name: text.header.connect, exact: true }).click();
  await page.getByRole("dialog", { name: later.wallets.title }).getByText("Xverse").first().waitFor();
  await shot("wallets");
  await page.keyboard.press("Escape");
  await staker.connect();
  await page.getByRole("button", { name: "Dev wallet", exact: true }).click();
  await page.getByRole("region", { name: "Dev wallet" }).getByRole("button", { name: /^Faucet/ }).click();
  await expect(page.getByRole("region", { name: "Dev wallet" }).getByRole("status")).toHaveText("The faucet has sent.");
  await shot("faucet", { wallet: true });
  await page.getByRole("button", { name: "Dev wallet", exact: true }).click();
  await network.mine();
  await staker.trustPage();
  const stake = await staker.tab("Stake");
  await stake.getByRole("button", { name: "Half" }).click();
  await shot("stake");
  await stake.getByRole("button", { name: /^Stake / }).click();
  await expect(stake.getByText(/^Broadcasted tx id : /)).toBeVisible();
  await shot("staked");
  await network.mine(3);
  await joinAnother(page, network);
  for (let i = 0; i < 3; i++) await network.advanceEpoch();
  await staker.tab("Rewards");
  await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  await page.evaluate(() => window.scrollTo(0, 0));
  await shot("rewards");
  await pictureProduct(page, network.url("lobo"));
  await page.setViewportSize(DESKTOP);
  await page.goto(`${network.url("lobo")}/?tab=rewards&lang=en`);
  await staker.claim();
  await staker.order.button(later.order.payWallet).waitFor();
  await shot("order");
  await staker.order.button(later.order.payWallet).click();
  await expect(staker.order.dialog.getByText(later.order.paidWallet).first()).toBeVisible();
  await network.mine();
  await network.advanceClock(10);
  await expect(staker.order.step).toHaveText("Sent");
  await network.mine(3);
  await expect(staker.order.step).toHaveText("Delivered");
  await shot("delivered");
  await staker.order.close();
});
