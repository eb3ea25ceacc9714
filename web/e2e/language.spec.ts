import { Staker } from "./staker.ts";
import { expect, test } from "./test.ts";
import { text as de } from "../src/lib/text/de.ts";
import { text } from "../src/lib/text/en.ts";

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("a dashboard contains its figures and countdown in the HTML", async ({ page, network }) => {
    await page.goto(network.url("lobo"));
    await expect(page.getByRole("heading", { name: "Stake with the pack" })).toBeVisible();
    const firstVisit = page.getByRole("region", { name: text.visit.title });
    for (const value of ["1,500 sats", "6 months", "21M LOBO exist"]) await expect(firstVisit).toContainText(value);
    const epoch = page.getByRole("region", { name: "Epoch", exact: true });
    await expect(epoch).toContainText(/Total staked\s*[\d,.]+M?.*Tokens issued\s*21M/s);
    await expect(page.getByRole("timer").first()).toHaveText(/\d{2}\s*d\s*\d{2}\s*h\s*\d{2}\s*m\s*\d{2}\s*s/);
    await expect(page.getByRole("button", { name: "Connect", exact: true })).toBeVisible();
  });
});

test("an English page loads only the English texts", async ({ page, network }) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(network.url("lobo"));
  await expect(page.getByRole("button", { name: text.tabs.connect })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  expect(requested.filter((path) => /\/assets\/en-/.test(path))).toHaveLength(1);
  expect(requested.filter((path) => /\/assets\/de[.-]/.test(path))).toEqual([]);
});

test.describe("a German browser", () => {
  test.use({ locale: "de-DE" });

  test("gets every page in German, and keeps another choice", async ({ page, network }) => {
    await page.goto(network.url("www"));
    await expect(page.getByRole("heading", { name: "Gemeinsam Moon Fund" })).toBeVisible();
    await page.goto(network.url("lobo"));
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.getByRole("heading", { name: "Stake mit dem Rudel" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Epoche", exact: true })).toContainText("21 Mio.");
    for (const tab of ["Staken", "Rewards", "Unstaken", "Auszahlen"]) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await expect(page.getByRole("tabpanel")).toHaveText(de.tabs.connect);
    }
    await page.getByRole("link", { name: "English" }).first().click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("tab", { name: "Withdraw", selected: true })).toBeVisible();
    await page.goto(`${network.url("lobo")}/terms`);
    await expect(page.getByRole("heading", { name: "Terms", level: 1 })).toBeVisible();
  });
});

// A number field uses the browser's locale, not the page's: 10.000 on a German page was read as 10.
for (const [locale, language, label, shown, question] of [
  ["en-US", "de", "Betrag", "12,5 LOBO", "Meinst du 10.000 oder 10? Gib den Betrag als 10000 ein."],
  ["de-DE", "en", "Amount to stake", "12.5 LOBO", "We can't tell if this means 10,000 or 10. Enter it as 10000."],
] as const) {
  test.describe(`a page in ${language} in a browser of ${locale}`, () => {
    test.use({ locale });

    test("never changes the value of a typed amount", async ({ page, network }) => {
      await page.goto(`${network.url("lobo")}?lang=en`);
      await new Staker(page, network).arrive();
      await page.goto(`${network.url("lobo")}?lang=${language}`);
      const field = page.getByRole("spinbutton", { name: label });
      const read = page.getByTestId("amount-read");
      for (const typed of ["12,5", "12.5"]) {
        await field.fill(typed);
        await expect(read, typed).toHaveText(shown);
      }
      for (const typed of ["10.000", "10,000"]) {
        await field.fill("");
        await field.pressSequentially(typed);
        await expect(page.getByText(question), typed).toBeVisible();
        await expect(read).toBeEmpty();
      }
    });
  });
}
