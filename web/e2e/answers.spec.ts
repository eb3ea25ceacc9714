import type { Page, Route } from "@playwright/test";
import { alter, pathOf, withoutFigures } from "./alter.ts";
import type { Staker } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";

/** The calls that the dashboard makes by itself for a staker with an open order. */
const calls = [
  "infoGlobals",
  "status",
  "community",
  "epochs",
  "postInfoWallet",
  "fetchWalletUtxos",
  "fetchClientPOs",
  "fetchPOTxHistory",
  "activity",
];

const json = (body: string) => (route: Route) => route.fulfill({ contentType: "application/json", body });

/** Every kind of malformed response, with the sentence that the Unstake list then shows. */
const wrong: Record<string, { answer: (route: Route) => Promise<void>; says: string | RegExp }> = {
  "nothing at all": { answer: (route) => route.abort(), says: text.http.unreachable },
  "a null body": { answer: json("null"), says: text.http.nullBody },
  "an empty body": { answer: json(""), says: text.http.nullBody },
  "no data": { answer: json('{"success":true,"message":"","data":null}'), says: text.http.nullBody },
  "a refusal with a reason": {
    answer: json('{"success":false,"message":"The moon is full.","data":null}'),
    says: "The moon is full.",
  },
  "a refusal without one": {
    answer: json('{"success":false,"message":"","data":null}'),
    says: text.action.unexpected("fetchWalletUtxos"),
  },
  "a page instead of JSON": {
    answer: (route) => route.fulfill({ contentType: "text/html", body: "<html><h1>Gateway</h1></html>" }),
    says: text.http.nullBody,
  },
  "half of an answer": {
    answer: json('{"success":true,"message":"","data":{"utxos_list":[{"ru_rut'),
    says: text.http.nullBody,
  },
  "status 500": {
    answer: (route) => route.fulfill({ status: 500, body: "stack trace" }),
    says: text.http.internal,
  },
  "status 404": { answer: (route) => route.fulfill({ status: 404, body: "" }), says: text.http.notFound },
  "an empty object": {
    answer: json('{"success":true,"message":"","data":{}}'),
    says: text.action.unexpected("fetchWalletUtxos"),
  },
  "a list where an object belongs": {
    answer: json('{"success":true,"message":"","data":[1,"two",null]}'),
    says: text.action.unexpected("fetchWalletUtxos"),
  },
};

/** The page is usable: every tab opens, no error page is shown, and the messages are readable sentences. */
async function expectUsable(staker: Staker): Promise<void> {
  const { page } = staker;
  for (const name of ["Stake", "Rewards", "Withdraw", "Unstake"] as const) await staker.tab(name);
  await expect(page.getByText(text.pages.error)).toHaveCount(0);
  const messages = (await page.getByRole("alert").allTextContents()).join(" ");
  expect(messages).not.toMatch(/undefined|TypeError|SyntaxError|Cannot|not a function|BigInt|JSON|stack trace/);
}

for (const [name, { answer, says }] of Object.entries(wrong)) {
  test(`stays usable and shows an error after ${name}`, async ({ activeStaker }) => {
    const { page } = activeStaker;
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    await withoutFigures(page);
    for (const call of calls) await page.route(pathOf(call), answer);
    await page.goto(`${activeStaker.address}/?tab=unstake`);
    await expect(page.getByRole("tabpanel").getByText(says).first()).toBeVisible();
    await expectUsable(activeStaker);
    expect(errors).toEqual([]);
    // The page recovers when the server does.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    // The page polls while its stream is cut, so a poll may replace the button before the click.
    const again = page.getByRole("tabpanel").getByRole("button", { name: "Try again" });
    await expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 500 });
      await expect(page.getByRole("tabpanel").getByText(/^500,000/).first()).toBeVisible({ timeout: 2_000 });
    }).toPass();
  });
}

/** Implausible numbers and invalid dates. */
const absurd = ["-1", "99999999999999999999999999999999", "0", "1.5", "NaN", "0x10", ""];

