import { describe, expect, it } from "vitest";
import { readOrder } from "../api/orders.ts";
import { readUnit } from "../api/wallet.ts";
import { economyOrder, orders, units } from "../testing/wire.ts";
import { withdrawRows } from "./rows.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";

describe("withdraw list", () => {
  const all = units().map(readUnit);
  const rows = withdrawRows(all, orders().map(readOrder), "LOBO");

  it("names the five stages", () => {
    expect(rows.map((row) => row.label)).toEqual([
      "Unlocked",
      "Unlocked",
      "Pending unlock",
      text.withdraw.poLocked,
      text.withdraw.batchLocked,
      text.withdraw.pendingWithdraw,
    ]);
  });

  it("allows selecting only UNLOCKED", () => {
    expect(rows.filter((row) => row.selectable)).toHaveLength(2);
    expect(rows.filter((row) => row.state === "locked")).toHaveLength(4);
  });

  it("counts down PENDING_UNLOCK and PO_LOCKED, and links orders", () => {
    expect(rows.map((row) => row.until !== null)).toEqual([false, false, true, true, false, false]);
    expect(rows.map((row) => row.opens)).toEqual([null, null, null, "o-pending", "o-paid", "o-part"]);
  });

  it("says for what rate an economy order waits", () => {
    const waiting = readOrder(economyOrder({}, { po_order_id: "o-paid" }));
    expect(withdrawRows(all, [waiting], "LOBO").map(({ label }) => label)).toContain(later.economy.waitsFor("2.5"));
  });

  it("says that everything is paid but unconfirmed", () => {
    const covered = orders().map(readOrder).map((order) => ({ ...order, due: 0n }));
    expect(withdrawRows(all, covered, "LOBO").at(-1)?.label).toBe(text.withdraw.paidUnconfirmed);
  });
});
