import { describe, expect, it } from "vitest";
import { readUnit } from "../api/wallet.ts";
import { units } from "../testing/wire.ts";
import { unstakeRows } from "./rows.ts";
import { text } from "../lib/text.ts";

describe("unstake list", () => {
  const expected = {
    epochOf: (height: number | null) => (height === null ? 50 : 49),
    startOf: (epoch: number) => epoch * 1_000,
  };
  const rows = unstakeRows(units().map(readUnit), "LOBO", expected);

  it("shows PENDING_STAKE and STAKED only", () => {
    expect(rows.map((row) => row.label)).toEqual([text.unstake.pendingFrom(49), "Staked", "Staked"]);
  });

  it("allows selecting only STAKED, and counts pending ones down", () => {
    expect(rows.map((row) => row.selectable)).toEqual([false, true, true]);
    expect(rows.map((row) => row.until)).toEqual([49_000, null, null]);
    expect(rows.map((row) => row.chip)).toEqual(["Self-custody", "Self-custody", "Reward"]);
  });

  it("has each unit's date, and the transaction of a deposit", () => {
    expect(rows[1]).toMatchObject({ date: "Dec 8, 2026", txid: units()[1]!.ru_txid });
    expect(rows[2]?.txid).toBeNull(); // a reward
  });

  it("shows the epoch in which a deposit is likely to earn, and counts down to it", () => {
    const deposit = { ...readUnit(units()[0]!), eligibleEpoch: null, height: null };
    const [row] = unstakeRows([deposit], "LOBO", expected);
    expect(row).toMatchObject({ label: "Pending stake · likely to earn from epoch 50", until: 50_000 });
  });

  it("disables a stake that was spent elsewhere", () => {
    const [contested] = unstakeRows([{ ...readUnit(units()[1]!), contested: true }], "LOBO", expected);
    expect(contested).toMatchObject({ selectable: false, state: "locked" });
  });
});
