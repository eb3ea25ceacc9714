import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { readUnit } from "../api/wallet.ts";
import { catchFiles } from "../testing/saved.ts";
import { unit, units } from "../testing/wire.ts";
import { UnlockTimeline } from "./UnlockTimeline.tsx";
import { unlocksOf } from "./unlocks.ts";

const pendingUnlock = (id: string, amount: string, timeout: string | null) =>
  readUnit(unit({ ru_rutxo_id: id, ru_rune_amount: amount, ru_stage: "PENDING_UNLOCK", timeout }));

it("sums the runes that unlock at one time, in chronological order", () => {
  const all = [
    pendingUnlock("a", "100000000", "2126-12-09T00:00:00Z"),
    pendingUnlock("b", "200000000", "2126-12-02T00:00:00Z"),
    pendingUnlock("c", "300000000", "2126-12-09T00:00:00Z"),
    pendingUnlock("d", "1", null),
    { ...pendingUnlock("e", "1", "2126-12-02T00:00:00Z"), contested: true },
    readUnit(unit()),
  ];
  expect(unlocksOf(all).map(({ at, runes }) => [new Date(at).toISOString(), runes])).toEqual([
    ["2126-12-02T00:00:00.000Z", 200_000_000n],
    ["2126-12-09T00:00:00.000Z", 400_000_000n],
  ]);
});

it("lists the unlocks and saves them as a calendar", async () => {
  const { texts } = catchFiles();
  render(<UnlockTimeline units={[pendingUnlock("a", "150000000", "2126-12-09T00:00:00Z")]} />);
  expect(within(screen.getByRole("table", { name: "Upcoming unlocks" })).getAllByRole("row")[1]?.textContent).toMatch(
    /2126.*1.5/,
  );
  await userEvent.click(screen.getByRole("button", { name: "Add unlock dates to your calendar" }));
  expect(await texts[0]).toMatch(/DTSTART:21261209T000000Z\r\nSUMMARY:1.5 .*unlock/);
});

it("renders nothing without unlocks", () => {
  const { container } = render(
    <UnlockTimeline
      units={units()
        .filter(({ ru_stage }) => ru_stage !== "PENDING_UNLOCK")
        .map(readUnit)}
    />,
  );
  expect(container.textContent).toBe("");
});
