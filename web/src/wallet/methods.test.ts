import { beforeAll, describe, expect, it } from "vitest";
import { RpcCode } from "./errors.ts";
import type { Method } from "./methods/catalogue.ts";
import { request } from "./request.ts";
import {
  fault,
  ID,
  installStandard,
  ORDINALS,
  PAYMENT,
  PSBT,
  refusal,
  TXID,
  unknownResponse,
} from "./testing/provider.ts";

const INSCRIPTION = `${TXID}i0`;
const entry = {
  address: PAYMENT,
  publicKey: "02ab",
  purpose: "payment",
  addressType: "p2wpkh",
  walletType: "software",
};
const network = { bitcoin: { name: "Regtest" } };
const account = { id: "1", addresses: [entry], walletType: "software", network };
const permission = { type: "account", resourceId: "1", clientId: "https://here", actions: { read: true } };
const inscription = {
  inscriptionId: INSCRIPTION,
  inscriptionNumber: "7",
  address: ORDINALS,
  postage: "546",
  contentLength: "3",
  contentType: "text/plain",
  timestamp: 1,
  offset: 0,
  genesisTransaction: TXID,
  output: `${TXID}:0`,
};
const balance = { runeName: "LOBO", amount: "7", divisibility: 8, symbol: "L", spendableBalance: "7" };
const signature = { signature: "c2ln", messageHash: "", address: ORDINALS, protocol: "BIP322" };
const sent = { txid: "0xabc", transaction: "00" };
const pays = (amount: unknown, address: unknown = PAYMENT) => ({ recipients: [{ address, amount }] });
const runes = (amount: unknown, more: object = {}) => ({
  recipients: [{ runeName: "LOBO", amount, address: PAYMENT, ...more }],
});

interface Case {
  method: Method;
  right: unknown;
  result: unknown;
  /** Invalid params, which must not reach the wallet. */
  wrong: unknown[];
  /** Invalid results. */
  strange: unknown[];
}

const notEmpty = [{}, [], "x", 1];
const noTxid = [{}, { txid: "ab" }, { txid: 5 }, "text", []];

