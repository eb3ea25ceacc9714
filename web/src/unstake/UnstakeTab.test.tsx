import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import type { components } from "../api/schema.gen.ts";
import { formatDate } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { golden } from "../testing/golden.ts";
import { Refusal, serve, show } from "../testing/page.tsx";
import { community, infoGlobals, status, unit, wallet } from "../testing/wire.ts";
import { UnstakeTab } from "./UnstakeTab.tsx";

type Wire = components["schemas"];

it("keeps a pending stake when the epoch ends, and when an answer fails", async () => {
  const pending = unit({ ru_stage: "PENDING_STAKE", ru_rune_amount: "777700000000", eligible_epoch: null });
  let list = (): unknown => ({ utxos_list: [pending] });
  let globals = infoGlobals({ end_next_epoch_UTC: new Date(Date.now() + 60_000).toISOString() });
  serve({
    infoGlobals: () => globals,
    status: () => status(),
    community: () => community(),
    epochs: () => ({ epochs: [] }),
    fetchWalletUtxos: () => list(),
  });
  const { client } = show(<UnstakeTab wallet={wallet} />);
  const fetchAgain = () => act(() => client.invalidateQueries());
  const row = () => screen.getByText(/^7,777\b/);
  await screen.findByText(/^7,777\b/);
  expect(screen.getByText(later.unstake.notYet)).toBeTruthy();
  expect(screen.queryByText(/^You give up the/)).toBeNull();

  // The epoch has ended and the next one is not known yet.
  globals = infoGlobals({ end_next_epoch_UTC: new Date(Date.now() - 1_000).toISOString() });
  await fetchAgain();
  expect(row()).toBeTruthy();

  globals = infoGlobals();
  list = () => new Refusal("Try again.");
  await fetchAgain();
  expect(row()).toBeTruthy();

  list = () => ({ utxos_list: [{ ...pending, eligible_epoch: 49 }] });
  await fetchAgain();
  expect(row()).toBeTruthy();
});

describe("what unstaking costs", () => {
  const END = Date.parse("2026-12-02T00:00:00Z");
  const staked = [
    unit({ ru_rutxo_id: "a:0", ru_rune_amount: "250000000000" }),
    unit({ ru_rutxo_id: "b:0", ru_rune_amount: "100000000000" }),
  ];
  const running = { epoch: 7, settled: false, budget: "70000000000", start: "2026-11-25T00:00:00Z" };
  const answers = {
    infoGlobals: () =>
      infoGlobals({ epoch: 7, total_staked: "1000000000000", end_next_epoch_UTC: new Date(END).toISOString() }),
    status: () => status(),
    community: () => community({ epoch_seconds: 7 * 86_400 }),
    epochs: () => ({ epochs: [{ ...golden<Wire["EpochList"]>("epochs").epochs[0]!, ...running }] }),
    fetchWalletUtxos: () => ({ utxos_list: staked }),
  };

  it("is shown for the selection, with the unlock date", async () => {
    serve(answers);
    show(<UnstakeTab wallet={wallet} />);
    await screen.findByText(
      `You give up the epoch 7 reward of everything you unstake. Your runes unlock when epoch 8 ends, on ${unlock()}.`,
    );
    await userEvent.click(await screen.findByRole("checkbox", { name: /2,500/ }));
    // Unstaking a quarter of the total stake gives up a quarter of the budget.
    const unlocks = `Your runes unlock when epoch 8 ends, on ${unlock()}.`;
    expect(screen.getByText(`You give up about 175 for epoch 7. ${unlocks}`)).toBeTruthy();
  });

  it("is confirmed before anything is signed", async () => {
    const { calls } = serve(answers);
    show(<UnstakeTab wallet={wallet} />);
    await userEvent.click(await screen.findByRole("checkbox", { name: /2,500/ }));
    const posted = (): unknown[] => calls.filter(([call]) => call === "postAction");
    await userEvent.click(screen.getByRole("button", { name: /^Unstake 2,500/ }));
    await screen.findByRole("heading", { name: /^Unstake 2,500.*\?$/ });
    await userEvent.click(screen.getByRole("button", { name: "Keep staking" }));
    expect(posted()).toEqual([]);
    expect(screen.queryByRole("heading", { name: /^Unstake 2,500.*\?$/ })).toBeNull();
  });

  function unlock(): string {
    return formatDate(END + 7 * 86_400_000);
  }
});
