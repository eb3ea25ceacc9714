import type { Locator, Page } from "@playwright/test";
import type { Network } from "./network.ts";
import { checkLayout, deadPlaces } from "./layout.ts";
import { expect, inCheck, test } from "./test.ts";
import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";
import { etching } from "../src/lib/text/en.etching.ts";

test.use({ networkName: "etching" });

/** The page "Etch and mint", with a filled wallet that confirms everything. */
class EtchPage {
  constructor(
    readonly page: Page,
    readonly network: Network,
  ) {}

  get order(): Locator {
    return this.page.getByRole("region", { name: "Your order" });
  }

  get state(): Locator {
    return this.order.getByTestId("etching-state");
  }

  field(label: string): Locator {
    return this.page.getByLabel(label, { exact: true });
  }

  async etch(name: string, premine: string, each: string): Promise<void> {
    await this.field(etching.name).fill(name);
    await this.field("Symbol").fill("🐺");
    await this.field("Decimals").fill("2");
    await this.field("Premine").fill(premine);
    await this.field("Runes per mint").fill(each);
    await this.field("Number of mints").fill("100");
    await this.submit("Etch");
  }

  async mint(name: string, repeats: number): Promise<void> {
    await this.page.getByRole("tab", { name: "Mint", exact: true }).click();
    await this.field(etching.name).fill(name);
    await this.field(etching.repeats).fill(String(repeats));
    await this.submit("Mint");
  }

  async submit(label: string): Promise<void> {
    await this.page.getByRole("tabpanel").getByRole("button", { name: label, exact: true }).click();
    await expect(this.order).toBeVisible();
  }

  async another(): Promise<void> {
    await this.order.getByRole("button", { name: etching.another }).click();
  }

  /** Mines blocks one by one, so that the service can act after each. */
  async mine(blocks: number): Promise<void> {
    for (let n = 0; n < blocks; n++) await this.network.mine();
  }

  /** The transactions of one role in the order's list. */
  async txids(role: string): Promise<string[]> {
    const rows = this.order
      .getByRole("region", { name: "Transactions" })
      .getByRole("listitem")
      .filter({ hasText: role });
    return (await rows.getByRole("link").allTextContents()).map((text) => /[0-9a-f]{64}/.exec(text)![0]);
  }