const cases: Case[] = [
  {
    method: "getInfo",
    right: null,
    result: { version: "1", methods: ["getInfo"], supports: [] },
    wrong: notEmpty,
    strange: [[], "1", 5],
  },
  {
    method: "getAddresses",
    right: { purposes: ["payment"] },
    result: { addresses: [entry], network },
    wrong: [null, {}, { purposes: [] }, { purposes: ["moon"] }, { purposes: "payment" }],
    strange: [[], {}, { addresses: {} }],
  },
  {
    method: "getAccounts",
    right: { purposes: ["payment", "ordinals", "stacks"], message: "Moon" },
    result: [entry],
    wrong: [null, {}, { purposes: [] }, { purposes: ["payment"], message: 5 }],
    strange: [{}, "text"],
  },
  {
    method: "getBalance",
    right: null,
    result: { confirmed: "1", unconfirmed: "0", total: "1" },
    wrong: notEmpty,
    strange: [
      {},
      { confirmed: 1.5, unconfirmed: 0, total: 1 },
      { confirmed: "1e+21", unconfirmed: 0, total: 1 },
      { confirmed: "-1", unconfirmed: "0", total: "1" },
    ],
  },
  {
    method: "sendTransfer",
    right: pays(546),
    result: { txid: TXID },
    wrong: [
      null,
      {},
      { recipients: [] },
      pays(0),
      pays(-1),
      pays(1.5),
      pays("546"),
      pays(21e14 + 1),
      pays(Number.NaN),
      pays(546, ""),
      pays(546, 5),
    ],
    strange: noTxid,
  },
  {
    method: "signMessage",
    right: { address: ORDINALS, message: "m" },
    result: signature,
    wrong: [
      null,
      {},
      { address: ORDINALS },
      { address: "", message: "m" },
      { address: ORDINALS, message: 5 },
      { address: ORDINALS, message: "m", protocol: "PGP" },
    ],
    strange: [
      {},
      { ...signature, signature: "" },
      { ...signature, signature: "<html>" },
      { ...signature, address: PAYMENT },
    ],
  },
  {
    method: "signPsbt",
    right: { psbt: PSBT, signInputs: { [ORDINALS]: [0] } },
    result: { psbt: PSBT },
    wrong: [
      null,
      {},
      { psbt: "" },
      { psbt: "not base64!" },
      { psbt: PSBT, signInputs: { [ORDINALS]: [-1] } },
      { psbt: PSBT, signInputs: [0] },
      { psbt: PSBT },
      { psbt: PSBT, signInputs: {}, broadcast: "yes" },
    ],
    strange: [{}, { psbt: "not base64!" }, { psbt: "c2ln" }, { psbt: PSBT, txid: "ab" }],
  },
  {
    method: "runes_getBalance",
    right: null,
    result: { balances: [balance] },
    wrong: notEmpty,
    strange: [{}, { balances: {} }, { balances: "<html>" }],
  },
  {
    method: "runes_transfer",
    right: runes("5"),
    result: { txid: TXID },
    wrong: [
      null,
      {},
      { recipients: [] },
      runes("0"),
      runes("-1"),
      runes("1.5"),
      runes(5),
      runes("9".repeat(40)),
      runes("5", { runeName: "" }),
      runes("5", { runeId: "1" }),
      runes("5", { runeId: "1:2:3" }),
    ],
    strange: noTxid,
  },
  {
    method: "ord_getInscriptions",
    right: { offset: 0, limit: 20 },
    result: { total: 1, limit: 20, offset: 0, inscriptions: [inscription] },
    wrong: [null, {}, { offset: -1, limit: 1 }, { offset: 0, limit: 0 }, { offset: 0.5, limit: 1 }],
    strange: [
      {},
      { total: 1, limit: 20, offset: 0, inscriptions: [{}] },
      { total: -1, limit: 20, offset: 0, inscriptions: [] },
    ],
  },
  {
    method: "ord_sendInscriptions",
    right: { transfers: [{ address: ORDINALS, inscriptionId: INSCRIPTION }] },
    result: { txid: TXID },
    wrong: [
      null,
      {},
      { transfers: [] },
      { transfers: [{ address: ORDINALS, inscriptionId: "x" }] },
      { transfers: [{ inscriptionId: INSCRIPTION }] },
    ],
    strange: noTxid,
  },
  {
    method: "wallet_connect",
    right: { addresses: ["payment"], message: "Moon", network: "Regtest" },
    result: account,
    wrong: ["x", { message: "m".repeat(81) }, { network: "Moonnet" }, { addresses: ["moon"] }, { permissions: [{}] }],
    strange: [{}, [], { ...account, addresses: {} }],
  },
  {
    method: "wallet_requestPermissions",
    right: [permission, { type: "wallet", resourceId: "w", actions: { readNetwork: true } }],
    result: true,
    wrong: [
      {},
      [],
      [{ type: "moon", resourceId: "1", actions: {} }],
      [{ type: "account" }],
      [{ type: "wallet", resourceId: "1", actions: { readNetwork: "yes" } }],
    ],
    strange: [false, "true", {}, 1],
  },
  { method: "wallet_getCurrentPermissions", right: null, result: [permission], wrong: notEmpty, strange: [{}, "all"] },
  { method: "wallet_renouncePermissions", right: null, result: null, wrong: notEmpty, strange: [] },
  { method: "wallet_disconnect", right: null, result: null, wrong: notEmpty, strange: [] },
  { method: "wallet_getWalletType", right: null, result: "ledger", wrong: notEmpty, strange: ["paper", {}, 1] },
  {
    method: "wallet_getNetwork",
    right: null,
    result: network,
    wrong: notEmpty,
    strange: [{}, { bitcoin: {} }, { bitcoin: { name: "Moonnet" } }, "Regtest"],
  },
  {
    method: "wallet_changeNetwork",
    right: { name: "Testnet4" },
    result: null,
    wrong: [null, {}, { name: "regtest" }, "Regtest"],
    strange: [],
  },
  { method: "wallet_getAccount", right: null, result: account, wrong: notEmpty, strange: [{}, [], { id: "1" }] },
  {
    method: "stx_getAccounts",
    right: null,
    result: { addresses: [{ address: "SP1", publicKey: "02", gaiaHubUrl: "", gaiaAppKey: "" }], network },
    wrong: notEmpty,
    strange: [{}, { addresses: [{}] }],
  },
  {
    method: "stx_getAddresses",
    right: { message: "m" },
    result: { addresses: [{ ...entry, purpose: "stacks" }], network },
    wrong: ["x", { message: 5 }],
    strange: [{}, { addresses: {} }],
  },
  {
    method: "stx_signMessage",
    right: { message: "m" },
    result: { signature: "00", publicKey: "02" },
    wrong: [null, {}, { message: 5 }],
    strange: [{}, { signature: "" }],
  },
  {
    method: "stx_signStructuredMessage",
    right: { domain: "0c", message: "0d", publicKey: "02ab" },
    result: { signature: "00", publicKey: "02" },
    wrong: [null, {}, { domain: "", message: "m" }, { domain: "d", message: "m", publicKey: "xyz" }],
    strange: [{}, { signature: 5, publicKey: "02" }],
  },
  {
    method: "stx_signTransaction",
    right: { transaction: "00ff", broadcast: false },
    result: { transaction: "00" },
    wrong: [null, {}, { transaction: "xyz" }, { transaction: "00", broadcast: 1 }],
    strange: [{}, { transaction: "" }],
  },
  {
    method: "stx_signTransactions",
    right: { transactions: ["00", "ff"] },
    result: { transactions: ["01", "02"] },
    wrong: [null, {}, { transactions: [] }, { transactions: ["xyz"] }, { transactions: "00" }],
    strange: [{}, { transactions: ["01"] }, { transactions: [1, 2] }],
  },
  {
    method: "stx_transferStx",
    right: { amount: "100", recipient: "SP1", memo: "m" },
    result: sent,
    wrong: [
      null,
      {},
      { amount: 0, recipient: "SP1" },
      { amount: -1, recipient: "SP1" },
      { amount: "1.5", recipient: "SP1" },
      { amount: 1, recipient: "" },
    ],
    strange: [{}, { txid: "" }],
  },
  {
    method: "stx_callContract",
    right: { contract: "SP1.c", functionName: "f", functionArgs: ["0c"] },
    result: sent,
    wrong: [
      null,
      {},
      { contract: "SP1.c" },
      { contract: "SP1.c", functionName: "f", functionArgs: ["xyz"] },
      { contract: "SP1.c", functionName: "f", postConditionMode: "maybe" },
    ],
    strange: [{}],
  },
  {
    method: "stx_deployContract",
    right: { name: "c", clarityCode: "(ok)", clarityVersion: 3 },
    result: sent,
    wrong: [null, {}, { name: "c" }, { name: "c", clarityCode: "(ok)", clarityVersion: 0 }],
    strange: [{}],
  },
];

