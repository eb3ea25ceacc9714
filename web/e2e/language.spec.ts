import { Staker } from "./staker.ts";
import { expect, test } from "./test.ts";

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a dashboard has its figures and its countdown in the first picture", async ({ page, network }) => {
    await page.goto(network.url("lobo"));
    await expect(page.getByRole("heading", { name: "Stake with the pack" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Your figures" })).toContainText(/Total staked\s*[\d,.]+M?.*LOBO/);
    await expect(page.getByRole("region", { name: "Epoch", exact: true })).toContainText(/Tokens issued\s*21M/);
    await expect(page.getByRole("timer").first()).toHaveText(/\d{2}\s*d\s*\d{2}\s*h\s*\d{2}\s*m\s*\d{2}\s*s/);
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
  });
});

test("an English page loads its own language and no other", async ({ page, network }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(network.url("lobo"));
  await expect(page.getByRole("button", { name: "Connect Wallet to start staking!" })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  expect(asked.filter((path) => /\/assets\/en-/.test(path))).toHaveLength(1);
  expect(asked.filter((path) => /\/assets\/de[.-]/.test(path))).toEqual([]);
});

test.describe("a German browser", () => {
  test.use({ locale: "de-DE" });

  test("gets every page in German, and keeps what is chosen instead", async ({ page, network }) => {
    await page.goto(network.url("www"));
    await expect(page.getByRole("heading", { name: "Gemeinsam Moon Fund" })).toBeVisible();
    await page.goto(network.url("lobo"));
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.getByRole("heading", { name: "Stake mit dem Rudel" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Epoche", exact: true })).toContainText("21 Mio.");
    for (const tab of ["Staken", "Rewards", "Unstaken", "Auszahlen"]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await expect(page.getByRole("tabpanel")).toHaveText("Verbinde deine Wallet, um zu staken!");
    }
    await page.getByRole("link", { name: "English" }).first().click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("tab", { name: "Withdraw", selected: true })).toBeVisible();
    await page.goto(`${network.url("lobo")}/terms`);
    await expect(page.getByRole("heading", { name: "Terms", level: 1 })).toBeVisible();
  });

  // The browser tells German; its number field, which no page can ask, reads English: it leaves the comma out.
  test("never makes another amount of one whose decimal mark its number field does not know", async ({ page, context, network }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const staker = new Staker(page, network);
    await page.goto(`${network.url("lobo")}?lang=en`);
    await staker.arrive();
    const field = page.getByRole("spinbutton", { name: "Amount to stake" });
    const submit = page.getByRole("tabpanel").getByRole("button", { name: /^Stake\b/ });
    const unclear = page.getByText("We can't tell which amount this means. Clear the field and enter it like 1234.5.");
    await field.pressSequentially("12,5");
    await expect(field).toHaveValue("12");
    await expect(unclear).toBeVisible();
    await expect(submit).toBeDisabled();
    await field.fill("");
    await field.pressSequentially("12.5");
    await expect(submit).toHaveText("Stake 12.5 LOBO");
    await page.reload();
    await page.evaluate(() => navigator.clipboard.writeText("1234,5"));
    await field.press("ControlOrMeta+v");
    await expect(unclear).toBeVisible();
    await expect(submit).toBeDisabled();
  });
});
