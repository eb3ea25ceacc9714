import { beforeAll, describe, expect, it } from "vitest";
import { WalletError } from "./errors.ts";
import { connect, readRuneBalance, type Method, type RuneHolding, type Session } from "./index.ts";
import { callOf } from "./methods/catalogue.ts";
import { XVERSE } from "./providers.ts";
import { isSameTransaction } from "./signatures.ts";
import { request } from "./request.ts";
import unisat from "./testing/answers/unisat-1.7.13.json" with { type: "json" };
import xverse from "./testing/answers/xverse-0.49.0.json" with { type: "json" };
import { putOnPage } from "./testing/provider.ts";
import { variantsOf } from "./testing/variants.ts";

/**
 * Replays every captured response of a real wallet, unchanged and with each of its fields changed. The library returns
 * the true value or throws a WalletError. It throws nothing else, guesses no amount and no id, and always terminates.
 */

interface Captured {
  method: string;
  params?: unknown;
  answer?: unknown;
  thrown?: unknown;
  note: string;
}

const LOBO = { name: "LOBO•THE•WOLF•PUP", id: "116:2" };
const capturedBy = (entries: readonly object[]) =>
  entries.filter((entry) => "answer" in entry || "thrown" in entry) as Captured[];
const fromXverse = capturedBy(xverse.entries);
const fromUnisat = capturedBy(unisat.entries);
const resultOf = ({ answer }: Captured) => (answer as { result?: unknown }).result;
const errorOf = ({ answer }: Captured) => (answer as { error?: { code: number } }).error;

/** The captured response of the connected wallet, or of a grant. */
const account = resultOf(
  fromXverse.find((entry) => entry.method === "wallet_getAccount" && resultOf(entry) !== undefined)!,
);

function installXverse(method: string, answer: unknown): void {
  const captured = async (name: string) => {
    if (name === method) return answer;
    return name === "wallet_getAccount"
      ? { jsonrpc: "2.0", id: "1", result: account }
      : { jsonrpc: "2.0", id: "1", error: { code: -32601, message: "not supported" } };
  };
  putOnPage(XVERSE, { request: captured });
}

/** The outcome of a call: its result or its WalletError. Anything else fails the test. */
async function outcome<T>(call: Promise<T>, change: string): Promise<{ result: T } | { fault: WalletError }> {
  try {
    return { result: await call };
  } catch (error) {
    expect(error, change).toBeInstanceOf(WalletError);
    return { fault: error as WalletError };
  }
}

/** Amounts and ids in a result. */
const TRUE_FIELDS = ["amount", "spendableBalance", "confirmed", "total", "txid"];

function valuesIn(result: unknown): [string, unknown][] {
  if (typeof result !== "object" || result === null) return [];
  return Object.entries(result).flatMap(([key, value]) =>
    TRUE_FIELDS.includes(key) ? [[key, value] as [string, unknown]] : valuesIn(value),
  );
}

/** Every amount and id of the result is in the true response, and a PSBT is the original one. */
function expectNoInventedValues(result: unknown, expected: unknown, change: string): void {
  const psbtOf = (value: unknown) => (value as { psbt?: string } | null)?.psbt || undefined;
  const [actual, original] = [psbtOf(result), psbtOf(expected)];
  if (actual && original) expect(isSameTransaction(original, actual), change).toBe(true);
  const named = ([key, value]: [string, unknown]) => `${key} ${String(value)}`;
  const known = new Set(valuesIn(expected).map(named));
  const guessed = valuesIn(result).filter(
    (field) => field[1] !== undefined && field[1] !== "" && !known.has(named(field)),
  );
  expect(guessed, change).toEqual([]);
}

beforeAll(() =>
  Promise.all([
    import("./address.ts"),
    import("./psbt.ts"),
    import("./adapters/xverse.ts"),
    import("./adapters/unisat.ts"),
  ]),
);

describe.each(fromXverse)("Xverse 0.49.0, $method ($note)", (entry) => {
  const { method, params = null, answer } = entry;
  const call = () => request(method as "getInfo", params as null, { provider: XVERSE });

  it("is read unchanged, or throws the wallet's own error", async () => {
    installXverse(method, answer);
    const actual = await outcome(call(), "as it came");
    if (!(await callOf(method as Method)) || errorOf(entry)) return expect(actual).toHaveProperty("fault");
    expect(actual).toHaveProperty("result");
  });

  it("is read correctly or refused if any field is changed", async () => {
    installXverse(method, answer);
    const unchanged = await outcome(call(), "as it came");
    const expected = "result" in unchanged ? unchanged.result : null;
    for (const [change, changed] of variantsOf(answer)) {
      installXverse(method, changed);
      const actual = await outcome(call(), change);
      if ("result" in actual) expectNoInventedValues(actual.result, expected, change);
    }
  });
});

const granted = fromXverse.filter(
  (entry) => ["wallet_connect", "wallet_requestPermissions"].includes(entry.method) && resultOf(entry),
);
const holding = fromXverse.find(
  (entry) => entry.method === "runes_getBalance" && JSON.stringify(entry.answer).includes("LOBO"),
)!;

