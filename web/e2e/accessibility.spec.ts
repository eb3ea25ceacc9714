import { alter, withLongFigures } from "./alter.ts";
import { pressByKeyboard } from "./keyboard.ts";
import { checkLayout, overflows, violations } from "./layout.ts";
import type { Staker } from "./staker.ts";
import { expect, test } from "./test.ts";
import { tours } from "./tours.ts";
import { later } from "../src/lib/text/en.later.ts";

test.describe("check 38: axe finds no violation", () => {
  for (const [tour, go] of Object.entries(tours)) {
    test(`in any screen of ${tour}, and nothing overflows at 320 to 1440 px`, async ({ page, staker, network }) => {
      test.setTimeout(240_000);
      await go({ page, staker, network, inspect: (name) => checkLayout(page, name) });
    });
  }
});

/** The largest figures: the maximum supply of a rune, in base units. */
const ALL = "2099999999999999";

test("check 37: at 320 px nothing scrolls sideways and no figure overflows", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await alter(page, "infoGlobals", (data) => ({
    ...Object.fromEntries(Object.keys(data).map((key) => [key, ALL])),
    epoch: 123_456,
    end_next_epoch_UTC: data.end_next_epoch_UTC,
    frontNotice: data.frontNotice,
  }));
  await alter(page, "postInfoWallet", (data) =>
    Object.fromEntries(Object.keys(data).map((key) => [key, key === "wallet_share" ? "0.99999999" : ALL])),
  );
  await alter(page, "fetchWalletUtxos", ({ utxos_list }) => ({
    utxos_list: ["PENDING_STAKE", "STAKED", "UNLOCKED", "PENDING_UNLOCK"].map((ru_stage, i) => ({
      ...utxos_list[0], ru_stage, ru_rutxo_id: `unit-${i}`, ru_rune_amount: ALL, timeout: "2027-01-01T00:00:00Z",
    })),
  }));
  await page.setViewportSize({ width: 320, height: 700 });
  await activeStaker.open();
  await expect(activeStaker.figure("Your stake")).toHaveText(/21M|20\.99M|20,999,999/);
  for (const tab of ["Stake", "Rewards", "Unstake", "Withdraw"] as const) {
    await activeStaker.tab(tab);
    expect.soft(await overflows(page), tab).toEqual([]);
  }
  // German words are longer.
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.locator("#root[data-app]")).toBeAttached();
  for (const name of ["Staken", "Rewards", "Unstaken", "Auszahlen"]) {
    await page.getByRole("tab", { name, exact: true }).click();
    await expect(page.getByRole("tabpanel").locator(".skeleton")).toHaveCount(0);
    expect.soft(await overflows(page), name).toEqual([]);
  }
});

test("the three figures of a phone fit with decimals", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await withLongFigures(page);
  for (const width of [390, 412]) {
    await page.setViewportSize({ width, height: 844 });
    await activeStaker.open();
    await expect(activeStaker.figure("Your stake")).toHaveText(/^508,765\.43/);
    expect.soft(await overflows(page), `${width} px`).toEqual([]);
  }
});

/** Half as many CSS pixels per screen, as at a zoom of 200 % in a browser. */
test("at 200 % zoom everything is visible and fits", async ({ browser, storedSession, network }) => {
  const context = await browser.newContext({
    storageState: storedSession,
    viewport: { width: 640, height: 450 },
    deviceScaleFactor: 2,
  });
  const page = await context.newPage();
  await page.goto(network.url("lobo"));
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  for (const name of ["Stake", "Rewards", "Unstake", "Withdraw"]) {
    await page.getByRole("tab", { name, exact: true }).click();
    expect.soft(await overflows(page), name).toEqual([]);
  }
  await context.close();
});

test("with only the text at 200 % nothing is cut off", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await page.setViewportSize({ width: 1280, height: 900 });
  await activeStaker.open();
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
  for (const name of ["Stake", "Rewards", "Unstake", "Withdraw"] as const) {
    await activeStaker.tab(name);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect.soft(over, name).toBe(0);
  }
});

test("with forced colours controls keep their border and selections are visible", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await page.emulateMedia({ forcedColors: "active" });
  await activeStaker.open();
  const tab = await activeStaker.tab("Unstake");
  await expect(tab.getByRole("listitem").first()).toBeVisible();
  const unlabelled = await page.getByRole("button").evaluateAll((buttons) =>
    buttons.filter((button) => getComputedStyle(button).borderStyle === "none").map((button) => button.textContent),
  );
  expect(unlabelled.filter((name) => name && !name.startsWith("bcrt1") && !name.includes("Download"))).toEqual([]);
  const styleOf = (name: string) => page.getByRole("tab", { name, exact: true }).evaluate((one) => {
    const { backgroundColor, outlineStyle, borderColor, color } = getComputedStyle(one);
    return [backgroundColor, outlineStyle, borderColor, color].join();
  });
  expect(await styleOf("Unstake")).not.toBe(await styleOf("Stake"));
  // The browser uses the system's colours here, which axe cannot read.
  expect((await violations(page)).filter((one) => !one.startsWith("color-contrast"))).toEqual([]);
});

test("animates nothing with reduced motion", async ({ page, staker }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await staker.open();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  const moving = await page.evaluate(
    () =>
      document
        .getAnimations()
        .flatMap((one) => (one.effect as KeyframeEffect).getKeyframes())
        .filter((frame) => frame["transform"] && frame["transform"] !== "none").length,
  );
  expect(moving).toBe(0);
});

test("stakes, claims and pays with the keyboard only", async ({ page, staker, network }) => {
  await staker.open();
  await page.evaluate(() =>
    (window as any).MoonDevWallet.control.faucet({ sats: 1_000_000, runes: "100000000000000" }),
  );
  await network.mine();
  const confirm = async (question: string) => {
    await page.getByRole("dialog", { name: question }).waitFor();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog", { name: question })).toBeHidden();
  };
  await pressByKeyboard(page, "Connect");
  await pressByKeyboard(page, /Moon Dev Wallet/);
  await confirm("Let this site see your account?");
  await expect(page.getByRole("button", { name: "Disconnect" })).toBeVisible();
  await expect(page.getByTestId("balance")).toHaveText("1,000,000");
  await pressByKeyboard(page, "Half");
  await pressByKeyboard(page, /^Stake 500,000/);
  await confirm("Sign this message?");
  await confirm("Sign this transaction?"); // the rehearsal
  await confirm("Send runes?");
  await expect(page.getByText(/^Broadcasted tx id : /)).toBeVisible();
  await network.mine(3);
  await network.advanceEpoch();
  await network.advanceEpoch();
  await expect(staker.figure("Claimable rewards")).toHaveText(/[1-9]/);
  await page.getByRole("tab", { name: "Stake", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await pressByKeyboard(page, /^Claim$/);
  await pressByKeyboard(page, "Continue to payment");
  await confirm("Sign this message?");
  await expect(staker.order.dialog).toBeVisible();
  await pressByKeyboard(page, later.order.payWallet);
  await confirm("Send bitcoin?");
  await expect(staker.order.dialog.getByText(later.order.completeUnconfirmed)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(staker.order.dialog).toBeHidden();
  await expect(page.locator(":focus")).not.toHaveCount(0);
  await focusIsVisible(staker);
});

/** The focused element must be visible. */
async function focusIsVisible({ page }: Staker): Promise<void> {
  await page.keyboard.press("Tab");
  const outline = await page.locator(":focus").evaluate((one) => getComputedStyle(one).outlineStyle);
  expect(outline).not.toBe("none");
}
