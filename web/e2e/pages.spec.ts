import { expect, test } from "./test.ts";

test("an unknown page is a real 404 with a way home", async ({ page, network }) => {
  const answer = await page.goto(`${network.url("lobo")}/zzz`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Sorry, the page was not found" })).toBeFocused();
  await page.getByRole("link", { name: "Go to the homepage" }).click();
  await expect(page.getByRole("tablist", { name: "What do you want to do?" })).toBeVisible();
});

test("the terms are one link away", async ({ page, staker }) => {
  await staker.open();
  await page.getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("heading", { name: "Terms", level: 1 })).toBeVisible();
});

test("the fund's own host shows the landing page", async ({ page, network }) => {
  await page.goto(`http://localhost:${network.port}`);
  await expect(page.getByRole("heading", { name: "Together Moon Fund" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "What is Moon Fund?" })).toBeVisible();
});

test("tabs move by arrows, Home and End", async ({ page, staker }) => {
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
