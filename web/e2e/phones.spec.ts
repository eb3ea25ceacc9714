import { devices, type Browser, type Locator, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import type { Network } from "./network.ts";
import { scan } from "./qr.ts";
import { Staker, whole } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";

// What browsers on phones, and browsers inside wallets, do differently: a life for each.
test.use({ networkName: "phones" });

/** The visible part of a page in a wallet's browser, between the wallet's own bars. */
const viewport = { width: 390, height: 664 };
const agents = {
  android:
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile " +
    "Safari/537.36",
  androidApp:
    "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 " +
    "Chrome/156.0.0.0 Mobile Safari/537.36",
  iPhone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 " +
    "Mobile/15E148 Safari/604.1",
  iPhoneApp:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
};

/** A page on a phone. `prepare` runs in it before its own scripts. */
async function open(browser: Browser, network: Network, userAgent: string, prepare?: () => void): Promise<Staker> {
  const context = await browser.newContext({ ...devices["Pixel 7"], userAgent, viewport, locale: "en-US" });
  const page = await context.newPage();
  if (prepare) await page.addInitScript(prepare);
  return new Staker(page, network);
}

const selector = (page: Page) => page.getByRole("dialog", { name: later.wallets.title });

/** Confirms one of the wallet's questions; by default the wallet confirms all of them by itself. */
type Confirm = (title: string, yes: string) => Promise<void>;
const byItself: Confirm = async () => {};

/** From an empty wallet to a delivered withdrawal, by touch. */
async function live(staker: Staker, network: Network, confirm = byItself): Promise<void> {
  await earn(staker, network, confirm);
  await leave(staker, network, confirm);
}

/** From an empty wallet to a delivered claim. */
async function earn(staker: Staker, network: Network, confirm = byItself): Promise<void> {
  const { page, order } = staker;
  await staker.faucet();
  const stake = await staker.tab("Stake");
  await stake.getByLabel("Amount to stake").tap();
  await stake.getByLabel("Amount to stake").fill("500000");
  await tap(stake.getByRole("button", { name: /^Stake / }));
  await confirm("Sign this message?", "Sign");
  await confirm("Sign this transaction?", "Sign"); // the rehearsal
  await confirm("Send runes?", "Send");
  await expect(stake.getByText(/^Broadcasted tx id : [0-9a-f]{64}$/)).toBeVisible();
  await network.mine(3);
  await network.advanceEpoch();
  await network.advanceEpoch();
  const rewards = await staker.tab("Rewards");
  await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  await tap(rewards.getByRole("button", { name: "Claim", exact: true }));
  await tap(page.getByRole("dialog", { name: "Claim rewards" }).getByRole("button", { name: "Continue to payment" }));
  await confirm("Sign this message?", "Sign");
  await tap(order.button(later.order.payWallet));
  await confirm("Send bitcoin?", "Send");
  await expect(order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
  await network.mine();
  await network.advanceClock(10);
  await network.mine(3);
  await expect(order.step).toHaveText("Delivered");
}

/** From a delivered claim to a delivered withdrawal, in one transaction that the wallet signs. */
async function leave(staker: Staker, network: Network, confirm: Confirm): Promise<void> {
  const { page, order } = staker;
  const stake = "500,000 LOBO";
  await tap(order.button("Close"));
  const stakes = await staker.tab("Unstake");
  await tap(stakes.getByRole("checkbox", { name: stake }));
  await tap(stakes.getByRole("button", { name: `Unstake ${stake}` }));
  const question = page.getByRole("dialog", { name: `Unstake ${stake}?` });
  await tap(question.getByRole("button", { name: "Unstake", exact: true }));
  await confirm("Sign this message?", "Sign");
  await expect(stakes.getByText(text.unstake.done("500,000", "LOBO"))).toBeVisible();
  await network.advanceEpoch();
  await network.advanceEpoch();
  const unlocked = await staker.tab("Withdraw");
  await tap(unlocked.getByRole("checkbox", { name: stake }));
  await tap(unlocked.getByRole("button", { name: "Withdraw", exact: true }));
  const costs = page.getByRole("dialog", { name: "Withdraw" });
  await tap(costs.getByRole("button", { name: later.oneTx.continue }));
  await confirm("Sign this message?", "Sign");
  await confirm("Sign this transaction?", "Sign");
  await expect(order.step).toHaveText("Sent");
  await network.mine(3);
  await expect(order.step).toHaveText("Delivered");
  // The wallet again has the million of its beginning, and the claimed rewards.
  const { ordinals } = await staker.addresses();
  expect(await network.runes(ordinals, 3)).toBeGreaterThan(whole(1_000_000));
}

/** Taps a control after scrolling to it. */
async function tap(control: Locator): Promise<void> {
  await inSight(control, true);
  await control.tap();
}

/** Checks that nothing covers a control: no keyboard, and no part of the page. */
async function inSight(control: Locator, scroll = false): Promise<void> {
  const isFree = () =>
    control.evaluate((button, scroll) => {
      if (scroll) button.scrollIntoView({ block: "start", behavior: "instant" });
      const { x, y, width, height } = button.getBoundingClientRect();
      const isVisible = y >= 0 && y + height <= window.visualViewport!.height + 1;
      return isVisible && button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }, scroll);
  await expect.poll(isFree).toBe(true);
}

test("a phone without a wallet opens this page in the wallet's browser, or its store", async ({ browser, network }) => {
  for (const [agent, store] of [
    [agents.android, "Google Play"],
    [agents.iPhone, "the App Store"],
  ] as const) {
    const staker = await open(browser, network, agent);
    const { page } = staker;
    await page.route("**/dev/wallet.js", (route) => route.abort());
    await page.context().route(/^https:/, (route) => route.fulfill({ body: "the wallet" }));
    await page.goto(`${network.url("lobo")}/?tab=rewards`);
    await staker.started();
    await page.getByRole("button", { name: "Connect", exact: true }).tap();
    const tiles = selector(page).getByRole("list", { name: later.wallets.openIn }).getByRole("link");
    await expect(tiles).toHaveCount(3);
    await expect(tiles.first()).toHaveText(`Xverse${later.wallets.open}`);
    const opened = page.waitForEvent("popup");
    await tiles.first().tap();
    const here = encodeURIComponent(`${network.url("lobo")}/?tab=rewards`);
    await expect.poll(async () => (await opened).url()).toBe(`https://connect.xverse.app/browser?url=${here}`);
    await expect(selector(page).getByText(later.wallets.prompt("Xverse", store))).toBeInViewport();
    await expect(selector(page).getByRole("link", { name: /^Get Xverse/ })).toHaveAttribute("href", /^https:/);
    await selector(page).getByRole("button", { name: /^Unisat/ }).tap();
    await expect(selector(page).getByRole("link", { name: /^Get Unisat/ })).toBeInViewport();
    await page.context().close();
  }
});

test("a computer shows the page as a QR code", async ({ page, staker, network }) => {
  await page.goto(`${network.url("lobo")}/?tab=rewards`);
  await staker.started();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await selector(page).getByRole("button", { name: later.wallets.toPhone }).click();
  const code = selector(page).getByRole("img", { name: later.wallets.qr });
  await expect(code).toBeVisible();
  expect(await scan(page, await code.screenshot())).toBe(`${network.url("lobo")}/?tab=rewards`);
});

test("a wallet's browser that shows its wallet after 3 seconds", async ({ browser, network }) => {
  const staker = await open(browser, network, agents.iPhoneApp);
  const { page } = staker;
  const wallet = readFileSync(new URL("../dist-dev/devwallet.js", import.meta.url), "utf8");
  const late = `setTimeout(() => { ${wallet} }, 3000)`;
  await page.route("**/dev/wallet.js", (route) => route.fulfill({ contentType: "text/javascript", body: late }));
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).tap();
  await expect(selector(page).getByRole("link", { name: /^Xverse/ })).toBeVisible();
  await expect(selector(page).getByRole("list", { name: later.wallets.list })).toBeHidden();
  await selector(page).getByRole("button", { name: /^Moon Dev Wallet/ }).tap();
  await staker.answer("Let this site see your account?", "Connect");
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => "MoonDevWallet" in window)).toBe(true);
  await staker.trustPage();
  await live(staker, network);
  await page.context().close();
});

