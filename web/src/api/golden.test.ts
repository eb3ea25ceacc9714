import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readGlobals } from "./globals.ts";
import { readOrder } from "./orders.ts";
import { readTotals, readUnit } from "./wallet.ts";
import type { Wire } from "./client.ts";

/** The server's tests write what it answers; this half must read exactly that. */
const folder = join(process.cwd(), "..", "api", "testdata", "golden");

function golden<T>(name: string): T {
  const { success, data } = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as { success: boolean; data: T };
  expect(success).toBe(true);
  return data;
}

describe("the server's own answers", () => {
  it("are all envelopes", () => {
    for (const name of readdirSync(folder)) {
      const envelope = JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
      expect(Object.keys(envelope).toSorted(), name).toEqual(["data", "message", "success"]);
    }
  });

  it("give the figures", () => {
    const globals = readGlobals(golden<Wire["InfoGlobals"]>("infoGlobals"));
    expect(globals.end).toBeGreaterThan(0);
    expect(globals.totalIssued).toBeGreaterThan(0n);
    const totals = readTotals(golden<Wire["InfoWallet"]>("postInfoWallet"));
    expect(totals.staked).toBeGreaterThanOrEqual(0n);
  });

  it("give units with whole amounts and readable times", () => {
    const units = golden<Wire["UnitList"]>("fetchWalletUtxos").utxos_list.map(readUnit);
    expect(units.length).toBeGreaterThan(0);
    for (const unit of units) {
      expect(unit.runes).toBeGreaterThan(0n);
      expect(unit.timeout).not.toBeNaN();
    }
  });

  it("give orders whose parts add up", () => {
    const orders = golden<Wire["OrderList"]>("fetchClientPOs").orders.map(readOrder);
    expect(orders.length).toBeGreaterThan(0);
    for (const { fees, date, deadline } of orders) {
      expect(fees.dust + fees.network + fees.service + fees.rutxos).toBe(fees.total);
      expect(date).not.toBeNaN();
      expect(deadline).not.toBeNaN();
    }
  });
});
