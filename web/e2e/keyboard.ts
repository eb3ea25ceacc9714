import type { Page } from "@playwright/test";

/** Moves the focus by Tab to a control with this name, then presses a key on it. */
export async function pressByKeyboard(page: Page, name: string | RegExp, key = "Enter"): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    const fits = await page.locator(":focus").evaluateAll(
      ([one], { source, flags }) => {
        if (!one) return false;
        const label =
          one.getAttribute("aria-label") ?? (one as HTMLInputElement).labels?.[0]?.textContent ?? one.textContent ?? "";
        return new RegExp(source, flags).test(label.trim());
      },
      typeof name === "string" ? { source: `^${name}`, flags: "" } : { source: name.source, flags: name.flags },
    );
    if (fits) return void (await page.keyboard.press(key));
  }
  throw new Error(`No way by Tab to ${String(name)}`);
}
