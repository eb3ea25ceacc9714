import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serve, show } from "../testing/page.tsx";
import { community, unit, wallet } from "../testing/wire.ts";
import { WithdrawTab } from "./WithdrawTab.tsx";
import { text } from "../lib/text.ts";

const press = (element: HTMLElement) => act(() => element.click());
const button = (name: string) => screen.getByText<HTMLButtonElement>(name, { selector: "button" });

it("stays usable with 5,000 units, and offers the selection that one order can hold", async () => {
  const many = Array.from({ length: 5_000 }, (_, i) =>
    unit({
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
