import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Refusal, serve, show } from "../testing/page.tsx";
import { community, infoGlobals, status, unit, wallet } from "../testing/wire.ts";
import { UnstakeTab } from "./UnstakeTab.tsx";

it("keeps a pending stake when the epoch ends, and when an answer fails", async () => {
  const pending = unit({ ru_stage: "PENDING_STAKE", ru_rune_amount: "777700000000", eligible_epoch: null });
  let list = (): unknown => ({ utxos_list: [pending] });
  let globals = infoGlobals({ end_next_epoch_UTC: new Date(Date.now() + 60_000).toISOString() });
  serve({
    infoGlobals: () => globals,
    status: () => status(),
    community: () => community(),
    fetchWalletUtxos: () => list(),
  });
  const { client } = show(<UnstakeTab wallet={wallet} />);
  const fetchAgain = () => act(() => client.invalidateQueries());
  const row = () => screen.getByText(/^7,777\b/);
  await screen.findByText(/^7,777\b/);

  globals = infoGlobals({ end_next_epoch_UTC: new Date(Date.now() - 1_000).toISOString() }); // over, and nobody knows the next one yet
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