test("a wallet's browser without a clipboard", async ({ browser, network }) => {
  const staker = await open(browser, network, agents.androidApp, () => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
    document.execCommand = () => false;
  });
  await staker.open();
  await staker.connect();
  await staker.trustPage();
  await live(staker, network);
  const { page, order } = staker;
  await order.close();
  await page.getByRole("button", { name: /Connected as / }).tap();
  const { ordinals } = await staker.addresses();
  await expect(page.getByRole("textbox", { name: /^Connected as / })).toHaveValue(ordinals);
  await page.context().close();
});

test("a wallet's browser without windows shows other pages in place of this one", async ({ browser, network }) => {
  const staker = await open(browser, network, agents.iPhoneApp, () => {
    window.open = () => null;
    // Such a web view drops the press on a link that wants a new window.
    const drop = (event: Event): void => {
      if ((event.target as Element).closest("a[target=_blank]")) event.preventDefault();
    };
    document.addEventListener("click", drop, { capture: true });
  });
  await staker.open();
  await staker.connect();
  await staker.trustPage();
  await live(staker, network);
  const { page, order } = staker;
  await tap(order.dialog.getByRole("link", { name: /^[0-9a-f]{64}/ }).first());
  await expect(page).toHaveURL(/\/dev\/explorer\/tx\/[0-9a-f]{64}/);
  await page.goBack();
  await expect(order.step).toHaveText("Delivered");
  await page.context().close();
});