test("stays usable with absurd numbers and dates", async ({ activeStaker }) => {
  const { page } = activeStaker;
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await withoutFigures(page);
  let number = "";
  let date = "";
  await alter(page, "infoGlobals", (data) => ({
    ...Object.fromEntries(Object.keys(data).map((key) => [key, number])),
    end_next_epoch_UTC: date,
    epoch: data.epoch,
    frontNotice: data.frontNotice,
  }));
  await alter(page, "postInfoWallet", (data) => Object.fromEntries(Object.keys(data).map((key) => [key, number])));
  await alter(page, "fetchWalletUtxos", ({ utxos_list }) => ({
    utxos_list: utxos_list.map((unit: object) => ({
      ...unit,
      ru_rune_amount: number,
      timeout: date,
      eligible_epoch: -1,
    })),
  }));
  await alter(page, "status", (data) => ({ ...data, time: date }));
  const dates = [
    "9999-12-31T23:59:59Z",
    "+275760-09-13T00:00:01Z",
    "1970-01-01T00:00:00Z",
    "yesterday",
    "2026-02-30T25:61:00Z",
    "0000-00-00",
    "",
  ];
  for (const [i, one] of absurd.entries()) {
    [number, date] = [one, dates[i]!];
    await page.goto(`${activeStaker.address}/?tab=unstake`);
    await expect(page.getByRole("timer").first()).toBeVisible();
    await expectUsable(activeStaker);
    await expect(page.getByText(/NaN|Invalid Date|undefined/), `${one}, ${date}`).toHaveCount(0);
  }
  expect(errors).toEqual([]);
});

test("empty lists say what they will contain, or are not there", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await alter(page, "fetchWalletUtxos", () => ({ utxos_list: [] }));
  await alter(page, "fetchClientPOs", () => ({ orders: [] }));
  await alter(page, "epochs", () => ({ epochs: [] }));
  await activeStaker.open();
  await expect((await activeStaker.tab("Unstake")).getByText(text.unstake.empty)).toBeVisible();
  await expect((await activeStaker.tab("Withdraw")).getByText(text.withdraw.empty)).toBeVisible();
  const rewards = await activeStaker.tab("Rewards");
  await expect(rewards.getByText(text.rewards.claimable)).toBeVisible();
  for (const name of [text.rewards.orders, text.rewards.perEpoch])
    await expect(page.getByRole("heading", { name })).toHaveCount(0);
});

test("lists 5,000 units while scrolling, selects them at once, and limits an order", async ({
  activeStaker,
}) => {
  const { page } = activeStaker;
  const unlocked = (unit: object) => (_: unknown, i: number) => ({
    ...unit,
    ru_stage: "UNLOCKED",
    ru_rutxo_id: `UNLOCKED-${i}`,
    ru_rune_amount: String((i + 1) * 100_000_000),
    custody_kind: "operator", // fewer fit in one order in self-custody
  });
  await alter(page, "fetchWalletUtxos", ({ utxos_list: [unit] }) => ({
    utxos_list: Array.from({ length: 5_000 }, unlocked(unit)),
  }));
  await activeStaker.open();
  const tab = await activeStaker.tab("Withdraw");
  const rows = tab.getByRole("listitem");
  await expect(rows.first()).toBeVisible();
  expect(await rows.count()).toBeLessThan(60);
  await tab.getByRole("checkbox", { name: "Select all" }).check();
  await expect(tab.getByText(/^5,?000 selected, 12,502,500 LOBO/)).toBeVisible();
  await expect(tab.getByText(text.withdraw.tooMany(150))).toBeVisible();
  await expect(tab.getByRole("button", { name: "Withdraw", exact: true })).toBeDisabled();
  // A row in the middle is rendered when it is scrolled into view, is selected by select-all, and keeps its own
  // changes.
  const list = tab.getByRole("list");
  const toTheMiddle = () =>
    list.evaluate((all) => {
      const top = all.getBoundingClientRect().top + all.clientHeight / 2;
      window.scrollBy({ top, behavior: "instant" });
    });
  await toTheMiddle();
  const middle = tab.locator('[role=listitem][aria-posinset="2500"]').getByRole("checkbox");
  await expect(middle).toBeChecked();
  await expect(tab.getByRole("button", { name: "Withdraw", exact: true })).toBeInViewport();
  await middle.uncheck();
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
  await expect(tab.getByText(/^4,?999 selected/)).toBeVisible();
  await toTheMiddle();
  await expect(middle).not.toBeChecked();
  await tab.getByRole("button", { name: "Reset" }).click();
  await expect(tab.getByText("Nothing selected")).toBeVisible();
});

