import { text } from "../src/lib/text/en.ts";
import { later } from "../src/lib/text/en.later.ts";
import { expect, test } from "./test.ts";

test("a page whose storage throws works, keeps its state in memory, and says that a reload forgets it", async ({
  page,
  staker,
}) => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.addInitScript(() => {
    const broken = () => {
      throw new DOMException("io", "UnknownError");
    };
    for (const name of ["getItem", "setItem", "removeItem", "key", "clear"] as const) Storage.prototype[name] = broken;
    Object.defineProperty(Storage.prototype, "length", { get: broken });
  });
  await staker.arrive();
  await expect(page.getByText(later.session.notRemembered)).toBeVisible();
  await staker.becomeStaker();
  await (await staker.tab("Unstake")).getByText("500,000 LOBO").first().waitFor();
  await expect(page.getByText(later.session.notRemembered)).toBeVisible();
  await page.getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("tabpanel")).toHaveText(text.tabs.connect);
  expect(errors).toEqual([]);
});

test("without a clipboard each copy button shows its text, selected, and says how to copy it", async ({
  activeStaker,
}) => {
  const { page } = activeStaker;
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined });
  });
  const order = await activeStaker.openClaim();
  const selected = () => page.evaluate(() => {
    const field = document.activeElement as HTMLInputElement;
    return field.value.slice(field.selectionStart!, field.selectionEnd!);
  });
  const address = await order.address();
  await order.dialog.getByRole("button", { name: address }).click();
  await expect(order.dialog.getByText(later.session.copyByHand("Ctrl+C"))).toBeVisible();
  await expect.poll(selected).toBe(address);
  await order.close();
  const { ordinals } = await activeStaker.addresses();
  await page.getByRole("button", { name: text.header.connectedAs(ordinals) }).click();
  await expect(page.getByText(later.session.copyByHand("Ctrl+C"))).toBeVisible();
  await expect.poll(selected).toBe(ordinals);
  await page.keyboard.press("Tab");
  await expect(page.getByText(later.session.copyByHand("Ctrl+C"))).toBeHidden();
});
