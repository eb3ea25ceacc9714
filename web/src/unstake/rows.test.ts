import { describe, expect, it } from "vitest";
import { readUnit } from "../api/wallet.ts";
import { units } from "../testing/wire.ts";
import { unstakeRows } from "./rows.ts";
import { text } from "../lib/text.ts";

describe("unstake list", () => {
  const rows = unstakeRows(units().map(readUnit), "LOBO", 1_000);

  it("shows PENDING_STAKE and STAKED only", () => {
    expect(rows.map((row) => row.label)).toEqual([text.unstake.pendingFrom(49), "Staked", "Staked"]);
  });

  it("lets only STAKED be chosen, and counts pending ones down", () => {
    expect(rows.map((row) => row.selectable)).toEqual([false, true, true]);
    expect(rows.map((row) => row.until)).toEqual([1_000, null, null]);
    expect(rows.map((row) => row.chip)).toEqual(["Stake", "Stake", "Reward"]);
  });

  it("holds back a stake that was spent elsewhere", () => {
    const [contested] = unstakeRows([{ ...readUnit(units()[1]!), contested: true }], "LOBO", 1_000);
    expect(contested).toMatchObject({ selectable: false, look: "locked" });
  });
});
