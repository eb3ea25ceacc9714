import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { golden } from "../testing/golden.ts";
import { serve, show } from "../testing/page.tsx";
import { RewardPanel } from "./RewardPanel.tsx";
import { text } from "../lib/text.ts";

it("shows each epoch's rewards, the yearly rate and its computation", async () => {
  serve({ epochs: () => golden<object>("epochs") });
  show(<RewardPanel />);
  const table = within(await screen.findByRole("table", { name: "Rewards per epoch" }));
  expect(table.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "EpochRewardsStakers",
    "4610,000 2",
    "4710,000 2",
    "48not earned yet",
  ]);
  // At 10,000 for 3,000 staked in each of two weeks, a year of 365 days would pay 17,380.95%.
  expect(screen.getByText("more than 1,000%")).toBeTruthy();
  await userEvent.click(screen.getByText(text.rewards.yearlyHow));
  expect(screen.getByText(text.rewards.yearlyFormula)).toBeTruthy();
  expect(screen.getByText(/We don't show rates above 1,000%/)).toBeTruthy();
});

it("shows one epoch as a sentence instead of a chart, and omits the current epoch", async () => {
  const { epochs } = golden<{ epochs: { epoch: number }[] }>("epochs");
  serve({ epochs: () => ({ epochs: epochs.filter(({ epoch }) => epoch > 46) }) });
  show(<RewardPanel />);
  expect(await screen.findByText(/^Epoch 47 paid 10,000 .*to 2 stakers\.$/)).toBeTruthy();
  expect(screen.getByText("Epoch 48 hasn't ended yet. Its rewards appear once it has.")).toBeTruthy();
  expect(screen.queryByRole("table", { name: "Rewards per epoch" })).toBeNull();
});

it("shows a bar's values by pointer, touch and keyboard, and at first of the last epoch that has paid", async () => {
  serve({ epochs: () => golden<object>("epochs") });
  show(<RewardPanel />);
  const chart = await screen.findByRole("slider", { name: text.rewards.perEpoch });
  const [first, last, open] = ["Epoch 46 · Rewards 10,000", "Epoch 47 · Rewards 10,000", "Epoch 48 · Rewards not"];
  const shows = (start: string | undefined) => {
    expect(chart.getAttribute("aria-valuetext")).toMatch(new RegExp(`^${start}`));
    const paragraphs = [...document.querySelectorAll("p")].map(({ textContent }) => textContent);
    expect(paragraphs).toContain(chart.getAttribute("aria-valuetext"));
  };
  shows(last);
  await userEvent.tab();
  expect(document.activeElement).toBe(chart);
  await userEvent.keyboard("{ArrowRight}{ArrowRight}");
  shows(open);
  await userEvent.keyboard("{Home}");
  shows(first);
  await userEvent.keyboard("{End}{ArrowLeft}");
  shows(last);
  vi.spyOn(chart, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
  fireEvent.pointerDown(chart, { clientX: 10, pointerType: "touch" });
  shows(first);
  fireEvent.pointerMove(chart, { clientX: 299, pointerType: "mouse" });
  shows(open);
  fireEvent.pointerLeave(chart, { pointerType: "mouse" });
  shows(last);
});

it("draws an unsettled epoch without a bar", async () => {
  serve({ epochs: () => golden<object>("epochs") });
  const { container } = show(<RewardPanel />);
  await screen.findByRole("table", { name: "Rewards per epoch" });
  const running = container.querySelector<HTMLElement>(".border-dashed")!;
  expect(running.style.height).toBe("0px");
});

it("shows no rate before an epoch with stakers has ended", async () => {
  const { epochs } = golden<{ epochs: object[] }>("epochs");
  serve({ epochs: () => ({ epochs: epochs.map((epoch) => ({ ...epoch, total_staked: "0" })) }) });
  show(<RewardPanel />);
  expect(await screen.findByText(text.rewards.yearlyNone)).toBeTruthy();
});

it("shows no rate for epochs shorter than a day, and explains why", async () => {
  const { epochs } = golden<{ epochs: { start: string; end: string }[] }>("epochs");
  serve({
    epochs: () => ({
      epochs: epochs.map((epoch) => ({ ...epoch, end: new Date(Date.parse(epoch.start) + 180_000).toISOString() })),
    }),
  });
  show(<RewardPanel />);
  expect(await screen.findByText(text.rewards.yearlyShort)).toBeTruthy();
  expect(screen.queryByText(text.rewards.yearlyHow)).toBeNull();
});
