import { pressByKeyboard } from "./keyboard.ts";
import { checkBothSizes } from "./layout.ts";
import type { Staker } from "./staker.ts";
import { expect, inCheck, test } from "./test.ts";
import { faults } from "../src/lib/text/de.faults.ts";
import { later as german } from "../src/lib/text/de.later.ts";
import { text } from "../src/lib/text/de.ts";
import { later } from "../src/lib/text/en.later.ts";
import { text as english } from "../src/lib/text/en.ts";

const words = later.compounding;

test.use({ networkName: "compounding" });

test("rewards are staked automatically until the staker turns it off", async ({ activeStaker, network }) => {
  await activeStaker.openWithReward();
  const tab = await activeStaker.tab("Rewards");
  const section = tab.getByRole("region", { name: words.title });
  await expect(section.getByText(words.off, { exact: true })).toBeVisible();
  await section.getByRole("button", { name: words.setUp }).click();
  await expect(section.getByText(words.explain)).toBeVisible();
  await section.getByLabel(words.length).selectOption("4");
  await section.getByRole("button", { name: words.begin }).click();
  await expect(section.getByText(words.begun)).toBeVisible();
  await expect(section.getByText(/On until epoch \d+: 4 more rewards/)).toBeVisible();

  const before = await activeStaker.figure("Claimable rewards").textContent();
  await network.advanceEpoch();
  await expect(section.getByText(/On until epoch \d+: 3 more rewards/)).toBeVisible();
  await expect(activeStaker.figure("Claimable rewards")).toHaveText(before!);
  await expect(tab.getByText("Rewards staked automatically")).toBeVisible();

  // There are no rewards of earlier epochs, so there is nothing to claim.
  await tab.getByRole("button", { name: english.rewards.compound, exact: true }).click();
  await expect(tab.getByText(words.noneLeft)).toBeVisible();
  await checkBothSizes(activeStaker.page, "compounding-none-left", () =>
    tab.getByText(words.noneLeft).scrollIntoViewIfNeeded(),
  );
  await section.getByRole("button", { name: words.change }).click();
  await checkBothSizes(activeStaker.page, "compounding", () => section.scrollIntoViewIfNeeded());
  await section.getByRole("button", { name: words.end }).click();
  await expect(section.getByText(words.ended)).toBeVisible();
  await expect(section.getByText(words.over, { exact: true })).toBeVisible();
  await expect(tab.getByText(words.none)).toBeVisible();
  await checkBothSizes(activeStaker.page, "compounding-none", () => tab.getByText(words.none).scrollIntoViewIfNeeded());
  await network.advanceEpoch();
  await expect(activeStaker.figure("Claimable rewards")).not.toHaveText("0 LOBO");
  await expect(tab.getByText(words.none)).toBeHidden();
});

test.describe("in German, with the keyboard only", inCheck, () => {
  const words = german.compounding;

  /** Opens the rewards in German with a wallet that asks, and the form; returns the section. */
  async function openForm(staker: Staker) {
    const { page } = staker;
    await staker.openWithReward();
    await page.goto(`${staker.address}?lang=de`);
    await staker.started();
    await staker.distrustPage();
    await pressByKeyboard(page, "Staken", "ArrowRight");
    const section = page.getByRole("tabpanel", { name: "Rewards" }).getByRole("region", { name: words.title });
    await expect(section.getByText(/^(Aus|Beendet)$/)).toBeVisible();
    await pressByKeyboard(page, `${words.setUp}: ${words.subject}`);
    await expect(section.getByText(words.explain)).toBeVisible();
    return section;
  }

  /** Waits for the wallet's question, whose message has this line, and answers it: Enter signs, Escape rejects. */
  async function answer({ page }: Staker, line: RegExp, key: "Enter" | "Escape") {
    const question = page.getByRole("dialog", { name: "Sign this message?" });
    await expect(question).toContainText(line);
    await page.keyboard.press(key);
    await expect(question).toBeHidden();
  }

  test("a rejection changes nothing, and the staker turns it on and off", async ({ activeStaker }) => {
    const { page } = activeStaker;
    const section = await openForm(activeStaker);
    await pressByKeyboard(page, words.length, "ArrowUp");
    await expect(section.getByLabel(words.length)).toHaveValue("4");
    await pressByKeyboard(page, words.begin);
    await answer(activeStaker, /Action: AUTO_COMPOUND/, "Escape");
    await expect(section.getByRole("alert")).toContainText(
      text.action.failedToSign("AUTO_COMPOUND", "Moon Dev Wallet"),
    );
    await expect(section.getByText(/^(Aus|Beendet)$/)).toBeVisible();
    await expect(section.getByLabel(words.length)).toHaveValue("4");
    await checkBothSizes(page, "compounding-rejected-de", () => section.scrollIntoViewIfNeeded());

    await pressByKeyboard(page, words.begin);
    await answer(activeStaker, /Action: AUTO_COMPOUND/, "Enter");
    await expect(section.getByText(words.begun)).toBeVisible();
    await expect(section.getByText(/^Aktiv bis Epoche \d+: noch 4 Rewards\.$/)).toBeVisible();
    await checkBothSizes(page, "compounding-on-de", () => section.scrollIntoViewIfNeeded());

    // The pressed button was removed: the button that opens the form again has the focus.
    await expect(section.getByRole("button", { name: words.change })).toBeFocused();
    await page.keyboard.press("Enter");
    await pressByKeyboard(page, words.end);
    await answer(activeStaker, /Action: END_AUTO_COMPOUND/, "Escape");
    await expect(section.getByRole("alert")).toContainText(
      text.action.failedToSign("END_AUTO_COMPOUND", "Moon Dev Wallet"),
    );
    await expect(section.getByText(/^Aktiv bis Epoche \d+: noch 4 Rewards\.$/)).toBeVisible();
    await pressByKeyboard(page, words.end);
    await answer(activeStaker, /Action: END_AUTO_COMPOUND/, "Enter");
    await expect(section.getByText(words.ended)).toBeVisible();
    await expect(section.getByText(words.over, { exact: true })).toBeVisible();
    await expect(section.getByRole("button", { name: words.setUp })).toBeFocused();
  });

  test("an epoch that settles before the signature is refused, and the page asks again", async ({
    activeStaker,
    network,
  }) => {
    const { page } = activeStaker;
    const section = await openForm(activeStaker);
    await pressByKeyboard(page, words.begin);
    const question = page.getByRole("dialog", { name: "Sign this message?" });
    await expect(question).toBeVisible();
    const asked = Number(/First epoch: (\d+)/.exec((await question.textContent())!)![1]);
    await network.advanceEpoch();
    await answer(activeStaker, new RegExp(`First epoch: ${asked}\\b`), "Enter");
    await expect(section.getByRole("alert")).toContainText(faults["ACTION_STALE"]!);
    await expect(section.getByText(/^(Aus|Beendet)$/)).toBeVisible();
    await checkBothSizes(page, "compounding-stale-de", () => section.scrollIntoViewIfNeeded());

    await pressByKeyboard(page, words.begin);
    await answer(activeStaker, new RegExp(`First epoch: ${asked + 1}\\b`), "Enter");
    await expect(section.getByText(words.begun)).toBeVisible();
    await expect(section.getByText(/^Aktiv bis Epoche \d+: noch 12 Rewards\.$/)).toBeVisible();
    await expect(section.getByRole("alert")).toHaveCount(0);
    await page.keyboard.press("Enter");
    await pressByKeyboard(page, words.end);
    await answer(activeStaker, /Action: END_AUTO_COMPOUND/, "Enter");
    await expect(section.getByText(words.ended)).toBeVisible();
  });
});
