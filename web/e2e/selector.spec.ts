import type { Browser, Locator, Page } from "@playwright/test";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";
import { walletErrors } from "../src/lib/text/en.wallet.ts";
import { KNOWN } from "../src/wallet/providers.ts";

const selector = (page: Page) => page.getByRole("dialog", { name: later.wallets.title });
const connectButton = (page: Page) => page.getByRole("button", { name: "Connect", exact: true });
const stored = (page: Page) => page.evaluate(() => localStorage.length);
/** The tiles of all lists: the installed wallets, the ones with a browser of their own, and the ones to get. */
const wallets = (page: Page) => page.getByRole("dialog").getByRole("listitem").locator("button, a");

/** The known wallets after Xverse and Unisat, none of which is installed. */
const others = KNOWN.slice(2).map(({ name }) => `${name}: Get`);

/** The wallets' names in order, each with its state. */
const listed = async (page: Page) => {
  await expect(wallets(page).first()).toBeVisible();
  return wallets(page).evaluateAll((tiles) =>
    tiles.map((tile) => {
      const parts = [...tile.querySelectorAll("span > *")].map((part) => part.textContent);
      return parts.filter((words) => words !== "").join(": "); // a picture has none
    }),
  );
};

/** Injects wallets before the page's scripts run, as extensions do. */
async function inject(page: Page, script: () => void): Promise<void> {
  await page.addInitScript(script);
}

/** The page without its dev wallet: no wallet is installed. */
async function removeWallets(page: Page): Promise<void> {
  await page.route("**/dev/wallet.js", (route) => route.abort());
}

test("check 6: X (click, Enter, Space), Escape and a click outside close the selector and restore the focus", async ({
  page,
  staker,
}) => {
  await staker.open();
  const ways: (() => Promise<void>)[] = [
    () => selector(page).getByRole("button", { name: "Close" }).click(),
    () => selector(page).getByRole("button", { name: "Close" }).press("Enter"),
    () => selector(page).getByRole("button", { name: "Close" }).press("Space"),
    () => page.keyboard.press("Escape"),
    () => page.mouse.click(20, 450),
  ];
  const buttons = [connectButton(page), page.getByRole("button", { name: text.tabs.connect })];
  for (const [i, close] of ways.entries()) {
    const button = buttons[i % buttons.length]!;
    await button.click();
    await expect(selector(page)).toBeVisible();
    await close();
    await expect(selector(page)).toBeHidden();
    await expect(button).toBeFocused();
  }
  await connectButton(page).click();
  await selector(page).getByRole("heading", { level: 2 }).click();
  await expect(selector(page)).toBeVisible();
});

