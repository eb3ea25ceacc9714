import { get } from "node:http";
import { chooseOrder } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

test("check 1: each host serves its own site", async ({ page, network }) => {
  await page.goto(network.url("lobo"));
  await expect(page.getByRole("tablist", { name: text.tabs.label })).toBeVisible();
  await page.goto(network.url("dummy"));
  await expect(page.getByText(text.pages.testNote)).toBeVisible();
  await expect(page.getByRole("timer").first()).toBeVisible();
  await expect(page.getByRole("tablist")).toHaveCount(0);
  for (const host of ["localhost", "www.localhost", "127.0.0.1"]) {
    await page.goto(`http://${host}:${network.port}`);
    await expect(page.getByRole("heading", { name: "Together Moon Fund" })).toBeVisible();
  }
});

test("an unknown host gets 421 Misdirected Request", async ({ network }) => {
  for (const host of ["a.wolf.localhost", "evil.example", "lobo.evil.example"]) {
    const status = await new Promise((done, fail) => {
      get({ host: "127.0.0.1", port: network.port, path: "/", headers: { host } }, (answer) =>
        done(answer.resume().statusCode),
      ).on("error", fail);
    });
    expect(status, host).toBe(421);
  }
});

test("check 2: an unknown page has status 404 and a link home", async ({ page, network }) => {
  const homes = { lobo: /Stake with the pack/, dummy: /Rehearse here/, www: /Together Moon Fund/ };
  for (const [label, home] of Object.entries(homes)) {
    const path = label === "dummy" ? "/terms" : "/zzz";
    const answer = await page.goto(network.url(label) + path);
    expect(answer?.status(), label).toBe(404);
    await expect(page.getByRole("heading", { name: text.pages.notFound })).toBeFocused();
    await page.getByRole("link", { name: "Go to the homepage" }).click();
    await expect(page.getByRole("heading", { name: home, level: 1 })).toBeVisible();
  }
});

test("check 3: a render error shows the error page", async ({ page, network }) => {
  // A text that is an object, at which React throws.
  await page.addInitScript(() => {
    const parse = JSON.parse;
    JSON.parse = (text, reviver) => {
      const value = parse(text, reviver);
      return value?.variant ? { ...value, tagline: { not: "a text" } } : value;
    };
  });
  await page.goto(network.url("lobo"));
  await expect(
    page.getByRole("heading", { name: text.pages.error }),
  ).toBeFocused();
  await expect(page.getByText(/error [0-9a-f]{8}/)).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: "LOBO, Home" })).toBeVisible();
  await expect(page.getByRole("contentinfo").getByRole("link", { name: "Contact" })).toBeVisible();
});

test("a dashboard and the landing page link the terms", async ({ page, staker, network }) => {
  await staker.open();
  await page.getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("heading", { name: "Terms", level: 1 })).toBeVisible();
  await page.goto(network.url("www"));
  await page.getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("heading", { name: "Terms", level: 1 })).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: "Moon Fund" }).click();
  await expect(page.getByRole("heading", { name: "Together Moon Fund" })).toBeVisible();
});

test("a test community stakes and withdraws with a plain form", async ({ page, network, staker }) => {
  await page.goto(network.url("dummy"));
  await staker.connect();
  await staker.trustPage();
  await staker.faucet();
  const stake = page.getByRole("region", { name: "Stake", exact: true });
  await stake.getByRole("button", { name: "Half" }).click();
  await stake.getByRole("button", { name: /^Stake 500,000/ }).click();
  await expect(stake.getByText(/^Broadcasted tx id : /)).toBeVisible();
  await network.mine(3);
  await network.advanceEpoch();
  await expect(staker.figure("Your stake")).toHaveText(/500,000 DUMMY/);
  const withdraw = page.getByRole("region", { name: "Withdraw", exact: true });
  await withdraw.getByRole("checkbox", { name: "500,000 DUMMY" }).check();
  await staker.unstake(withdraw);
  await expect(withdraw.getByRole("region", { name: text.withdraw.title })).toBeVisible();
  await network.advanceEpoch();
  await network.advanceEpoch();
  await withdraw
    .getByRole("region", { name: text.withdraw.title })
    .getByRole("checkbox", { name: "Select all" })
    .check();
  await withdraw.getByRole("button", { name: "Withdraw", exact: true }).click();
  const costs = page.getByRole("dialog", { name: "Withdraw" });
  await chooseOrder(costs);
  await costs.getByRole("button", { name: "Continue to payment" }).click();
  await staker.order.button(later.order.payWallet).click();
  await expect(staker.order.dialog.getByText(later.oneTx.paidInFull)).toBeVisible();
  await network.mine();
  await staker.order.signDelivery();
  await expect(staker.order.step).toHaveText("Sent");
  await network.mine(3);
  await expect(staker.order.step).toHaveText("Delivered");
});

test("a test community's server-rendered page stays until the app's page is loaded", async ({ page, network }) => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/TestPage-[^/]+\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  const started = page.waitForResponse(/\/start-[^/]+\.js$/);
  await page.goto(network.url("dummy"), { waitUntil: "commit" });
  await started;
  // Long enough for the app to render what it has.
  await page.waitForTimeout(500);
  await expect(page.getByText(text.pages.testNote)).toBeVisible();
  await expect(page.locator("#root[data-app]")).toHaveCount(0);
  release();
  await expect(page.locator("#root[data-app]")).toBeAttached();
});

test("check 5: arrows, Home and End select the tabs", async ({ page, staker }) => {
  await staker.open();
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  await tab("Stake").focus();
  for (const [key, name] of [
    ["ArrowRight", "Rewards"],
    ["End", "Withdraw"],
    ["ArrowRight", "Stake"],
    ["ArrowLeft", "Withdraw"],
    ["Home", "Stake"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(tab(name)).toBeFocused();
    await expect(tab(name)).toHaveAttribute("aria-selected", "true");
  }
});

test("clicks before the app has loaded are not repeated later", async ({ page, network }) => {
  let arrive = (): void => {};
  const released = new Promise<void>((done) => (arrive = done));
  await page.route("**/assets/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(network.url("lobo"), { waitUntil: "commit" });
  const connect = page.getByRole("button", { name: "Connect", exact: true });
  await connect.click();
  arrive();
  await expect(page.locator("#root[data-app]")).toBeAttached();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await connect.click();
  await expect(page.getByRole("dialog", { name: later.wallets.title })).toBeVisible();
});
