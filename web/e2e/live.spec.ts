import type { Browser, Page } from "@playwright/test";
import { Relay } from "./relay.ts";
import { paidSoFar, Staker } from "./staker.ts";
import { expect, oneOfThree, test as base, type BrowserStorage } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";
import { walletErrors } from "../src/lib/text/en.wallet.ts";
import { walletTexts } from "../src/wallet/texts.ts";

const wrongNetwork = walletErrors.wrongNetwork.replace("%s", "Regtest");
const networkIs = walletErrors.networkIs.replace("%s", "Testnet").replace("%s", "Regtest");

/** Promised time until a change is on the screen: by the event stream, and by polling while the stream is cut. */
const STREAM_MS = 2_000;
const POLLING_MS = 5_000;

/** A connection between browser and server that the test can cut. */
const test = base.extend<{ relay: Relay }>({
  relay: async ({ network }, provide) => {
    const relay = await Relay.start(network.port);
    await provide(relay);
    await relay.stop();
  },
});

const epochOf = (page: Page) =>
  page.getByRole("region", { name: "Epoch", exact: true }).getByRole("definition").first();

/** The response that opens the event stream, which the app requests after it has loaded. */
const openedStream = (page: Page) =>
  page.waitForResponse((response) => response.url().includes("/events") && response.ok());

/** The same wallet behind the relay, which is another origin for the browser. */
async function openThrough(
  relay: Relay,
  browser: Browser,
  storedSession: BrowserStorage,
  staker: Staker,
): Promise<Staker> {
  const origins = storedSession.origins.map((one) => ({ ...one, origin: relay.url("lobo") }));
  const context = await browser.newContext({ storageState: { ...storedSession, origins } });
  return new Staker(await context.newPage(), staker.network, relay.url("lobo"));
}

