import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { golden } from "../testing/golden.ts";
import { serve, show } from "../testing/page.tsx";
import { RewardChart } from "./RewardChart.tsx";
import { text } from "../lib/text.ts";

it("tells every epoch's rewards and the yearly rate, and how that was computed", async () => {
  serve({ epochs: () => golden<object>("epochs") });
  show(<RewardChart />);
  const table = within(await screen.findByRole("table", { name: "Rewards per epoch" }));
  expect(table.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "EpochRewardsStakers",
    "4610,000 2",
    "4710,000 2",
    `4810,000 ${text.rewards.running}`,
  ]);
  // 10,000 of 3,000 staked in each of two weeks of seven days would be 17,380.95% in a year of 365.
  expect(screen.getByText("more than 1,000%")).toBeTruthy();
  await userEvent.click(screen.getByText(text.rewards.yearlyHow));
  expect(screen.getByText(text.rewards.yearlyFormula)).toBeTruthy();
  expect(screen.getByText(/We don't show rates above 1,000%/)).toBeTruthy();
});

it("gives no rate before an epoch has settled", async () => {
  const { epochs } = golden<{ epochs: { settled: boolean }[] }>("epochs");
  serve({ epochs: () => ({ epochs: epochs.filter((epoch) => !epoch.settled) }) });
  show(<RewardChart />);
  expect(await screen.findByText(text.rewards.yearlyNone)).toBeTruthy();
});

it("gives no rate where epochs are shorter than a day, and says why", async () => {
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