  /** Mines a block without some of the pending transactions. */
  async mineWithout(txids: string[]): Promise<void> {
    const data = { blocks: 1, without: txids };
    const answer = await this.page.request.post(`http://127.0.0.1:${this.network.port}/dev/mine`, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
  }

  /** Base units of a rune on an address. */
  async held(address: string, rune: string): Promise<bigint> {
    const runes = (await this.network.utxos(address)).flatMap((utxo) => utxo.runes);
    return runes.filter((one) => one.rune_id === rune).reduce((sum, one) => sum + BigInt(one.amount), 0n);
  }

  async runeId(): Promise<string> {
    return /\d+:\d+/.exec((await this.order.getByText(/^The rune's ID is /).textContent())!)![0];
  }
}

async function arrive(
  page: Page,
  network: Network,
  staker: { connect(): Promise<void>; trustPage(): Promise<void>; faucet(): Promise<void> },
) {
  await page.goto(`${network.url("lobo")}/etch`);
  await staker.connect();
  await staker.trustPage();
  await staker.faucet();
  return new EtchPage(page, network);
}

test("etches and mints by an order, through a reorg of three blocks", async ({
  page,
  network,
  staker,
}) => {
  const etchPage = await arrive(page, network, staker);
  const { ordinals } = await staker.addresses();
  await etchPage.field(etching.name).fill("wolves at the door");
  const preview = page.getByRole("region", { name: etching.preview });
  await expect(preview).toContainText("WOLVES•AT•THE•DOOR");
  await etchPage.field(etching.name).fill("");
  await etchPage.field("Premine").fill("1000");
  await etchPage.field("Runes per mint").fill("12.5");
  await expect(page.getByText(etching.needName)).toBeVisible();
  await etchPage.field("Decimals").fill("2");
  await etchPage.field("Number of mints").fill("100");
  await etchPage.field(etching.name).fill("wolves at the door");
  await expect(preview).toContainText("2,250"); // 1,000 and 100 × 12.5
  const costs = page.getByLabel(later.fees.title).getByRole("definition");
  await expect(costs.last()).toContainText("sats");
  const items = (await costs.allTextContents()).map((text) => Number(text.replace(/\D/g, "")));
  expect(items.pop()).toBe(items.reduce((sum, item) => sum + item, 0));

  await checkLayout(page, "the form of an etching");

  await etchPage.etch("wolves at the door", "1000", "12.5");
  await expect(etchPage.state).toHaveText(etching.states.pending);
  await network.mine();
  await expect(etchPage.state).toHaveText(etching.states.executing);
  await etchPage.mine(4);
  await expect(etchPage.order.getByRole("listitem").filter({ hasText: etching.stepRipe })).toContainText("4 of 5");
  await network.reorg(3);
  await etchPage.mine(5);
  await expect(etchPage.state).toHaveText("Done. The runes are at your ordinals address.");
  const rune = await etchPage.runeId();
  expect(await etchPage.held(ordinals, rune)).toBe(100_000n);
  await page.reload();
  await expect(etchPage.state).toHaveText("Done. The runes are at your ordinals address.");
  await checkLayout(page, "an order that is complete");
  await expect(etchPage.order.getByRole("link").first()).toHaveAttribute("href", /^(https?:|\/)/);
  const transactions = etchPage.order.getByRole("region", { name: etching.transactions }).getByRole("listitem");
  expect(await deadPlaces(transactions)).toEqual([]);

  await etchPage.another();
  await etchPage.mint("wolvesatthedoor", 3);
  await network.mine();
  await network.reorg(3);
  await etchPage.mine(2);
  await expect(etchPage.state).toHaveText("Done. The runes are at your ordinals address.");
  expect(await etchPage.held(ordinals, rune)).toBe(100_000n + 3n * 1_250n);
});

test("replaces a stuck mint by one at a higher fee rate", inCheck, async ({ page, network, staker }) => {
  const etchPage = await arrive(page, network, staker);
  const { ordinals } = await staker.addresses();
  await etchPage.etch("fast wolves in deep snow", "5", "1");
  await etchPage.mine(8);
  await expect(etchPage.state).toHaveText("Done. The runes are at your ordinals address.");
  const rune = await etchPage.runeId();
  await etchPage.another();
  await etchPage.mint("fast wolves in deep snow", 1);
  await network.mine();
  await expect(etchPage.state).toHaveText(etching.states.executing);
  await expect.poll(() => etchPage.txids("Mint")).toHaveLength(1);
  const pendingMints = await etchPage.txids("Mint");
  await etchPage.mineWithout(pendingMints);
  await etchPage.order.getByText(etching.faster).click();
  await etchPage.field("New fee rate (sat/vB)").fill("2.1");
  await etchPage.order.getByRole("button", { name: etching.askCost }).click();
  await expect(etchPage.order.getByText(/newFeeRate must be at least 2.99/)).toBeVisible();
  await etchPage.field("New fee rate (sat/vB)").fill("25");
  await etchPage.order.getByRole("button", { name: etching.askCost }).click();
  await etchPage.order.getByRole("button", { name: /^Pay [\d,]+ sats$/ }).click();
  await expect(etchPage.order.getByText(etching.fasterPaid)).toBeVisible();
  await etchPage.mineWithout(pendingMints);
  await expect.poll(() => etchPage.txids("Mint")).not.toEqual(pendingMints);
  await network.mine();
  await expect(etchPage.state).toHaveText("Done. The runes are at your ordinals address.");
  expect(await etchPage.txids("Mint")).not.toContain(pendingMints[0]);
  expect(await etchPage.held(ordinals, rune)).toBe(500n + 100n);
});

test("etches with the wallet's own methods", async ({ page, network, staker }) => {
  const etchPage = await arrive(page, network, staker);
  await page.evaluate(() => (window as any).MoonDevWallet.control.haveOrders(true));
  await page.reload();
  await staker.distrustPage();
  const { ordinals } = await staker.addresses();
  await etchPage.field(etching.name).fill("wolves of their own will");
  await etchPage.field("Premine").fill("7");
  await page.getByLabel(etching.mintable).uncheck();
  await page.getByRole("tabpanel").getByRole("button", { name: "Etch", exact: true }).click();
  await staker.answer("Etch a rune?", "Etch");
  await expect(etchPage.order).toBeVisible(); // the wallet pays and executes the order after its dialog has closed
  await etchPage.mine(8);
  await expect(etchPage.state).toHaveText("Done. The runes are at your ordinals address.");
  expect(await etchPage.held(ordinals, await etchPage.runeId())).toBe(7n);
});

test("the fund's page offers etching, refuses a taken name, and the test community has no such page", async ({
  page,
  network,
  staker,
}) => {
  await page.goto(`http://localhost:${network.port}/etch`);
  await staker.connect();
  await staker.trustPage();
  const etchPage = new EtchPage(page, network);
  await etchPage.field(etching.name).fill("lobo the wolf pup");
  await etchPage.field("Premine").fill("7");
  await page.getByLabel(etching.mintable).uncheck();
  await expect(page.getByRole("alert")).toContainText("The name LOBO•THE•WOLF•PUP is already taken by rune");
  await page.goto(`${network.url("dummy")}/etch`);
  await expect(page.getByText(text.pages.notFound)).toBeVisible();
});