test("shows a payment from another wallet within two seconds", async ({ activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  const address = await order.address();
  let paid = 0;
  await oneOfThree(async () => {
    await network.pay(address, 1000);
    paid += 1000;
    const amount = paidSoFar(paid.toLocaleString("en"));
    await expect(order.dialog.getByText(amount).first()).toBeVisible({ timeout: STREAM_MS });
  });
  await network.mine();
  await expect(order.dialog.getByText("Confirmed", { exact: true }).last()).toBeVisible();
});

test("shows the end of an epoch within two seconds, also without a wallet", async ({
  page,
  staker,
  network,
}) => {
  await staker.open();
  await expect(epochOf(page)).toHaveText(/^\d+$/);
  await oneOfThree(async () => {
    const next = await network.advanceEpoch();
    await expect(epochOf(page)).toHaveText(String(next), { timeout: STREAM_MS });
  });
});

test("check 36: polls within 5 s of a lost stream, and reconnects it", async ({
  page,
  network,
  relay,
}) => {
  await page.goto(relay.url("lobo"));
  await expect(epochOf(page)).toHaveText(/^\d+$/);
  const first = await network.advanceEpoch();
  await expect(epochOf(page)).toHaveText(String(first));

  relay.cut("/events");
  await oneOfThree(async () => {
    const second = await network.advanceEpoch();
    await expect(epochOf(page)).toHaveText(String(second), { timeout: POLLING_MS });
  });

  relay.mend();
  await page.waitForResponse((answer) => answer.url().includes("/events") && answer.ok());
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const third = await network.advanceEpoch();
  await expect(epochOf(page)).toHaveText(String(third));
  expect(requests.filter((url) => url.includes("/events"))).toEqual([]);
});

for (const [what, hinder] of [
  ["passes the headers of the stream and holds its body", (relay: Relay) => relay.hold("/events")],
  ["blocks the stream", (relay: Relay) => relay.block("/events")],
] as const) {
  test(`shows a payment although a proxy ${what}`, async ({ activeStaker, browser, storedSession, relay, network }) => {
    await activeStaker.openClaim();
    hinder(relay);
    const staker = await openThrough(relay, browser, storedSession, activeStaker);
    const { page, order } = staker;
    await staker.open();
    await (await staker.tab("Rewards")).getByRole("button", { name: text.rewards.openOrder }).click();
    await network.pay(await order.address(), 1000);
    await expect(order.dialog.getByText(paidSoFar("1,000")).first()).toBeVisible();
    await page.context().close();
  });
}

test("eight tabs over HTTP/1.1 work, and share one stream", async ({ browser, relay, network }) => {
  const context = await browser.newContext({ locale: "en-US" });
  const pages: Page[] = [];
  for (let i = 0; i < 8; i++) {
    const page = await context.newPage();
    await page.goto(relay.url("lobo"));
    await expect(epochOf(page)).toHaveText(/^\d+$/);
    pages.push(page);
  }
  await new Staker(pages[5]!, network).connect();
  const disconnect = (page: Page) => page.getByRole("button", { name: "Disconnect" });
  for (const page of pages) await expect(disconnect(page)).toBeVisible();
  const next = await network.advanceEpoch();
  for (const page of pages) await expect(epochOf(page)).toHaveText(String(next));
  await expect.poll(() => relay.countOpen("/events")).toBe(1);
  // Another tab continues the stream of a closed one.
  await pages[0]!.close();
  const later = await network.advanceEpoch();
  for (const page of pages.slice(1)) await expect(epochOf(page)).toHaveText(String(later));
  // A disconnect in one tab is no end by the wallet in the others: they say nothing of it.
  await disconnect(pages[6]!).click();
  for (const page of pages.slice(1)) {
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
    await expect(page.getByText(walletTexts.ended)).toHaveCount(0);
  }
  await context.close();
});

test("shows that the server is unreachable, keeps its data, and recovers by itself", async ({
  page,
  network,
  relay,
}) => {
  const stream = openedStream(page);
  await page.goto(relay.url("lobo"));
  await expect(epochOf(page)).toHaveText(/^\d+$/);
  await stream; // the page shows the epoch before the app has loaded
  relay.cut();
  await expect(page.getByText(text.epoch.unreachable)).toBeVisible();
  await expect(epochOf(page)).toHaveText(/^\d+$/);
  const next = await network.advanceEpoch();
  relay.mend();
  await expect(epochOf(page)).toHaveText(String(next));
  await expect(page.getByText(text.epoch.unreachable)).toHaveCount(0);
});

test("says on the first screen that the browser is offline, until it is back", async ({ page, network }) => {
  await page.goto(network.url("lobo"));
  await expect(epochOf(page)).toHaveText(/^\d+$/);
  await page.getByRole("button", { name: "Connect", exact: true }).waitFor();
  await page.context().setOffline(true);
  await expect(page.getByText(text.epoch.offline)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(text.epoch.offline)).toHaveCount(0);
});

test("catches up after the device slept, although the dead stream looks open", async ({
  activeStaker,
  browser,
  storedSession,
  relay,
  network,
}) => {
  await activeStaker.openClaim();
  const staker = await openThrough(relay, browser, storedSession, activeStaker);
  const { page, order } = staker;
  await page.clock.install({ time: Date.now() });
  await staker.open();
  await (await staker.tab("Rewards")).getByRole("button", { name: text.rewards.openOrder }).click();
  const address = await order.address();
  const browserItself = await page.context().newCDPSession(page);
  await browserItself.send("Page.setWebLifecycleState", { state: "frozen" });
  relay.silence("/events");
  await network.pay(address, 1000);
  await browserItself.send("Page.setWebLifecycleState", { state: "active" });
  await page.clock.fastForward(60 * 60_000);
  await expect(order.dialog.getByText(paidSoFar("1,000")).first()).toBeVisible();
  await network.pay(address, 600);
  await expect(order.dialog.getByText(paidSoFar("1,600")).first()).toBeVisible();
  await page.context().close();
});

test("shows correct countdowns and deadlines with a wrong device clock", async ({ page, activeStaker, network }) => {
  const order = await activeStaker.openClaim();
  await activeStaker.page.clock.install({ time: Date.now() + 26 * 3_600_000 });
  await activeStaker.page.reload();
  await expect(order.dialog.getByRole("timer")).toHaveText(/^(30m 0s|29m \d+s)$/);
  await order.close();
  await page.goto(network.url("lobo"));
  const countdownOf = async (one: Page) => {
    const label = await one.getByRole("main").getByRole("timer").first().getAttribute("aria-label");
    // The first paint has no label.
    const [days, hours, minutes, seconds] = (label ?? "").match(/\d+/g)?.map(Number) ?? [];
    return ((days! * 24 + hours!) * 60 + minutes!) * 60 + seconds!;
  };
  await expect(epochOf(page)).toHaveText(/^\d+$/);
  const difference = async () => Math.abs((await countdownOf(page)) - (await countdownOf(activeStaker.page)));
  await expect.poll(difference).toBeLessThanOrEqual(2);
});

test("updates a background tab when it becomes visible", async ({ page, network }) => {
  await page.clock.install({ time: Date.now() });
  const begun = page.waitForResponse((response) => new URL(response.url()).pathname === "/lobo/epochs");
  const stream = openedStream(page);
  let lastRequest = Date.now();
  page.on("request", () => (lastRequest = Date.now()));
  await page.goto(network.url("lobo"));
  await Promise.all([begun, stream]); // the last requests that the page makes by itself
  await expect(page.getByRole("main").getByRole("timer").first()).toHaveAttribute("aria-label", /\d/);
  const show = (state: "hidden" | "visible") =>
    page.evaluate((now) => {
      Object.defineProperty(document, "visibilityState", { value: now, configurable: true });
      Object.defineProperty(document, "hidden", { value: now === "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  // The network has just started: its last changes may still arrive by the stream and cause requests.
  await expect.poll(() => Date.now() - lastRequest).toBeGreaterThan(1_000);
  await show("hidden");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.clock.fastForward(10 * 60_000);
  // A hidden page makes no requests that the stream does not cause.
  expect(requests).toEqual([]);
  const next = await network.advanceEpoch();
  await show("visible");
  await expect(epochOf(page)).toHaveText(String(next));
});

test("a second tab follows the connection, the order and the disconnection of the first", async ({ activeStaker }) => {
  const other = new Staker(await activeStaker.page.context().newPage(), activeStaker.network);
  await activeStaker.openWithReward();
  await other.open();
  const claim = (await other.tab("Rewards")).getByRole("button", { name: "Claim", exact: true });
  await expect(claim).toBeEnabled();
  await activeStaker.claim();
  await expect(activeStaker.order.dialog.getByText(/^Delivers /)).toBeVisible();
  await expect(claim).toBeDisabled();
  await expect(other.page.getByRole("button", { name: text.rewards.openOrder })).toBeVisible();
  await activeStaker.order.close();

  await activeStaker.page.getByRole("button", { name: "Disconnect" }).click();
  await expect(other.page.getByRole("tabpanel")).toHaveText(text.tabs.connect);
  await other.page.getByRole("button", { name: "Connect", exact: true }).click();
  await other.page
    .getByRole("dialog", { name: later.wallets.title })
    .getByRole("button", { name: "Moon Dev Wallet" })
    .click();
  await expect(other.page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await expect(activeStaker.page.getByRole("button", { name: "Disconnect" })).toBeVisible();
});

test("switching the wallet's account shows the other staker's data only", async ({ page, staker }) => {
  await staker.arrive();
  const stake = await staker.tab("Stake");
  await stake.getByLabel("Amount to stake").fill("1234");
  const first = (await staker.addresses()).ordinals;
  await page.evaluate(() => (window as any).MoonDevWallet.control.addAccount());
  const second = (await staker.addresses()).ordinals;
  expect(second).not.toBe(first);
  await expect(page.getByRole("button", { name: `Connected as ${second}` })).toBeVisible();
  await expect(stake.getByTestId("balance")).toHaveText("0");
  await expect(stake.getByLabel("Amount to stake")).toHaveValue("");
  await expect(staker.figure("Your stake")).toHaveText("0 LOBO");
});

test("does not connect a wallet on another network, and shows why; a later change of network has no effect", async ({
  page,
  staker,
}) => {
  await staker.open();
  const network = (wrong: boolean) =>
    page.evaluate((wrongNetwork) => (window as any).MoonDevWallet.control.misbehave({ wrongNetwork }), wrong);
  const sentence = page.getByText(networkIs);
  await network(true);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  const selector = page.getByRole("dialog", { name: later.wallets.title });
  await selector.getByRole("button", { name: "Moon Dev Wallet" }).click();
  await staker.answer("Let this site see your account?", "Connect");
  await expect(selector.getByRole("alert")).toContainText(wrongNetwork);

  await network(false);
  await selector.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await network(true);
  await expect(sentence).toBeVisible();
  await network(false);
  await expect(sentence).toBeHidden();
});
