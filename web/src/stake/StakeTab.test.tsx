import { QueryClientProvider } from "@tanstack/react-query";
import { act, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { text } from "../lib/text.ts";
import { installWallet, serve, show } from "../testing/page.tsx";
import { community, session, unit } from "../testing/wire.ts";
import { runs } from "./runs.ts";
import { StakeTab } from "./StakeTab.tsx";

const txid = "ab".repeat(32);

beforeEach(() => {
  installWallet({});
  for (const { id } of runs.get()) runs.drop(id);
  const nothing = async () => {};
  const flow = { prove: nothing, rehearse: nothing, stakeAnyway: nothing, send: nothing, giveUp: nothing };
  runs.add({ id: "1", owner: session.ordinals.address, amount: 500n, before: new Set(), flow });
  runs.update("1", { phase: "sent", address: "bcrt1pstake", txid });
});

function open(stage: "STAKED" | "PENDING_UNLOCK") {
  const staked = unit({ ru_rutxo_id: `${txid}:0`, ru_txid: txid, ru_rune_amount: "500", ru_stage: stage });
  serve({ community: () => community(), fetchWalletUtxos: () => ({ utxos_list: [staked] }) });
  show(<StakeTab session={session} />);
}

it("shows the steps of a stake that counts", async () => {
  open("STAKED");
  await screen.findByText("Your stake is earning rewards.");
});

it("does not say that a stake earns after it was unstaked or recovered", async () => {
  open("PENDING_UNLOCK");
  await screen.findByLabelText("Amount to stake");
  expect(screen.queryByText(/earning rewards/)).toBeNull();
  expect(runs.get()).toEqual([]);
});

it("reads the balance of a wallet that its extension injects after a minute", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  for (const { id } of runs.get()) runs.drop(id);
  vi.stubGlobal("TestWallet", undefined);
  open("PENDING_UNLOCK");
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(screen.getByTestId("balance").textContent).toBe(text.figures.none);
  const { rune_name: runeName } = community();
  installWallet({ runes_getBalance: () => ({ result: { balances: [{ runeName, amount: "500000000" }] } }) });
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.getByTestId("balance").textContent).toBe("5");
});

it("shows no balance from before the form was left, which Max could exceed", async () => {
  for (const { id } of runs.get()) runs.drop(id);
  const { rune_name: runeName } = community();
  const holds = (amount: string) =>
    installWallet({ runes_getBalance: () => ({ result: { balances: [{ runeName, amount }] } }) });
  serve({ community: () => community(), fetchWalletUtxos: () => ({ utxos_list: [] }) });
  holds("1000000000");
  const { rerender, client } = show(<StakeTab session={session} />);
  const within = (tab: ReactNode) => <QueryClientProvider client={client}>{tab}</QueryClientProvider>;
  expect(await screen.findByText("10")).toBe(screen.getByTestId("balance"));
  rerender(within(null));
  await act(() => new Promise((done) => setTimeout(done)));
  holds("500000000");
  rerender(within(<StakeTab session={session} />));
  expect(screen.getByRole<HTMLButtonElement>("button", { name: text.stake.max }).disabled).toBe(true);
  expect(await screen.findByText("5")).toBe(screen.getByTestId("balance"));
});
