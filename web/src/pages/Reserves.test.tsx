import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Wire } from "../api/client.ts";
import { proofs } from "../lib/proofsText.ts";
import { serve, show } from "../testing/page.tsx";
import { community } from "../testing/wire.ts";
import { Reserves } from "./Reserves.tsx";

const words = proofs.reserves;

const output = (custody_kind: "self" | "operator" | "", amount: string): Wire["ReserveOutput"] => ({
  outpoint: `${amount.padStart(64, "0")}:0`,
  kind: custody_kind === "" ? "treasury" : "stake",
  custody_kind,
  address: "bcrt1q",
  value: 546,
  amount,
  height: 7,
});

it("says which share only owners can move, and the kind of each output", async () => {
  const reserves: Wire["Reserves"] = {
    height: 8,
    block_hash: "ff",
    time: "2026-11-20T10:00:00Z",
    rune_id: "1:1",
    staked_units: "1000",
    virtual_units: "50",
    stake_outputs: "1000",
    self_outputs: "669",
    treasury_outputs: "60",
    covered: true,
    outputs: [output("self", "669"), output("operator", "331"), output("", "60")],
  };
  serve({ reserves: () => reserves, community: () => community() });
  show(<Reserves />);
  expect(await screen.findByText(words.self(66))).toBeTruthy();
  for (const kind of [words.selfStake, words.stake, words.treasury]) expect(screen.getByText(kind)).toBeTruthy();
});
