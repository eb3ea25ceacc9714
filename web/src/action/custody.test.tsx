import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { readUnit } from "../api/wallet.ts";
import { later } from "../lib/laterText.ts";
import { serve, show } from "../testing/page.tsx";
import { community, unit, wallet } from "../testing/wire.ts";
import { UnstakeTab } from "../unstake/UnstakeTab.tsx";
import { custodyOf } from "./custody.ts";

const operated = unit({ ru_rutxo_id: "b:0", custody_kind: "operator" });
const reward = unit({ ru_rutxo_id: "reward-1", isvirtual: true });

it("names who can move a unit; a reward has no output", () => {
  expect([unit(), operated, reward].map(readUnit).map(custodyOf)).toEqual([
    "Self-custody",
    "Operator custody",
    "Reward",
  ]);
});

it.each([
  [[unit()], true, false],
  [[operated, reward], false, true],
  [[unit(), operated], true, true],
  [[reward], false, false],
])("explains the custody of the units in a list (%#)", async (units, self, operator) => {
  serve({ community: () => community(), fetchWalletUtxos: () => ({ utxos_list: units }) });
  show(<UnstakeTab wallet={wallet} />);
  await screen.findByRole("button", { name: /^Unstake/ });
  expect(screen.queryByText(later.stake.selfCustody, { exact: false }) !== null).toBe(self);
  expect(screen.queryByText(later.stake.operatorCustody, { exact: false }) !== null).toBe(operator);
});
