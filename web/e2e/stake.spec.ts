import type { Locator, Page } from "@playwright/test";
import { whole } from "./staker.ts";
import { expect, test } from "./test.ts";
import { later } from "../src/lib/text/en.later.ts";

/** 12,345.678 whole tokens in base units. */
const HELD = "1234567800000";

/** The Stake tab of a wallet that holds 12,345.678 tokens. */
async function openWithBalance(
  page: Page,
  staker: { open(): Promise<void>; connect(): Promise<void>; tab(name: "Stake"): Promise<Locator> },
) {
  await staker.open();
  await page.evaluate((runes) => (window as any).MoonDevWallet.control.faucet({ runes, sats: 1_000_000 }), HELD);
  await staker.connect();
  const tab = await staker.tab("Stake");
  await expect(tab.getByTestId("balance")).toHaveText("12,345.678");
  return { tab, field: tab.getByLabel("Amount to stake") };
}

test("check 15: Half of 12,345.678 enters 6,172.839", async ({ page, staker }) => {
  const { tab, field } = await openWithBalance(page, staker);
  await tab.getByRole("button", { name: "Half" }).click();
  await expect(field).toHaveValue("6172.839");
  await expect(tab.getByRole("button", { name: "Stake 6,172.839 LOBO" })).toBeEnabled();
  await tab.getByRole("button", { name: "Max" }).click();
  await expect(field).toHaveValue("12345.678");
});

test("check 16: accepts eight decimals up to the balance and no letters; empty is 0", async ({ page, staker }) => {
  const { tab, field } = await openWithBalance(page, staker);
  const submit = tab.getByRole("button", { name: /^Stake\b/ });
  await field.pressSequentially("1.123456789");
  await expect(field).toHaveValue("1.12345678");
  await field.pressSequentially("abc");
  await expect(field).toHaveValue("1.12345678");
  await expect(submit).toHaveText("Stake 1.12345678 LOBO");
  await field.fill("");
  await expect(submit).toHaveText("Stake");
  await expect(submit).toBeDisabled();
  await expect(tab.getByText("Enter an amount.")).toBeVisible();
  await field.pressSequentially("99999");
  await expect(field).toHaveValue("12345.678");
});

test("reads the usual notations of an amount, or asks", async ({ page, context, staker }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { tab, field } = await openWithBalance(page, staker);
  const submit = tab.getByRole("button", { name: /^Stake\b/ });
  const shown = tab.getByTestId("amount-read");
  const paste = async (text: string): Promise<void> => {
    await field.fill("");
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await field.press("ControlOrMeta+v");
  };
  for (const [pasted, amount] of [
    [" 1234.5 ", "1,234.5"],
    ["1,234.5", "1,234.5"],
    ["1.234,5", "1,234.5"],
    ["1,5", "1.5"],
    ["1 000", "1,000"],
    ["01.5", "1.5"],
  ] as const) {
    await paste(pasted);
    await expect(shown, `pasted ${pasted}`).toHaveText(`${amount} LOBO`);
    await expect(submit).toHaveText(`Stake ${amount} LOBO`);
  }
  for (const [pasted, question] of [
    ["10.000", "We can't tell if this means 10,000 or 10. Enter it as 10000."],
    ["10,000", "We can't tell if this means 10,000 or 10. Enter it as 10000."],
    ["1.234", "We can't tell if this means 1,234 or 1.234. Enter it as 1234 or 1.2340."],
    ["12 LOBO", later.stake.unreadable("1234.5")],
    ["٣", later.stake.unreadable("1234.5")],
  ] as const) {
    await paste(pasted);
    await expect(tab.getByText(question), `pasted ${pasted}`).toBeVisible();
    await expect(field).toHaveValue(pasted);
    await expect(shown).toBeEmpty();
    await expect(submit).toBeDisabled();
  }
  for (const typed of ["1e3", "-5", "1.2.3", "10.000"]) {
    await field.fill("");
    await field.pressSequentially(typed);
    await expect(field, `typed ${typed}`).toHaveAttribute("aria-invalid", "true");
    await expect(submit).toBeDisabled();
  }
  await tab.getByRole("button", { name: "Half" }).click();
  await expect(submit).toHaveText("Stake 6,172.839 LOBO");
});

test("check 17: the up arrow adds 1000, up to the balance", async ({ page, staker }) => {
  const { field } = await openWithBalance(page, staker);
  await field.press("ArrowUp");
  await expect(field).toHaveValue("1000");
  await field.fill("11500.5");
  await field.press("ArrowUp");
  await expect(field).toHaveValue("12345.678");
  await field.fill("500");
  await field.press("ArrowDown");
  await expect(field).toHaveValue("0");
  await field.press("PageUp");
  await expect(field).toHaveValue("10000");
  await field.press("End");
  await expect(field).toHaveValue("12345.678");
  await expect(field).toHaveAttribute("aria-valuetext", "12,345.678 LOBO");
  await field.press("Home");
  await expect(field).toHaveValue("0");
  await field.hover();
  await page.mouse.wheel(0, -200);
  await expect(field).toHaveValue("0");
});

test("check 18: Stake sends base units and shows the transaction", async ({ page, network, staker }) => {
  const { tab, field } = await openWithBalance(page, staker);
  await staker.trustPage();
  await field.fill("1012.5");
  const request = page.waitForRequest(/\/postDemoStake$/);
  await tab.getByRole("button", { name: "Stake 1,012.5 LOBO" }).click();
  expect((await request).postDataJSON()).toMatchObject({ wa_amount: "101250000000" });
  const message = await tab.getByText(/^Broadcasted tx id : [0-9a-f]{64}$/).textContent();
  const txid = message!.slice(-64);
  const address = (await (await (await request).response())!.json()).data.stake_addrss as string;
  const sent = (await network.utxos(address)).find((utxo) => utxo.txid === txid)!;
  expect(sent.runes.map((rune) => BigInt(rune.amount))).toEqual([(whole(1012) * 2n + whole(1)) / 2n]);
});
