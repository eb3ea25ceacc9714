import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { golden } from "../testing/golden.ts";
import { Refusal, serve, show } from "../testing/page.tsx";
import { catchFiles } from "../testing/saved.ts";
import { community, wallet } from "../testing/wire.ts";
import History from "./History.tsx";
import { text } from "../lib/text.ts";
import { later } from "../lib/laterText.ts";

const base = {
  community: () => community(),
  earnings: () => golden<object>("earnings"),
  activity: () => golden<object>("activity"),
};
const region = (name: string) => within(screen.getByRole("region", { name }));

describe("history", () => {
  it("shows and saves the filtered rewards per epoch", async () => {
    serve(base);
    const { texts } = catchFiles();
    show(<History wallet={wallet} />);
    const earnings = region("Your earnings");
    expect(await earnings.findByText("6,666.66666666 in 2 epochs")).toBeTruthy();
    const rows = earnings.getAllByRole("row", { name: /^4[67] / });
    expect(rows.map((row) => row.textContent)).toContain("47Dec 6, 20261,00033.333%3,333.33Compounded");
    await userEvent.selectOptions(earnings.getByLabelText("From epoch"), "47");
    expect(earnings.getByText("3,333.33333333 in 1 epoch")).toBeTruthy();
    await userEvent.click(earnings.getByRole("button", { name: later.history.csv }));
    expect(await texts[0]).toBe(
      "epoch,start,end,token,stake,total_staked,rewarded,reward,use\r\n" +
        "47,2026-11-29T00:00:00.000Z,2026-12-06T00:00:00.000Z,,1000,3000,10000,3333.33333333,COMPOUNDED\r\n",
    );
  });

  it("shows the stake, and the rewards by what became of them, by touch and keyboard", async () => {
    serve(base);
    show(<History wallet={wallet} />);
    const earnings = region("Your earnings");
    const chart = await earnings.findByRole("slider", { name: later.history.earnings });
    const uses = within(earnings.getByRole("list", { name: later.history.use }));
    expect(uses.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Compounded: 3,333.33",
      "Claimed: 3,333.33",
      "Your stake",
    ]);
    // The axis of the rewards, and the largest stake below them.
    const marks = [...chart.previousElementSibling!.querySelectorAll("span")].map(({ textContent }) => textContent);
    expect(marks).toEqual(["3.3K", "1.6K", "0", "1K"]);
    const shows = (values: string) => expect(chart.getAttribute("aria-valuetext")).toBe(values);
    shows("Epoch 47 · Reward 3,333.33  · Status Compounded · Your stake 1,000 ");
    chart.focus();
    await userEvent.keyboard("{ArrowLeft}");
    shows("Epoch 46 · Reward 3,333.33  · Status Claimed · Your stake 1,000 ");
    vi.spyOn(chart, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, 300, 100));
    fireEvent.pointerDown(chart, { clientX: 290, pointerType: "touch" });
    expect(chart.getAttribute("aria-valuetext")).toMatch(/^Epoch 47 /);
  });

  it("shows activity filtered by kind", async () => {
    serve(base);
    show(<History wallet={wallet} />);
    const activity = region("Activity");
    expect(await activity.findAllByRole("listitem")).toHaveLength(3);
    await userEvent.click(activity.getByRole("button", { name: "Show all: Activity" }));
    expect(activity.getByText("Deposited")).toBeTruthy();
    expect(activity.getByText("Rewarded").parentElement?.textContent).toBe("RewardedEpoch 47");
    await userEvent.selectOptions(activity.getByLabelText("Show"), "Orders and payments");
    expect(activity.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^First payment received4,200 sats/),
    ]);
    expect(activity.getByRole("link", { name: new RegExp(later.history.csv) }).getAttribute("href")).toContain(
      "/activity.csv?w_wallet_code=",
    );
  });

  it("shows nothing before the first reward and the first activity", async () => {
    serve({ ...base, earnings: () => golden<object>("earnings.none"), activity: () => ({ activity: [] }) });
    show(<History wallet={wallet} />);
    await waitFor(() => expect(screen.queryByRole("heading")).toBeNull());
  });

  it("keeps one section when the other fails, and rejects malformed data", async () => {
    serve({
      ...base,
      earnings: () => ({ earnings: [{ epoch: 1, stake: "many" }] }),
      activity: () => new Refusal("Invalid address"),
    });
    show(<History wallet={wallet} />);
    expect(await screen.findByText(text.action.unexpected("earnings"))).toBeTruthy();
    expect(await screen.findByText("Invalid address")).toBeTruthy();
  });
});
