import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { site } from "../lib/site.ts";
import { golden } from "../testing/golden.ts";
import { serve, show } from "../testing/page.tsx";
import { infoGlobals } from "../testing/wire.ts";
import { RewardPanel } from "./RewardPanel.tsx";
import { text } from "../lib/text.ts";

afterEach(() => {
  site.epochSeconds = 0;
});

it("shows each epoch's rewards, the yearly rate and its computation", async () => {
  serve({ epochs: () => golden<object>("epochs"), infoGlobals: () => infoGlobals() });
  site.epochSeconds = 7 * 86_400;
  show(<RewardPanel />);
  const table = within(await screen.findByRole("table", { name: "Rewards per epoch" }));
  expect(table.getAllByRole("row").map((row) => row.textContent)).toEqual([
    "EpochRewardsStakers",
    "4610,000 2",
    "4710,000 2",
    "48not earned yet",
  ]);
  // 10,000 for each week; with 1,000 more, 10,001,000 are staked.
  expect(await screen.findByText("5.21%")).toBeTruthy();
  expect(screen.getByText(/^For 1,000 +more, 0\.0099% of the total stake\.$/)).toBeTruthy();
  await userEvent.click(screen.getByText(text.rewards.yearlyHow));
  expect(screen.getByText(/^We add 1,000 +to what is staked now/)).toBeTruthy();
  expect(screen.getByText(text.rewards.yearlyCaution("1,000%"))).toBeTruthy();
});

it("shows one epoch as a sentence instead of a chart, and omits the current epoch", async () => {
  const { epochs } = golden<{ epochs: { epoch: number }[] }>("epochs");
  serve({ epochs: () => ({ epochs: epochs.filter(({ epoch }) => epoch > 46) }) });
  show(<RewardPanel />);
  expect(await screen.findByText(/^Epoch 47 paid 10,000 .*to 2 stakers\.$/)).toBeTruthy();
  expect(screen.getByText("Epoch 48 hasn't ended yet. Its rewards appear once it has.")).toBeTruthy();
  expect(screen.queryByRole("table", { name: "Rewards per epoch" })).toBeNull();
});

it("shows nothing while no epoch has paid anything", async () => {
  const { epochs } = golden<{ epochs: { settled: boolean }[] }>("epochs");
  const unpaid = epochs.map((one) => (one.settled ? { ...one, rewarded: "0", owners: 0 } : one));
  serve({ epochs: () => ({ epochs: unpaid }) });
  const { client, container } = show(<RewardPanel />);
  await vi.waitFor(() => expect(client.getQueryCache().getAll()[0]?.state.status).toBe("success"));
  expect(container.textContent).toBe("");
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

it("has an axis from zero to the largest reward", async () => {
  const { epochs } = golden<{ epochs: { epoch: number }[] }>("epochs");
  const of = { 46: "250000000000", 47: "1000000000000" } as Record<number, string>;
  serve({ epochs: () => ({ epochs: epochs.map((one) => ({ ...one, rewarded: of[one.epoch] ?? "0" })) }) });
  show(<RewardPanel />);
  const chart = await screen.findByRole("slider", { name: text.rewards.perEpoch });
  const marks = chart.previousElementSibling!.querySelectorAll("span");
  expect([...marks].map(({ textContent }) => textContent)).toEqual(["10K", "5K", "0"]);
  const bars = [...chart.querySelectorAll<HTMLElement>(".paint")];
  expect(bars.map(({ style }) => style.height)).toEqual(["25%", "100%"]);
});

it("draws an unsettled epoch without a bar", async () => {
  serve({ epochs: () => golden<object>("epochs") });
  const { container } = show(<RewardPanel />);
  await screen.findByRole("table", { name: "Rewards per epoch" });
  const running = container.querySelector<HTMLElement>(".border-dashed")!;
  expect(running.style.height).toBe("0px");
});