test("connects with the keyboard only, and then focuses the content", async ({ page, staker }) => {
  await staker.open();
  await connectButton(page).press("Enter");
  const tile = selector(page).getByRole("button", { name: "Moon Dev Wallet" });
  for (let i = 0; i < 6 && !(await tile.evaluate((one) => one === document.activeElement)); i++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.getByRole("dialog", { name: "Let this site see your account?" }).waitFor();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await expect(page.locator("#content")).toBeFocused();
});

test("check 7: Xverse comes first, installed wallets before the others; no Unisat in a React Native app", async ({
  page,
  network,
  browser,
}) => {
  await open(page, network.url("lobo"));
  await connectButton(page).click();
  expect(await listed(page)).toEqual([
    "Moon Dev Wallet: Installed",
    "Xverse: Get",
    ...others,
    "Unisat: Get",
  ]);

  const unisat = (): void => {
    (window as any).unisat = { request: () => new Promise(() => {}) };
    (window as any).XverseProviders = { BitcoinProvider: { request: () => new Promise(() => {}) } };
  };
  const inBrowser = await browser.newPage();
  await inject(inBrowser, unisat);
  await open(inBrowser, network.url("lobo"));
  await connectButton(inBrowser).click();
  expect((await listed(inBrowser)).slice(0, 3)).toEqual([
    "Xverse: Installed",
    "Unisat: Installed",
    "Moon Dev Wallet: Installed",
  ]);
  await inBrowser.close();

  const inApp = await browser.newPage();
  await inject(inApp, unisat);
  await inject(inApp, () => {
    (window as any).ReactNativeWebView = { postMessage: () => {} };
  });
  await open(inApp, network.url("lobo"));
  await connectButton(inApp).click();
  expect(await listed(inApp)).toEqual([
    "Xverse: Installed",
    "Moon Dev Wallet: Installed",
    ...others,
  ]);
  await inApp.close();
});

test("an installed wallet's tile and icon are larger than those of the wallets to get", async ({ page, network }) => {
  await open(page, network.url("lobo"));
  await connectButton(page).click();
  const boxOf = async (part: Locator) => (await part.boundingBox())!;
  const tile = selector(page).getByRole("list", { name: later.wallets.list }).getByRole("button");
  const others = selector(page).getByRole("list", { name: later.wallets.getOne }).getByRole("button");
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    const installed = await boxOf(tile);
    const icon = await boxOf(tile.locator("img, svg").first());
    for (const one of await others.all()) {
      const other = await boxOf(one);
      expect(installed.y + installed.height).toBeLessThan(other.y);
      expect(installed.width).toBeGreaterThan(other.width);
      expect(installed.width * installed.height).toBeGreaterThan(1.5 * other.width * other.height);
      expect(icon.width).toBeGreaterThan((await boxOf(one.locator("img"))).width);
    }
  }
});

test("check 8: without any wallet the selector asks “Don't have a wallet?”", async ({ page, network }) => {
  await removeWallets(page);
  await open(page, network.url("lobo"));
  await connectButton(page).click();
  const dialog = page.getByRole("dialog", { name: "Don't have a wallet?" });
  await expect(dialog.getByText(later.wallets.explainer)).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Install Xverse" })).toHaveAttribute("target", "_blank");
  expect(await listed(page)).toEqual(["Xverse: Get", ...others, "Unisat: Get"]);
});

const devices = [
  {
    name: "Chrome",
    agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
    store: later.wallets.stores.chrome,
    url: "https://chromewebstore.google.com/detail/xverse-wallet/idnnbdplmphpflfnlkomgpfbpcgelopg",
  },
  {
    name: "Firefox",
    agent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    store: later.wallets.stores.mozilla,
    url: "https://addons.mozilla.org/firefox/addon/example/",
  },
  {
    name: "Android",
    agent:
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36",
    store: "Google Play",
    url: "https://play.google.com/store/apps/details?id=com.secretkeylabs.xverse",
  },
  {
    name: "iOS",
    agent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
      "Version/19.0 Mobile/15E148 Safari/604.1",
    store: "the App Store",
    url: "https://apps.apple.com/app/xverse-bitcoin-web3-wallet/id1552272513",
  },
];

test("check 9: shows the store's link of each browser and system", async ({ network, browser }) => {
  for (const { name, agent, store, url } of devices) {
    await test.step(name, async () => {
      const { page, close } = await openWith(browser, agent);
      // No known wallet has an add-on for Firefox, so this one is given one.
      await inject(page, () => {
        const mozillaAddOnsUrl = "https://addons.mozilla.org/firefox/addon/example/";
        (window as any).btc_providers = [
          { id: "XverseProviders.BitcoinProvider", name: "Xverse", icon: "", mozillaAddOnsUrl },
        ];
      });
      await open(page, network.url("lobo"));
      await connectButton(page).click();
      await wallets(page).filter({ hasText: "Xverse" }).click();
      await expect(page.getByText(`Don't have Xverse? Download it on ${store}`)).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole("link", { name: /^Get Xverse/ })).toHaveAttribute("href", url);
      await close();
    });
  }
});

/** Opens a page and waits for the app: a click before that does nothing. */
async function open(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.locator("#root[data-app]")).toBeAttached();
}

