import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { UNIT } from "../lib/amount.ts";
import { earn } from "../lib/earnText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { YearlyRate } from "../reward/YearlyRate.tsx";
import { golden } from "../testing/golden.ts";
import { connectWallet, disconnectWallet } from "../session/session.ts";
import { installWallet, serve, show } from "../testing/page.tsx";
import { infoGlobals, infoWallet, session } from "../testing/wire.ts";
import { WouldEarn } from "./WouldEarn.tsx";

const WEEK = 7 * 86_400;

afterEach(async () => {
  site.epochSeconds = 0;
  await disconnectWallet();
});

/** A stake of 1,000 beside `others` of others and `own`, with a budget for the epoch, and the yearly rate. */
async function open(others: bigint, epochSeconds: number, { budget = 700n, own = 0n } = {}): Promise<void> {
  const [epoch] = golden<{ epochs: { start: string }[] }>("epochs").epochs;
  // An epoch that was ended by hand after a day: its length says nothing about the others.
  const end = new Date(Date.parse(epoch!.start) + 86_400_000).toISOString();
  const running = { ...epoch, end, epoch: 48, settled: false, budget: String(budget * UNIT) };
  const { calls } = serve({
    infoGlobals: () => infoGlobals({ epoch: 48, total_staked: String((others + own) * UNIT) }),
    postInfoWallet: () => infoWallet({ wallet_staked: String(own * UNIT) }),
    epochs: () => ({ epochs: [running] }),
  });
  site.epochSeconds = epochSeconds;
  show(
    <>
      <WouldEarn amount={1_000n * UNIT} />
      <YearlyRate />
    </>,
  );
  await waitFor(() => expect(calls.map(([call]) => call)).toEqual(expect.arrayContaining(["infoGlobals", "epochs"])));
}

it("shows a year without decimals, with the share that it assumes, as the yearly rate does", async () => {
  await open(5_000n, WEEK);
  expect(await screen.findByText(/^about 116\.66/)).toBeTruthy();
  expect(screen.getByText(/^about 6,083$/)).toBeTruthy();
  expect(screen.getByText(new RegExp(`^${earn.assumed("16.666%")}`))).toBeTruthy();
  expect(screen.getByText("608%")).toBeTruthy();
  expect(screen.getByText(/^For 1,000 +more, 16\.666% of the total stake\.$/)).toBeTruthy();
});

it("says only that a year is more than ten times the stake where little is staked", async () => {
  await open(500n, WEEK);
  expect(await screen.findByText(/^more than 10,000$/)).toBeTruthy();
  expect(screen.getByText(text.rewards.yearlyOver("1,000%"))).toBeTruthy();
});

it.each([
  [999_000n, 100n, "0.52%"],
  [999_000n, 366n, "1.9%"],
  [99_000n, 200n, "10%"],
])("shows the rate with decimals below ten percent: %d and a budget of %d", async (others, budget, rate) => {
  await open(others, WEEK, { budget });
  expect(await screen.findByText(rate)).toBeTruthy();
});

it("says nothing about a year where epochs have no fixed length", async () => {
  await open(5_000n, 0);
  expect(await screen.findByText(earn.perEpoch)).toBeTruthy();
  expect(screen.queryByText(earn.perYear)).toBeNull();
  expect(screen.queryByText(text.rewards.yearly)).toBeNull();
});

it("estimates nothing if nobody else stakes: one stake gets the whole reward", async () => {
  await open(0n, WEEK);
  expect(await screen.findByText(earn.alone)).toBeTruthy();
  expect(screen.queryByText(earn.perEpoch)).toBeNull();
  expect(screen.queryByText(text.rewards.yearly)).toBeNull();
});

it("counts the connected wallet's own stake as no other stake", async () => {
  await connect();
  await open(0n, WEEK, { own: 5_000n });
  expect(await screen.findByText(earn.alone)).toBeTruthy();
  expect(screen.queryByText(earn.perEpoch)).toBeNull();
  expect(screen.queryByText(text.rewards.yearly)).toBeNull();
});

it("estimates what a staker's next stake earns beside all others", async () => {
  await connect();
  await open(2_000n, WEEK, { own: 3_000n });
  expect(await screen.findByText(/^about 116\.66/)).toBeTruthy();
  expect(screen.getByText("608%")).toBeTruthy();
});

async function connect(): Promise<void> {
  installWallet({
    wallet_requestPermissions: () => ({ result: true }),
    getAccounts: () => ({
      result: [
        { ...session.payment, purpose: "payment", addressType: "p2wpkh", walletType: "software" },
        { ...session.ordinals, purpose: "ordinals", addressType: "p2tr", walletType: "software" },
      ],
    }),
  });
  await connectWallet("TestWallet");
}
