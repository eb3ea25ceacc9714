import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { installWallet, serve, show } from "../testing/page.tsx";
import { community, session, unit } from "../testing/wire.ts";
import { run } from "./run.ts";
import { StakeTab } from "./StakeTab.tsx";

const txid = "ab".repeat(32);

beforeEach(() => {
  installWallet({});
  run.set({
    owner: session.ordinals.address, amount: 500n, phase: "sent", address: "bcrt1pstake", txid, error: null, hintLost: false, before: new Set(),
  });
});

function open(stage: "STAKED" | "PENDING_UNLOCK") {
  const staked = unit({ ru_rutxo_id: `${txid}:0`, ru_txid: txid, ru_rune_amount: "500", ru_stage: stage });
  serve({ community: () => community(), fetchWalletUtxos: () => ({ utxos_list: [staked] }) });
  show(<StakeTab session={session} />);
}

it("shows the steps of a stake that counts", async () => {
  open("STAKED");
  await screen.findByText("Counted: this stake earns rewards.");
});

it("no longer says that a stake earns when it was taken back", async () => {
  open("PENDING_UNLOCK");
  await screen.findByLabelText("Amount to stake");
  expect(screen.queryByText(/this stake earns rewards/)).toBeNull();
  expect(run.get()).toBeNull();
});
