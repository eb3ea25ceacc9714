import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { alter } from "./alter.ts";
import { violations } from "./layout.ts";
import type { Network } from "./network.ts";
import { expect, test } from "./test.ts";
import { verify as text } from "../src/lib/text/en.verify.ts";

const file = (name: string, content: string) => ({
  name, mimeType: "application/json", buffer: Buffer.from(content),
});

/** Settles an epoch, waits for its statement, and returns the address of the statements. */
async function publish(network: Network): Promise<string> {
  // A new network may publish no statement for its first epoch.
  if ((await network.advanceEpoch()) === 1) await network.advanceEpoch();
  return network.published();
}

/** Fetches all statements and details as files, and the key that signed them. */
async function download(address: string) {
  const read = async (path: string) => (await fetch(`${address}/${path}`)).text();
  const head = JSON.parse(await read("head"));
  const files = [];
  for (let n = 0; n <= head.statement.sequence; n += 1) {
    files.push(file(`lobo-${n}.json`, await read(`${n}`)), file(`lobo-${n}-details.json`, await read(`${n}/details`)));
  }
  return { files, key: head.key as string };
}

const check = (page: Page, name: keyof typeof text.checks, outcome: keyof typeof text.outcomes): Locator =>
  page.getByRole("listitem").filter({ hasText: text.checks[name] }).filter({ hasText: text.outcomes[outcome] });

async function shots(page: Page, name: string): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect.soft(await violations(page), `${name} at ${width}`).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    if (process.env["SHOTS"]) {
      await page.screenshot({ path: `${process.env["SHOTS"]}/verifier-${name}-${width}.png`, fullPage: true });
    }
  }
}

test("the verifier checks a community's chain from the server, by keyboard", async ({ page, network }) => {
  const address = await publish(network);
  const { key } = await download(address);
  const stopped: string[] = [];
  page.on("console", (message) => message.text().includes("Content Security Policy") && stopped.push(message.text()));
  const answer = await page.goto(`${network.url("lobo")}/verify`);
  expect(answer!.headers()["content-security-policy"]).toContain("default-src 'none'; script-src 'sha256-");
  const server = page.getByLabel(text.page.server, { exact: true });
  await expect(server).toHaveValue(`${network.url("lobo")}/lobo/statements`);
  await shots(page, "empty");
  await server.clear();
  await page.getByRole("button", { name: text.page.run }).click();
  await expect(page.getByText(text.page.nothing)).toBeVisible();

  await page.reload();
  await expect(server).toHaveValue(`${network.url("lobo")}/lobo/statements`);
  await page.getByLabel(text.page.key, { exact: true }).fill(key);
  await page.keyboard.press("Enter");
  await expect(check(page, "form", "passed")).toBeVisible();
  await expect(check(page, "key", "passed")).toBeVisible();
  await expect(check(page, "chain", "passed")).toBeVisible();
  await expect(check(page, "reserves", "passed")).toContainText(/The newest owes [\d,.]+ LOBO and lists/);
  await expect(check(page, "rewards", "passed")).toBeVisible();
  await expect(check(page, "runes", "unchecked")).toContainText(text.unchecked.runes(""));
  await expect(page.locator("#verdict")).toHaveText(/What was checked is right. Not checked: \d/);
  await expect(page.getByRole("region", { name: text.page.report })).toBeFocused();
  await shots(page, "partly");

  await page.getByLabel(text.page.key, { exact: true }).fill("11".repeat(32));
  await page.getByRole("button", { name: text.page.run }).click();
  await expect(check(page, "key", "failed")).toBeVisible();
  await expect(page.locator("#verdict")).toHaveText(text.verdict.failed(1));
  await page.getByRole("link", { name: text.page.language }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Abrechnungen prüfen");
  expect(stopped).toEqual([]);
});

test("a saved copy of the verifier works offline, and finds a changed document", async ({ browser, network }, info) => {
  const { files, key } = await download(await publish(network));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${network.url("lobo")}/verify`);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: text.page.save }).click();
  const copy = info.outputPath("moonfund-verify.html");
  await (await saving).saveAs(copy);
  expect(await readFile(copy, "utf8")).toContain('http-equiv="Content-Security-Policy"');
  await context.setOffline(true);

  await page.goto(pathToFileURL(copy).href);
  await expect(page.getByRole("link", { name: text.page.save })).toHaveCount(0);
  await page.getByLabel(text.page.files, { exact: true }).setInputFiles(files);
  await page.getByLabel(text.page.key, { exact: true }).fill(key);
  await page.getByRole("button", { name: text.page.run }).click();
  await expect(check(page, "chain", "passed")).toBeVisible();
  await expect(check(page, "rewards", "passed")).toBeVisible();

  const changed = files.map(({ name, buffer }) => file(name, String(buffer).replace(/"budget":\{"amount":"\d/, "$&1")));
  await page.getByLabel(text.page.files, { exact: true }).setInputFiles(changed);
  await page.getByRole("button", { name: text.page.run }).click();
  await expect(check(page, "form", "failed").first()).toBeVisible();
  await expect(page.getByRole("alert")).toContainText(text.verdict.failedAdvice);
  await shots(page, "tampered");
  await context.close();
});

test("Check my reward compares it with the statement, and shows a mismatch", async ({ activeStaker, network }) => {
  const { page } = activeStaker;
  const reward = text.reward;
  await activeStaker.openWithReward();
  await publish(network);
  const open = async (): Promise<Locator> => {
    const tab = await activeStaker.tab("Rewards");
    await tab.getByRole("button", { name: reward.title }).press("Enter");
    return page.getByRole("dialog", { name: reward.title });
  };
  let dialog = await open();
  await expect(dialog.getByText(/^Your reward for epoch \d+ is right: [\d,.]+ LOBO$/)).toBeVisible();
  await expect(dialog.getByText(text.outcomes.passed, { exact: true })).toHaveCount(5);
  await dialog.locator("summary", { hasText: reward.detail }).first().press("Enter");
  await expect(dialog.getByText(/^statement \d+, [0-9a-f]{64}, key/)).toBeVisible();
  await shots(page, "reward-right");
  const saving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: /-proof\.json$/ }).click();
  expect((await saving).suggestedFilename()).toMatch(/^lobo-\d+-proof\.json$/);
  await expect(dialog.getByRole("link", { name: reward.standaloneLink })).toHaveAttribute("href", "/verify");

  await alter(page, "earnings", ({ earnings }) => ({
    earnings: earnings.map((one: { reward: string }) => ({ ...one, reward: `${BigInt(one.reward) + 1n}` })),
  }));
  await activeStaker.open();
  dialog = await open();
  await expect(dialog.getByRole("alert")).toContainText(reward.mismatch);
  await expect(dialog.getByText(text.outcomes.failed, { exact: true })).toHaveCount(1);
  await shots(page, "reward-mismatch");

  await alter(page, "community", (data) => ({ ...data, statement_key: "" }));
  await activeStaker.open();
  dialog = await open();
  await expect(dialog.getByText(reward.unpublished("LOBO"))).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
});
