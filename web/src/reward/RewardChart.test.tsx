import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { golden } from "../testing/golden.ts";
import { serve, show } from "../testing/page.tsx";
import { RewardChart } from "./RewardChart.tsx";
import { text } from "../lib/text.ts";

it("shows each epoch's rewards, the yearly rate and its computation", async () => {
  serve({ epochs: () => golden<object>("epochs") });
  show(<RewardChart />);
  const table = within(await screen.findByRole("table", { name: "Rewards per epoch" }));
  expect(table.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "EpochRewardsStakers",
    "4610,000 2",
    "4710,000 2",
    "48not final yet",
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
  show(<RewardChart />);
  expect(await screen.findByText(/^Epoch 47 paid 10,000 .*to 2 stakers\.$/)).toBeTruthy();
  expect(screen.getByText("Epoch 48 hasn't ended yet. Its rewards appear once it has.")).toBeTruthy();
  expect(screen.queryByRole("table", { name: "Rewards per epoch" })).toBeNull();
});

it("draws an unsettled epoch without a bar", async () => {
  serve({ epochs: () => golden<object>("epochs") });
  const { container } = show(<RewardChart />);
  await screen.findByRole("table", { name: "Rewards per epoch" });
  const running = container.querySelector<HTMLElement>(".border-dashed")!;
  expect(running.style.height).toBe("0px");
});

it("shows no rate before an epoch has settled", async () => {
  const { epochs } = golden<{ epochs: { settled: boolean }[] }>("epochs");
  serve({ epochs: () => ({ epochs: epochs.filter((epoch) => !epoch.settled) }) });
  show(<RewardChart />);
  expect(await screen.findByText(text.rewards.yearlyNone)).toBeTruthy();
});

it("shows no rate for epochs shorter than a day, and explains why", async () => {
  const { epochs } = golden<{ epochs: { start: string; end: string }[] }>("epochs");
  serve({
    epochs: () => ({
      epochs: epochs.map((epoch) => ({ ...epoch, end: new Date(Date.parse(epoch.start) + 180_000).toISOString() })),
    }),
  });
  show(<RewardChart />);
  expect(await screen.findByText(text.rewards.yearlyShort)).toBeTruthy();
  expect(screen.queryByText(text.rewards.yearlyHow)).toBeNull();
});
