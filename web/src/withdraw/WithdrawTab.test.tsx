import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../testing/page.tsx";
import { community, unit, wallet } from "../testing/wire.ts";
import { WithdrawTab } from "./WithdrawTab.tsx";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";

const press = (element: HTMLElement) => act(() => element.click());
const button = (name: string) => screen.getByText<HTMLButtonElement>(name, { selector: "button" });

it("stays usable with 5,000 units, and offers the selection that one order can hold", async () => {
  const many = Array.from({ length: 5_000 }, (_, i) =>
    unit({
      custody_kind: "operator",
      ru_rutxo_id: `${i.toString(16).padStart(64, "0")}:0`,
      ru_stage: "UNLOCKED",
      ru_rune_amount: `${i + 1}00000000`,
    }),
  );
  serve({
    community: () => community(),
    fetchWalletUtxos: () => ({ utxos_list: many }),
    fetchClientPOs: () => ({ orders: [] }),
  });
  const { container } = show(<WithdrawTab wallet={wallet} onOpenOrder={() => {}} />);
  const all = await screen.findByLabelText("Select all");
  const rows = container.querySelectorAll("[role=listitem]");
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.length).toBeLessThan(50);
  expect([rows[1]!.getAttribute("aria-posinset"), rows[1]!.getAttribute("aria-setsize")]).toEqual(["2", "5000"]);
  press(all);
  expect(container.querySelectorAll("[role=listitem] input:checked")).toHaveLength(rows.length);
  expect(screen.getByText(/^5,000 selected, 12,502,500/)).toBeTruthy();
  expect([button("Restake").disabled, button("Withdraw").disabled]).toEqual([true, true]);
  press(button(text.common.keepLargest(800)));
  expect([button("Restake").disabled, button("Withdraw").disabled]).toEqual([false, true]);
  press(button(text.common.keepLargest(150)));
  expect(screen.getByText(/^150 selected, 738,825/)).toBeTruthy();
  expect(button("Withdraw").disabled).toBe(false);
  press(button("Reset"));
  expect(container.querySelectorAll("[role=listitem] input:checked")).toHaveLength(0);
});

const unlocked = (id: string, change: Parameters<typeof unit>[0] = {}) =>
  unit({ ru_rutxo_id: id, ru_stage: "UNLOCKED", ru_rune_amount: "100000000", ...change });

async function open(units: ReturnType<typeof unit>[]) {
  serve({
    community: () => community(),
    fetchWalletUtxos: () => ({ utxos_list: units }),
    fetchClientPOs: () => ({ orders: [] }),
  });
  show(<WithdrawTab wallet={wallet} onOpenOrder={() => {}} />);
  press(await screen.findByLabelText("Select all"));
}

it("asks for two orders of rewards and stakes in self-custody, before anything is signed", async () => {
  const reward = { isvirtual: true, ru_txid: null };
  await open([unlocked("a:0"), unlocked("b:0"), unlocked("reward-1", reward), unlocked("reward-2", reward)]);
  screen.getByText(later.oneTx.apart);
  expect([button("Restake").disabled, button("Withdraw").disabled]).toEqual([false, true]);
  press(button(later.oneTx.onlyStakes));
  screen.getByText(/^2 selected, 2/);
  expect(screen.queryByText(later.oneTx.apart)).toBeNull();
  expect(button("Withdraw").disabled).toBe(false);
  press(screen.getByLabelText("Select all"));
  press(button(later.oneTx.onlyRewards));
  screen.getByText(/^2 selected, 2/);
  expect(button("Withdraw").disabled).toBe(false);
});

it("lets stakes in both kinds of custody share an order, and rewards and stakes of the operator", async () => {
  await open([unlocked("a:0"), unlocked("b:0", { custody_kind: "operator" })]);
  expect(button("Withdraw").disabled).toBe(false);
});

it("offers the 80 largest units of a selection with stakes in self-custody", async () => {
  await open(Array.from({ length: 81 }, (_, i) => unlocked(`${i.toString(16).padStart(64, "0")}:0`)));
  screen.getByText(later.oneTx.tooManySelf(80), { exact: false });
  expect(button("Withdraw").disabled).toBe(true);
  press(button(text.common.keepLargest(80)));
  expect(button("Withdraw").disabled).toBe(false);
});
