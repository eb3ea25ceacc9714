import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, expect, type BrowserContext, type Page } from "@playwright/test";

/** Mnemonic of the test wallet: the public BIP-39 test words. */
const PASSWORD = "Correct-Horse-99";
const WORDS = [...Array<string>(11).fill("abandon"), "about"];
/** Maximum wait for a popup of the wallet, and for the next one. */
const OPENS_MS = 15_000;
const NEXT_MS = 3_000;

/** Chromium with the Unisat extension loaded from a folder, and functions that answer its popups. */
export class Extension {
  private constructor(
    readonly context: BrowserContext,
    /** Derived from the folder's path. */
    readonly id: string,
    readonly profile: string,
  ) {}

  /** Maps every host name except localhost to the backend's port. */
  static async open(folder: string, backend: number, executablePath: string | undefined): Promise<Extension> {
    const profile = await mkdtemp(join(tmpdir(), "moonfund-unisat-"));
    const context = await chromium.launchPersistentContext(profile, {
      ...(executablePath ? { executablePath } : {}),
      locale: "en-US",
      viewport: { width: 1280, height: 1000 },
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-features=DisableLoadExtensionCommandLineSwitch",
        `--disable-extensions-except=${folder}`,
        `--load-extension=${folder}`,
        `--host-resolver-rules=MAP * 127.0.0.1:${backend}, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1`,
        "--ignore-certificate-errors",
        // Unisat opens its popup at the right edge of the screen; on headless Chromium's own, small screen it never
        // opens.
        "--screen-info={1920x1200}",
      ],
    });
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));
    return new Extension(context, new URL(worker.url()).host, profile);
  }

  async close(): Promise<void> {
    await this.context.close();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** The wallet's own page. */
  async #own(route = ""): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`chrome-extension://${this.id}/index.html${route && `#/${route}`}`);
    return page;
  }

  /**
   * Restores the test wallet with a taproot address. `balancesRead` resolves once the wallet has read its addresses'
   * balances: it then selects a type of address by itself.
   */
  async onboard(balancesRead: () => Promise<void>): Promise<void> {
    const page = await this.#own();
    await page.getByText("I already have a wallet").click();
    const passwords = page.locator('input[type="password"]');
    await passwords.nth(1).waitFor();
    for (const i of [0, 1]) await passwords.nth(i).fill(PASSWORD);
    await page.getByText("Continue", { exact: true }).click();
    await page.getByText("UniSat Wallet", { exact: true }).click();
    const words = page.locator("input");
    await expect(words.nth(WORDS.length - 1)).toBeVisible();
    const first = (await words.count()) - WORDS.length;
    for (const [i, word] of WORDS.entries()) await words.nth(first + i).fill(word);
    await page.getByText("Continue", { exact: true }).click();
    const taproot = page.getByText(/Taproot/).first();
    await taproot.waitFor();
    await balancesRead();
    await taproot.click();
    await page.getByText("Continue", { exact: true }).click();
    await page.getByText("Receive", { exact: true }).first().waitFor();
    await page.close();
  }

  /** Ends the connection with a site in the wallet's list of sites. */
  async revoke(origin: string): Promise<void> {
    const page = await this.#own("connected-sites");
    const site = page.getByText(origin, { exact: true });
    // The last icon of the row, which has no name or label.
    await site.locator("xpath=ancestor::div[@class='row-container'][2]/div[last()]/div/div").click();
    await expect(site).toHaveCount(0);
    await page.close();
  }

  async lock(): Promise<void> {
    const page = await this.#own("settings");
    await page.getByText("Lock Immediately").click();
    await page.getByText("Unlock", { exact: true }).waitFor();
    await page.close();
  }

  /** Chooses the type of the wallet's address, by the start of its name. */
  async addressType(name: string): Promise<void> {
    const page = await this.#own("settings/address-type");
    await page.getByText(new RegExp(`^${name}`)).first().click();
    await page.getByText("Receive", { exact: true }).first().waitFor();
    await page.close();
  }

  /** Adds an account to the wallet, which selects it. */
  async addAccount(): Promise<void> {
    const page = await this.#own("account/create");
    await page.getByTestId("create-account-confirm-button").click();
    await page.getByText("Receive", { exact: true }).first().waitFor();
    await page.close();
  }

  popup(): Page | undefined {
    return this.context.pages().find((page) => page.url().includes("notification.html"));
  }

  /**
   * Answers the wallet's popups until none is open: enters the password if requested, otherwise presses the matching
   * button. Returns the text of each popup.
   */
  async answer(button: RegExp): Promise<string[]> {
    const read: string[] = [];
    for (let popup = await this.#next(OPENS_MS); popup; popup = await this.#next(NEXT_MS)) {
      read.push(await press(popup, button));
      expect(read.length, `the popups don't end: ${read.join("\n")}`).toBeLessThan(5);
    }
    expect(read, "no popup was opened").not.toEqual([]);
    return read;
  }

  async #next(ms: number): Promise<Page | undefined> {
    await expect
      .poll(() => this.popup() !== undefined, { timeout: ms })
      .toBe(true)
      .catch(() => {});
    return this.popup();
  }
}

/** Presses until the popup is closed: its buttons do nothing for a second or two after it opens. */
async function press(popup: Page, button: RegExp): Promise<string> {
  let words = "";
  await expect(async () => {
    if (popup.isClosed()) return;
    const password = popup.locator('input[type="password"]');
    const target = popup.getByText(button).last();
    await expect(password.or(target).first()).toBeVisible();
    words = (await popup.locator("body").innerText()).replace(/\n+/g, " | ");
    const closed = popup.waitForEvent("close", { timeout: 2_500 });
    closed.catch(() => {});
    if (await password.count()) {
      await password.fill(PASSWORD);
      await popup.getByText("Unlock", { exact: true }).click({ timeout: 2_000 });
    } else {
      await target.click({ timeout: 2_000 });
    }
    await closed;
  }).toPass({ timeout: 30_000 });
  return words;
}
