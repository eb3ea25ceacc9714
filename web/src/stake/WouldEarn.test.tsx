import { screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { UNIT } from "../lib/amount.ts";
import { earn } from "../lib/earnText.ts";
import { site } from "../lib/site.ts";
import { golden } from "../testing/golden.ts";
import { serve, show } from "../testing/page.tsx";
import { infoGlobals } from "../testing/wire.ts";
import { WouldEarn } from "./WouldEarn.tsx";

const WEEK = 7 * 86_400;

afterEach(() => {
  site.epochSeconds = 0;
});

/** A stake of 1,000 beside `others` of others, with a budget of 700 for the epoch. */
function open(others: bigint, epochSeconds: number): void {
  const [epoch] = golden<{ epochs: object[] }>("epochs").epochs;
  const running = { ...epoch, epoch: 48, settled: false, budget: String(700n * UNIT) };
  serve({
    infoGlobals: () => infoGlobals({ epoch: 48, total_staked: String(others * UNIT) }),
    epochs: () => ({ epochs: [running] }),
  });
  site.epochSeconds = epochSeconds;
  show(<WouldEarn amount={1_000n * UNIT} />);
}

it("shows a year without decimals, with the share that it assumes", async () => {
  open(5_000n, WEEK);
  expect(await screen.findByText(/^about 116\.66/)).toBeTruthy();
  expect(screen.getByText(/^about 6,083$/)).toBeTruthy();
  expect(screen.getByText(new RegExp(`^${earn.assumed("16.666%")}`))).toBeTruthy();
});

it("says nothing about a year where epochs have no fixed length", async () => {
  open(5_000n, 0);
  expect(await screen.findByText(earn.perEpoch)).toBeTruthy();
  expect(screen.queryByText(earn.perYear)).toBeNull();
});

it("estimates nothing if nobody else stakes: one stake gets the whole reward", async () => {
  open(0n, WEEK);
  expect(await screen.findByText(earn.alone)).toBeTruthy();
  expect(screen.queryByText(earn.perEpoch)).toBeNull();
});
