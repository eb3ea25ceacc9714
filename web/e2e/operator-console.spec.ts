import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { checkBothSizes } from "./layout.ts";
import { expect, test } from "./test.ts";

test("opens the operator's console by its link, and shows the ledger", async ({ page, network }) => {
  const { link, end } = await network.console();
  const base = new URL(link).origin;
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(link);
  await expect(page).toHaveURL(`${base}/`);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  await expect(page.getByText("level with the node")).toBeVisible();
  await checkBothSizes(page, "console-overview");
  for (const name of [
    "Incidents",
    "Orders",
    "Payouts",
    "Refunds",
    "Quarantine",
    "Treasury",
    "Epochs",
    "Mint and etch",
  ]) {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    if (name === "Orders" || name === "Treasury") await checkBothSizes(page, `console-${name.toLowerCase()}`);
  }
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.getByRole("searchbox").fill("bc1nothing");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Not known to this server")).toBeVisible();
  expect(problems).toEqual([]);

  // The link has been used; another browser needs a new one.
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link can't be used" })).toBeVisible();
  await page.goto(base);
  await expect(page.getByRole("heading", { name: "Open the console with a link" })).toBeVisible();
  await end();
});

test("a page of another origin can't read, frame, open or change the operator's console", async ({
  page,
  context,
  network,
}) => {
  const { link, end } = await network.console();
  const base = new URL(link).origin;
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1, name: "Overview" })).toBeVisible();
  const other = createServer((_, answer) => {
    answer.setHeader("content-type", "text/html");
    answer.end(`<!doctype html><title>Other</title><a id="to" href="${base}/orders">to the console</a>
      <form method="post" action="${base}/orders"><button>send</button></form><iframe src="${base}/orders"></iframe>
      <img src="${base}/style.css" alt="">`);
  });
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const port = (other.address() as AddressInfo).port;
  // The same host with another port is the same site: the browser sends the cookie of the session.
  for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
    const visitor = await context.newPage();
    const framed = visitor.waitForResponse(`${base}/orders`);
    await visitor.goto(origin);
    expect((await framed).status(), `framed by ${origin}`).toBe(403);
    const tried = await visitor.evaluate(async (address) => {
      const attempt = (init: RequestInit) =>
        fetch(address, { credentials: "include", ...init }).then(
          async (answer) => `${answer.type}: ${await answer.text()}`,
          () => "refused",
        );
      return [await attempt({}), await attempt({ mode: "no-cors" }), await attempt({ method: "POST", body: "x" })];
    }, `${base}/orders`);
    expect(tried, origin).toEqual(["refused", "refused", "refused"]);
    const popup = visitor.waitForEvent("popup");
    await visitor.evaluate((address) => void window.open(address), `${base}/orders`);
    const opened = await popup;
    await expect(opened.getByText("Another page opened the console.")).toBeVisible();
    await opened.close();
    await visitor.click("#to");
    await expect(visitor.getByText("Another page opened the console.")).toBeVisible();
    await visitor.goto(origin);
    await visitor.click("button");
    await expect(visitor.getByText("Another page opened the console.")).toBeVisible();
    await visitor.close();
  }
  // The operator's own page is not affected.
  await page.goto(`${base}/orders`);
  await expect(page.getByText("No order needs a decision.")).toBeVisible();
  await new Promise((done) => other.close(done));
  await end();
});