test("ignores invalid events and a stream that breaks off", async ({ activeStaker }) => {
  const { page } = activeStaker;
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const invalid = ['{"scope":', "null", '{"scope":"<b>"}'].map((data) => `event: changed\ndata: ${data}\n\n`).join("");
  const body = `${invalid}data: lost\n\nevent: chan`;
  await page.route(pathOf("events"), (route) => route.fulfill({ contentType: "text/event-stream", body }));
  await activeStaker.open();
  await expect((await activeStaker.tab("Unstake")).getByText(/^500,000/).first()).toBeVisible();
  await expectUsable(activeStaker);
  expect(errors).toEqual([]);
});

const hostile = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>\u202E$&';

/** Makes the strings of the given keys hostile: every free text that the page shows, no number, date or enum. */
function replaceTexts(value: unknown, keys: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one, keys));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      typeof one === "string" && keys.has(key) ? hostile : replaceTexts(one, keys),
    ]),
  );
}

test("shows hostile strings from the server as text everywhere", async ({ activeStaker }) => {
  const { page } = activeStaker;
  await (await activeStaker.openClaim()).close();
  await withoutFigures(page);
  const texts = new Set([
    "frontNotice",
    "name",
    "token",
    "symbol",
    "collection",
    "description",
    "front_notice",
    "learn_more",
    "explorer_tx",
    "contact",
    "image",
    "po_order_id",
    "po_payment_address",
    "po_payout_txid",
    "txid",
    "ru_txid",
    "rune_name",
  ]);
  for (const call of ["infoGlobals", "community", "fetchWalletUtxos", "fetchClientPOs"])
    await alter(page, call, (data) => replaceTexts(data, texts));
  await activeStaker.open();
  await expect(page.getByText(hostile).first()).toBeVisible();
  await expectUsable(activeStaker);
  const rewards = await activeStaker.tab("Rewards");
  await rewards.getByRole("region", { name: text.rewards.orders }).waitFor();
  await refused(page, "postAction", hostile, async () => {
    const tab = await activeStaker.tab("Unstake");
    await tab.getByRole("checkbox", { name: "Select all" }).check();
    await activeStaker.unstake(tab);
    await expect(tab.getByRole("alert")).toContainText(hostile);
  });
  expect(await page.evaluate(() => (window as any).broken)).toBeUndefined();
  expect(await page.locator("img[src=x]").count()).toBe(0);
});

/** Refuses a call with this sentence while `action` runs. */
async function refused(page: Page, call: string, message: string, action: () => Promise<void>): Promise<void> {
  await page.route(pathOf(call), (route) => route.fulfill({ json: { success: false, message, data: null } }));
  await action();
  await page.unroute(pathOf(call));
}

test("shows failures of an estimate, an order and a stake address where they were requested", async ({
  activeStaker,
}) => {
  const { page } = activeStaker;
  await activeStaker.openWithReward();
  await page.route(pathOf("estimateAction"), json('{"success":true,"message":"","data":{"fees":{"total":"many"}}}'));
  const rewards = await activeStaker.tab("Rewards");
  await rewards.getByRole("button", { name: "Claim", exact: true }).click();
  const costs = page.getByRole("dialog", { name: "Claim rewards" });
  await expect(costs.getByRole("alert")).toContainText(text.action.unexpected("estimateAction"));
  await expect(costs.getByRole("button", { name: "Continue to payment" })).toBeDisabled();
  await page.unroute(pathOf("estimateAction"));
  await costs.getByRole("button", { name: "Try again" }).click();
  await page.route(pathOf("signWalletAction"), json("<html>"));
  await costs.getByRole("button", { name: "Continue to payment" }).click();
  await expect(costs.getByText(text.http.nullBody)).toBeVisible();
  await page.unroute(pathOf("signWalletAction"));
  await page.keyboard.press("Escape");

  await page.route(pathOf("postDemoStake"), (route) => route.fulfill({ status: 500, body: "" }));
  const stake = await activeStaker.stakeHalf();
  await expect(stake.getByRole("alert")).toContainText(text.http.internal);
  await expect(stake.getByRole("button", { name: "Try again" })).toBeVisible();
});
