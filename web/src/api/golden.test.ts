import { describe, expect, it } from "vitest";
import { golden, goldenEnvelope, goldenNames } from "../testing/golden.ts";
import { readGlobals } from "./globals.ts";
import { readEarning, readEntry } from "./history.ts";
import { readOrder } from "./orders.ts";
import { readTotals, readUnit } from "./wallet.ts";
import type { Wire } from "./client.ts";

/** The server's tests write these responses; the page must be able to read them. */
describe("golden responses", () => {
  it("are all envelopes", () => {
    for (const name of goldenNames) {
      const envelope = goldenEnvelope(name) as unknown as Record<string, unknown>;
      const { code, values, request_id: requestID, ...specified } = envelope;
      expect(Object.keys(specified).toSorted(), name).toEqual(["data", "message", "success"]);
      expect(typeof code, name).toBe(envelope["success"] ? "undefined" : "string");
      expect(typeof requestID, name).toBe(typeof code);
      if (envelope["success"]) expect(values, name).toBeUndefined();
    }
  });

  it("parse to the figures", () => {
    const globals = readGlobals(golden<Wire["InfoGlobals"]>("infoGlobals"));
    expect(globals.end).toBeGreaterThan(0);
    expect(globals.totalIssued).toBeGreaterThan(0n);
    const totals = readTotals(golden<Wire["InfoWallet"]>("postInfoWallet"));
    expect(totals.staked).toBeGreaterThanOrEqual(0n);
  });

  it("parse to units with whole amounts and valid times", () => {
    const units = golden<Wire["UnitList"]>("fetchWalletUtxos").utxos_list.map(readUnit);
    expect(units.length).toBeGreaterThan(0);
    for (const unit of units) {
      expect(unit.runes).toBeGreaterThan(0n);
      expect(unit.timeout).not.toBeNaN();
    }
  });

  it("parse to orders whose items add up", () => {
    const orders = golden<Wire["OrderList"]>("fetchClientPOs").orders.map(readOrder);
    expect(orders.length).toBeGreaterThan(0);
    for (const { fees, date, deadline } of orders) {
      expect(fees.dust + fees.network + fees.service + fees.rutxos).toBe(fees.total);
      expect(date).not.toBeNaN();
      expect(deadline).not.toBeNaN();
    }
  });

  it("parse to earnings that follow from stake and totals", () => {
    const earnings = golden<Wire["EarningList"]>("earnings").earnings.map(readEarning);
    expect(earnings.length).toBeGreaterThan(0);
    for (const { stake, totalStaked, reward, rewarded, start, end } of earnings) {
      const exact = (rewarded * stake) / totalStaked;
      expect(reward - exact === 0n || reward - exact === 1n).toBe(true);
      expect(end).toBeGreaterThan(start);
    }
    expect(golden<Wire["EarningList"]>("earnings.none").earnings).toEqual([]);
  });

  it("parse to a journal with valid times", () => {
    for (const entry of golden<Wire["ActivityList"]>("activity").activity.map(readEntry)) {
      expect(entry.date).not.toBeNaN();
      expect(entry.runes === null || entry.sats === null).toBe(true);
    }
  });
});