beforeAll(() => Promise.all([import("./address.ts"), import("./methods/more.ts")]));

describe.each(cases)("$method", ({ method, right, result, wrong, strange }) => {
  const call = (params: unknown) => request(method as "getInfo", params as never, { provider: ID });

  it("passes valid params to the wallet and returns the result", async () => {
    const { calls } = installStandard({ [method]: { result } });
    expect(await call(right)).toEqual(result);
    expect(calls).toEqual([[method, right]]);
  });

  it("does not send invalid params", async () => {
    const { calls } = installStandard({ [method]: { result } });
    for (const params of wrong)
      await expect(call(params), JSON.stringify(params)).rejects.toEqual(fault(RpcCode.invalidParams));
    expect(calls).toEqual([]);
  });

  it("refuses an invalid result", async () => {
    for (const answer of strange) {
      installStandard({ [method]: { result: answer } });
      await expect(call(right), JSON.stringify(answer)).rejects.toEqual(unknownResponse);
    }
  });

  it("throws the wallet's error with its code", async () => {
    for (const code of [-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, 7]) {
      installStandard({ [method]: refusal(code) });
      await expect(call(right)).rejects.toEqual(fault(code));
    }
  });
});

describe("addresses among params", () => {
  const bad = PAYMENT.replace("w508", "w509");
  it.each([
    ["sendTransfer", pays(546, bad)],
    ["runes_transfer", runes("5", { address: bad })],
    ["signMessage", { address: bad, message: "m" }],
    ["signPsbt", { psbt: PSBT, signInputs: { [bad]: [0] } }],
    ["ord_sendInscriptions", { transfers: [{ address: bad, inscriptionId: INSCRIPTION }] }],
  ])("of %s are checked before anything is sent", async (method, params) => {
    const { calls } = installStandard({});
    await expect(request(method as "getInfo", params as never, { provider: ID })).rejects.toEqual(
      fault(RpcCode.invalidParams, "Invalid address"),
    );
    expect(calls).toEqual([]);
  });
});