test("a keyboard that covers half of the screen", async ({ browser, network }) => {
  const staker = await open(browser, network, agents.iPhone, () => {
    const view = window.visualViewport!;
    let covered = 0;
    Object.defineProperty(view, "height", { get: () => window.innerHeight - covered });
    const update = (event: FocusEvent): void => {
      const isText = (event.target as Element).matches("input[type=text], input[type=search], input:not([type])");
      covered = event.type === "focusin" && isText ? window.innerHeight / 2 : 0;
      view.dispatchEvent(new Event("resize"));
    };
    window.addEventListener("focusin", update);
    window.addEventListener("focusout", update);
  });
  await staker.open();
  await staker.connect();
  await staker.trustPage();
  const { page } = staker;
  const keyboard = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--keyboard"));
  await staker.tab("Stake");
  await page.getByLabel("Amount to stake").focus();
  await expect.poll(keyboard).toBe("332px");
  await page.getByLabel("Amount to stake").blur();
  await expect.poll(keyboard).toBe("0px");
  await earn(staker, network);

  // In a dialog, the field and the main button stay in sight.
  await staker.order.close();
  await network.advanceEpoch();
  await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  await tap(page.getByRole("tabpanel", { name: "Rewards" }).getByRole("button", { name: "Claim", exact: true }));
  const costs = page.getByRole("dialog", { name: "Claim rewards" });
  const field = costs.getByLabel("What is 1 LOBO worth to you, in sats?");
  const main = costs.getByRole("button", { name: "Continue to payment" });
  await expect(main).toBeEnabled();
  await tap(field);
  await expect.poll(keyboard).toBe("332px");
  for (const typed of ["1", "1000"]) {
    await field.fill(typed);
    for (const part of [field, main]) await inSight(part);
  }
  await page.context().close();
});

for (const answersHidden of [false, true]) {
  const when = answersHidden ? "answers" : "asks";
  test(`a page that is suspended while its wallet ${when}`, async ({ browser, network }) => {
    const staker = await open(browser, network, agents.androidApp, () => {
      (window as any).showPage = (visible: boolean): void => {
        Object.defineProperty(document, "hidden", { value: !visible, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      };
    });
    const { page } = staker;
    const browserOf = await page.context().newCDPSession(page);
    const suspended: Confirm = async (title, yes) => {
      const question = page.getByRole("dialog", { name: title });
      await question.waitFor();
      await page.evaluate(() => (window as any).showPage(false));
      await browserOf.send("Page.setWebLifecycleState", { state: "frozen" });
      if (answersHidden) await page.evaluate(() => (window as any).MoonDevWallet.control.answer(true));
      await new Promise((done) => setTimeout(done, 1_500));
      await browserOf.send("Page.setWebLifecycleState", { state: "active" });
      await page.evaluate(() => (window as any).showPage(true));
      if (answersHidden) await expect(question).toBeHidden();
      else await staker.answer(title, yes);
    };
    await staker.open();
    await staker.chooseWallet();
    await suspended("Let this site see your account?", "Connect");
    await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
    await live(staker, network, suspended);
    await page.context().close();
  });
}
