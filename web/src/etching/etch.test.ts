import { beforeAll, describe, expect, it } from "vitest";
import { etching as german } from "../lib/text/de.etching.ts";
import { etching as english } from "../lib/text/en.etching.ts";
import { walletErrors } from "../lib/text/en.wallet.ts";
import { RpcCode, WalletError, type RunesOrder, type Session } from "../wallet/index.ts";
import { emptyEtching, etchParams, mintParams, readEtching, readRate, type EtchFields } from "./etch.ts";
import { orderIn, reasonOf } from "./orders.ts";
import { stepsOf } from "./Steps.tsx";
import { MAX_U128, nameText, parseUnits, unitsText } from "./units.ts";
import { loadSentences } from "../lib/translate.ts";

beforeAll(loadSentences);

const session = { ordinals: { address: "ord" }, payment: { address: "pay" } } as unknown as Session;
const typed = (fields: Partial<EtchFields>): EtchFields => ({
  ...emptyEtching,
  name: "WOLVES•AT•NIGHT",
  divisibility: "2",
  premine: "1000",
  amount: "12.5",
  cap: "100",
  ...fields,
});

describe("units", () => {
  it.each([
    ["12.5", 2, 1250n],
    ["12", 0, 12n],
    ["0.01", 2, 1n],
    ["340282366920938463463374607431768211455", 0, MAX_U128],
    ["340282366920938463463374607431768211456", 0, null],
    ["1.255", 2, null],
    ["1.5", 0, null],
    ["", 2, null],
    ["-1", 2, null],
    ["1e3", 2, null],
    ["1,5", 2, null],
  ])("%s with %i decimals is %s", (text, decimals, units) => {
    expect(parseUnits(text, decimals)).toBe(units);
    if (units !== null) expect(parseUnits(unitsText(units, decimals), decimals)).toBe(units);
  });

  it.each([
    ["wolves at night", "WOLVES•AT•NIGHT"],
    ["Wolves.At..Night ", "WOLVES•AT•NIGHT•"],
    ["•a", "A"],
    ["w0lv3s!", "WLVS"],
  ])("%j as a name is %s", (text, name) => expect(nameText(text)).toBe(name));
});

describe("an etching", () => {
  it("is parsed in base units", () => {
    expect(readEtching(typed({}))).toMatchObject({
      premine: 100_000n,
      amount: 1250n,
      cap: 100n,
      supply: 225_000n,
      divisibility: 2,
    });
    expect(readEtching(typed({ mintable: false, amount: "", cap: "" }))).toMatchObject({ supply: 100_000n });
    expect(readEtching(typed({ name: "WOLVES•" }))).toMatchObject({ name: "WOLVES" });
  });

  it.each<[Partial<EtchFields>, string]>([
    [{ name: "" }, english.needName],
    [{ divisibility: "39" }, english.needDivisibility],
    [{ divisibility: "x" }, english.needDivisibility],
    [{ premine: "1.555" }, english.needAmount("Premine", 2)],
    [{ amount: "" }, english.needAmount("Runes per mint", 2)],
    [{ amount: "0" }, english.needAmount("Runes per mint", 2)],
    [{ cap: "1.5" }, english.needCap],
    [{ cap: "0" }, english.needCap],
    [{ amount: MAX_U128.toString(), divisibility: "0", cap: "2" }, english.tooMuch],
    [{ mintable: false, premine: "" }, english.needSupply],
    [{ heightEnd: "soon" }, english.needHeight],
  ])("%j is refused", (fields, why) => expect(readEtching(typed(fields))).toBe(why));

  it("requests only what was typed", () => {
    const fields = typed({ symbol: "🐺", offsetEnd: "500" });
    const etching = readEtching(fields);
    if (typeof etching === "string") throw new Error(etching);
    expect(etchParams(fields, etching, 2.5, session)).toEqual({
      runeName: "WOLVES•AT•NIGHT",
      divisibility: 2,
      symbol: "🐺",
      premine: "100000",
      isMintable: true,
      terms: { amount: "1250", cap: "100", offsetEnd: "500" },
      destinationAddress: "ord",
      refundAddress: "pay",
      feeRate: 2.5,
      network: "Regtest",
    });
    expect(mintParams("WOLVES•", 3, 2, session)).toMatchObject({
      runeName: "WOLVES",
      repeats: 3,
      destinationAddress: "ord",
      refundAddress: "pay",
    });
  });

  it.each([
    ["2", 2],
    ["2,5", 2.5],
    ["0.5", null],
    ["1001", null],
    ["", null],
    ["fast", null],
  ])("%j sat/vB is %s", (text, rate) => {
    expect(readRate(text)).toBe(rate);
  });
});

describe("an order", () => {
  const order = (
    state: RunesOrder["state"],
    orderType: RunesOrder["orderType"],
    ...transactions: NonNullable<RunesOrder["transactions"]>
  ): RunesOrder => ({
    id: "1",
    orderType,
    state,
    fundingAddress: "a",
    createdAt: "2026-11-21T00:00:00Z",
    transactions,
  });
  const tx = (role: "funding" | "commit" | "reveal" | "mint", confirmations: number) => ({
    txid: "a".repeat(64),
    role,
    confirmations,
    fee: 0,
    size: 0,
  });
  const done = (found: RunesOrder) => stepsOf(found).map(({ done }) => done);

  it("goes step by step", () => {
    expect(done(order("new", "rune_etch"))).toEqual([false, false, false, false, false]);
    expect(done(order("pending", "rune_etch", tx("funding", 0)))).toEqual([true, false, false, false, false]);
    expect(done(order("executing", "rune_etch", tx("funding", 1), tx("commit", 0)))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(done(order("executing", "rune_etch", tx("funding", 5), tx("commit", 4)))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(done(order("executing", "rune_etch", tx("funding", 6), tx("commit", 5), tx("reveal", 0)))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(done(order("complete", "rune_etch", tx("funding", 7), tx("commit", 6), tx("reveal", 1)))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(stepsOf(order("executing", "rune_mint", tx("funding", 2), tx("mint", 1), tx("mint", 0))).at(-1)).toEqual({
      name: english.stepMints,
      note: "1 of 2",
      done: false,
    });
  });

  it("reports the service's message and the order's id", () => {
    const refused = new WalletError(RpcCode.invalidRequest, '{"message":"The payment contains runes."}', {
      orderId: "o-1",
    });
    expect(reasonOf(refused).message).toBe("The payment contains runes.");
    expect(orderIn(refused)).toBe("o-1");
    expect(reasonOf(new WalletError(RpcCode.userRejection, "no")).message).toBe(walletErrors.declined);
    expect(reasonOf(new TypeError("x is undefined")).message).toBe(english.failed);
    expect(orderIn(new Error("x"))).toBeNull();
  });
});

it("has no English sentence left", () => {
  const same = ["Symbol", "Premine", "Mint", "Etching"];
  const leaves = (value: unknown): string[] =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(leaves)
        : [];
  const words = new Set(leaves(english));
  expect(leaves(german).filter((word) => words.has(word) && !same.includes(word))).toEqual([]);
});