async function openWith(browser: Browser, userAgent: string): Promise<{ page: Page; close: () => Promise<void> }> {
  const context = await browser.newContext({ userAgent, viewport: { width: 390, height: 844 } });
  return { page: await context.newPage(), close: () => context.close() };
}

test("check 10: a chosen wallet shows “Opening X...” and “Confirm the operation in X”", async ({
  page,
  staker,
}) => {
  await staker.open();
  await connectButton(page).click();
  await wallets(page).filter({ hasText: "Moon Dev Wallet" }).click();
  await expect(selector(page).getByText(later.wallets.opening("Moon Dev Wallet"))).toBeVisible();
  await expect(selector(page).getByText("Confirm the operation in Moon Dev Wallet")).toBeVisible();
});

test("check 11: a rejection stores no provider, shows the reason and allows a retry", async ({ page, staker }) => {
  await staker.open();
  await connectButton(page).click();
  await wallets(page).filter({ hasText: "Moon Dev Wallet" }).click();
  await staker.answer("Let this site see your account?", "Reject");
  await expect(selector(page).getByRole("alert")).toContainText(walletErrors.connectionRefused);
  expect(await stored(page)).toBe(0);
  await selector(page).getByRole("button", { name: "Retry" }).click();
  await staker.answer("Let this site see your account?", "Connect");
  await expect(selector(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
});

test("stops waiting for a silent wallet after a minute and offers a retry", async ({ page, staker }) => {
  await page.clock.install();
  await staker.open();
  await page.evaluate(() => (window as any).MoonDevWallet.control.misbehave({ silent: true }));
  await connectButton(page).click();
  await wallets(page).filter({ hasText: "Moon Dev Wallet" }).click();
  await expect(selector(page).getByText(later.wallets.opening("Moon Dev Wallet"))).toBeVisible();
  await page.clock.fastForward(61_000);
  await expect(selector(page).getByRole("alert")).toHaveText(
    later.wallets.noAnswer("Moon Dev Wallet"),
  );
  expect(await stored(page)).toBe(0);
  await page.evaluate(() => (window as any).MoonDevWallet.control.misbehave({ silent: false }));
  await selector(page).getByRole("button", { name: "Retry" }).click();
  await staker.answer("Let this site see your account?", "Connect");
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
});

test("check 12: reports a wallet without an ordinals address, and stores nothing", async ({ page, staker }) => {
  await inject(page, () => {
    const payment = {
      address: "bcrt1qpay",
      publicKey: "02aa",
      purpose: "payment",
      addressType: "p2wpkh",
      walletType: "software",
    };
    const result = (method: string) => (method === "getAccounts" ? [payment] : true);
    (window as any).PaymentOnly = {
      request: async (method: string) => ({ jsonrpc: "2.0", id: "1", result: result(method) }),
    };
    (window as any).btc_providers = [{ id: "PaymentOnly", name: "Payment Only", icon: "" }];
  });
  await staker.open();
  await connectButton(page).click();
  await wallets(page).filter({ hasText: "Payment Only" }).click();
  await expect(selector(page).getByRole("alert")).toContainText(walletErrors.incompatible);
  expect(await stored(page)).toBe(0);
});

test("the selector is a 740 px card that fades in, a bottom sheet on phones, and static with reduced motion", async ({
  page,
  staker,
}) => {
  await staker.open();
  await connectButton(page).click();
  const box = async () => (await selector(page).boundingBox())!;
  const fade = () =>
    selector(page).evaluate(
      (dialog) => `${getComputedStyle(dialog).animationName} ${getComputedStyle(dialog).animationDuration}`,
    );
  expect((await box()).width).toBe(740);
  expect(await fade()).toBe("fade 0.4s");
  for (const tile of await wallets(page).all()) expect((await tile.boundingBox())!.width).toBeGreaterThanOrEqual(100);

  await page.setViewportSize({ width: 390, height: 844 });
  const sheet = await box();
  expect(sheet).toMatchObject({ x: 0, width: 390 });
  expect(sheet.y + sheet.height).toBe(844);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await fade()).toContain("none");
});
