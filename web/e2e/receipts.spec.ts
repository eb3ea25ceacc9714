import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { checkBothSizes } from "./layout.ts";
import type { Staker } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text as german } from "../src/lib/text/de.ts";
import { receipts as germanWords } from "../src/lib/text/de.receipts.ts";
import { receipts as words } from "../src/lib/text/en.receipts.ts";

test.use({ networkName: "receipts" });

const served = /\/lobo\/receipts\//;

/** Opens the receipts of the wallet from the Rewards tab. */
async function open(staker: Staker) {
  const tab = await staker.tab("Rewards");
  await tab.getByRole("button", { name: words.open }).click();
  return staker.page.getByRole("dialog", { name: words.title });
}

/** Loads an address, and waits until the app has replaced the server's first paint. */
async function load(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator("#root[data-app]")).toBeAttached();
}

async function save(page: Page, press: Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), press]);
  return download.path();
}

test("receipts of a stake and of a claim are kept, exported and verified without the server", async ({
  activeStaker: staker,
  network,
}, info) => {
  const { page } = staker;
  const order = await staker.openClaim();
  await order.dialog.getByRole("button", { name: /^Pay/ }).first().click();
  await expect(order.dialog.getByTestId("order-status")).not.toHaveText("Pending");
  await expect
    .poll(async () => {
      await network.mine(1);
      return order.dialog.getByTestId("order-status").textContent();
    })
    .toBe("Delivered");
  const kinds = ["claim", "payment", "delivery"].map(words.kind).join(", ");
  await expect(order.dialog.getByText(words.ofOrder(kinds))).toBeVisible({ timeout: 30_000 });
  await checkBothSizes(page, "receipts-order");
  const ofOrder = await save(page, order.dialog.getByRole("button", { name: words.saveOrder }).click());
  await order.close();
  await checkBothSizes(page, "receipts-tab");

  const dialog = await open(staker);
  for (const kind of ["stake", "claim", "payment", "delivery"]) {
    await expect(dialog.getByRole("listitem").filter({ hasText: words.kind(kind) })).toHaveCount(1);
  }
  await checkBothSizes(page, "receipts-dialog");
  const all = await save(page, dialog.getByRole("button", { name: words.save }).click());

  const { ordinals } = await staker.addresses();
  const { key } = (await (await fetch(`http://127.0.0.1:${network.port}/lobo/statements/head`)).json()) as {
    key: string;
  };
  for (const file of [ofOrder, all]) {
    const verify = ["-C", "..", "run", "./cmd/moonfund-verify", "receipt", file, "--key", key, "--owner", ordinals];
    const out = execFileSync("go", verify);
    await info.attach("moonfund-verify", { body: out });
    expect(String(out)).toContain("Verified.");
  }

  // The server no longer answers: the kept receipts remain, also after a reload.
  await page.route(served, (route) => route.fulfill({ status: 503, json: {} }));
  await load(page, network.url("lobo"));
  const later = await open(staker);
  await expect(later.getByText(words.unreachable)).toBeVisible();
  await expect(later.getByText(words.kept(4))).toBeVisible();
  await checkBothSizes(page, "receipts-unreachable");
  await save(page, later.getByRole("button", { name: words.save }).click());

  await load(page, `${network.url("lobo")}/?lang=de`);
  await page.getByRole("tab", { name: german.tabs.rewards, exact: true }).click();
  await page.getByRole("button", { name: germanWords.open, exact: true }).click();
  await expect(page.getByRole("dialog").getByText(germanWords.kept(4))).toBeVisible();
  await checkBothSizes(page, "receipts-german");
});

test("an invalid receipt is reported and not kept", async ({ activeStaker: staker, network }) => {
  const { page } = staker;
  await staker.openWithReward();
  await page.route(served, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace("lobo.localhost", "127.0.0.1") });
    await route.fulfill({ body: (await response.text()).replaceAll(/"sats":"\d+"/g, '"sats":"1"') });
  });
  await page.evaluate(() => new Promise((done) => Object.assign(indexedDB.deleteDatabase("moonfund-receipts"), {
    onsuccess: done, onerror: done, onblocked: done,
  })));
  await load(page, network.url("lobo"));
  const tab = await staker.tab("Rewards");
  await expect(tab.getByRole("alert").filter({ hasText: /invalid receipt/ })).toBeVisible();
  const dialog = await open(staker);
  await expect(dialog.getByText(words.advice)).toBeVisible();
  await expect(dialog.getByRole("button", { name: words.save, exact: true })).toBeHidden();
  await checkBothSizes(page, "receipts-invalid");
  await save(page, dialog.getByRole("button", { name: words.saveInvalid }).click());
});
