import { describe, expect, it } from "vitest";
import { readUnit } from "../api/wallet.ts";
import { unit } from "../testing/wire.ts";
import { stepsOf, unitOf } from "./run.ts";
import type { Run } from "./runs.ts";
import { walletErrors } from "../lib/text/en.wallet.ts";

const txid = "ab".repeat(32);
const stake: Run = {
  id: "1",
  owner: "o",
  amount: 500n,
  phase: "sent",
  address: "bcrt1pstake",
  txid,
  error: null,
  hintLost: false,
  proof: null,
  rehearsal: null,
  search: null,
  inBackground: false,
  unsaved: false,
  flow: null,
  before: new Set(["old:0"]),
};
const old = readUnit(unit({ ru_rutxo_id: "old:0", ru_txid: "old", ru_rune_amount: "500" }));
const deposit = readUnit(
  unit({ ru_rutxo_id: `${txid}:0`, ru_txid: txid, ru_rune_amount: "500", ru_stage: "PENDING_STAKE" }),
);

describe("a stake on its way", () => {
  it("passes the steps sign, broadcast, seen, counted", () => {
    expect(stepsOf({ ...stake, phase: "address", txid: null }, undefined)).toEqual([
      "running",
      "waiting",
      "waiting",
      "waiting",
    ]);
    expect(stepsOf({ ...stake, phase: "report" }, undefined)).toEqual(["done", "running", "waiting", "waiting"]);
    expect(stepsOf(stake, undefined)).toEqual(["done", "done", "running", "waiting"]);
    expect(stepsOf(stake, deposit)).toEqual(["done", "done", "done", "running"]);
    expect(stepsOf(stake, { ...deposit, stage: "STAKED" })).toEqual(["done", "done", "done", "done"]);
  });

  it("finds its unit by the transaction", () => {
    expect(unitOf(stake, [old, deposit])).toBe(deposit);
    expect(unitOf(stake, [old])).toBeUndefined();
  });

  it("prefers the chain over the wallet's refusal", () => {
    const error = { message: walletErrors.runesRejected, details: null };
    const failed: Run = { ...stake, phase: "failed", txid: null, error };
    expect(unitOf(failed, [old])).toBeUndefined();
    expect(stepsOf(failed, undefined)).toEqual(["waiting", "waiting", "waiting", "waiting"]);
    expect(unitOf(failed, [deposit, old])).toBe(deposit);
    expect(stepsOf(failed, deposit)).toEqual(["done", "done", "done", "running"]);
  });

  it("matches no unit before it has an address", () => {
    expect(unitOf({ ...stake, phase: "failed", txid: null, address: null }, [deposit])).toBeUndefined();
  });
});