describe("the meaning of Xverse's responses", () => {
  it.each(granted)("$method ($note) connects with its two addresses, or throws", async ({ method, answer }) => {
    const connected = async (changed: unknown) => {
      putOnPage(XVERSE, {
        request: async (name: string) =>
          name === method ? changed : { jsonrpc: "2.0", id: "1", error: { code: -32601, message: "not supported" } },
      });
      return outcome(connect(XVERSE, { network: "Regtest" }), method);
    };
    const expected = (await connected(answer)) as { result: Session };
    expect(expected.result.payment.address).toMatch(/^bcrt1q/);
    expect(expected.result.ordinals.address).toMatch(/^bcrt1p/);
    for (const [change, changed] of variantsOf(answer)) {
      const actual = await connected(changed);
      if ("result" in actual) expect(actual.result, change).toEqual(expected.result);
    }
  });

  it("the balance is correct, or reported as unknown", async () => {
    const read = async (changed: unknown): Promise<RuneHolding> => {
      installXverse("runes_getBalance", changed);
      return readRuneBalance(LOBO, { provider: XVERSE });
    };
    expect(await read(holding.answer)).toEqual({ known: true, total: 500_000_000_000n, spendable: 500_000_000_000n });
    for (const [change, changed] of variantsOf(holding.answer)) {
      const found = await read(changed);
      if (found.known)
        expect([found.total, found.spendable ?? found.total], change).toEqual([500_000_000_000n, 500_000_000_000n]);
      else expect(found.reason, change).toBeInstanceOf(WalletError);
    }
  });

  it("optional fields may be missing, and entries of other runes may be malformed", async () => {
    const [own] = (resultOf(holding) as { balances: Record<string, unknown>[] }).balances;
    const { spendableBalance: _, symbol: __, divisibility: ___, inscriptionId: ____, ...needed } = own!;
    const strange = [null, "HTML", { runeName: "MOON", amount: "1e+21" }, { runeName: "DUST", amount: { moon: 1 } }];
    installXverse("runes_getBalance", { jsonrpc: "2.0", id: "1", result: { balances: [...strange, needed] } });
    expect(await readRuneBalance(LOBO, { provider: XVERSE })).toEqual({
      known: true,
      total: 500_000_000_000n,
      spendable: null,
    });
  });
});

const SIGNET = { enum: "BITCOIN_SIGNET", name: "Bitcoin Signet", network: "testnet" };
const [unisatAccount] = fromUnisat.find(({ method, note }) => method === "getAccounts" && note.startsWith("connected"))!
  .answer as string[];
const unisatKey = fromUnisat.find(({ method, answer }) => method === "getPublicKey" && answer)!.answer;

/** The library's method that makes each call of Unisat. */
const calls: Record<string, (params: any[]) => [Method, unknown]> = {
  getNetwork: () => ["wallet_getNetwork", null],
  getChain: () => ["wallet_getNetwork", null],
  getAccounts: () => ["wallet_getAccount", null],
  getPublicKey: () => ["wallet_getAccount", null],
  requestAccounts: () => ["wallet_connect", null],
  getBalance: () => ["getBalance", null],
  getVersion: () => ["getInfo", null],
  getInscriptions: ([offset, limit]) => ["ord_getInscriptions", { offset, limit }],
  signMessage: ([message, type]) => [
    "signMessage",
    { address: unisatAccount, message, protocol: type === "bip322-simple" ? "BIP322" : "ECDSA" },
  ],
  signPsbt: ([psbt]) => ["signPsbt", { psbt: toBase64(psbt), signInputs: { [unisatAccount!]: [0] } }],
  pushPsbt: ([psbt]) => ["signPsbt", { psbt: toBase64(psbt), signInputs: { [unisatAccount!]: [0] }, broadcast: true }],
  sendBitcoin: ([address, amount]) => ["sendTransfer", { recipients: [{ address, amount }] }],
  sendRunes: ([address, runeId, amount]) => [
    "runes_transfer",
    { recipients: [{ runeName: LOBO.name, runeId, amount, address }] },
  ],
  switchChain: () => ["wallet_changeNetwork", { name: "Signet" }],
  disconnect: () => ["wallet_disconnect", null],
};

function toBase64(psbt: string): string {
  return /^[0-9a-f]+$/i.test(psbt) ? Buffer.from(psbt, "hex").toString("base64") : psbt;
}

function installUnisat(method: string, answer: () => Promise<unknown>): void {
  const returning = (value: unknown) => async () => value;
  const wallet: Record<string, unknown> = {
    requestAccounts: returning([unisatAccount]),
    getAccounts: returning([unisatAccount]),
    getPublicKey: returning(unisatKey),
    getNetwork: returning("unknown"),
    getChain: returning(SIGNET),
    signPsbt: async (psbt: string) => psbt,
    [method]: answer,
  };
  if (method === "getNetwork") delete wallet["getChain"];
  putOnPage("unisat", wallet);
}

describe.each(fromUnisat.filter(({ method }) => method in calls))("Unisat 1.7.13, $method ($note)", (entry) => {
  const [method, params] = calls[entry.method]!((entry.params ?? []) as unknown[]);
  const call = (answer: () => Promise<unknown>, change: string) => {
    installUnisat(entry.method, answer);
    return outcome(request(method as "getInfo", params as null, { provider: "unisat" }), change);
  };
  const returning = (value: unknown) => async () => value;
  const throws = (value: unknown) => () => Promise.reject(value);

  it("is read or refused, unchanged and with any field changed", async () => {
    const unchanged = "answer" in entry ? returning(entry.answer) : throws(entry.thrown);
    const expected = await call(unchanged, "as it came");
    for (const [change, changed] of variantsOf("answer" in entry ? entry.answer : entry.thrown)) {
      const actual = await call("answer" in entry ? returning(changed) : throws(changed), change);
      if ("result" in actual && entry.method !== "getInscriptions") {
        expectNoInventedValues(actual.result, "result" in expected ? expected.result : null, change);
      }
    }
  });
});
