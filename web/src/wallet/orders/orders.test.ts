import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RpcCode, WalletError } from "../errors.ts";
import type { Method } from "../methods/catalogue.ts";
import { request } from "../request.ts";
import {
  fault,
  ID,
  installStandard,
  ORDINALS,
  PAYMENT,
  type Reply,
  refusal,
  TXID,
  unknownResponse,
} from "../testing/provider.ts";
import {
  configureOrders,
  etchRunes,
  findOrder,
  hasOrders,
  mintRunes,
  rbfOrder,
  type EtchParams,
  type MintParams,
} from "./index.ts";
import { walletTexts } from "../texts.ts";

const BASE = "http://orders.test/orders/regtest/v1";
const FUND = "bcrt1pw53jtgez0wf69n06fchp0ctk48620zdscnrj8heh86wykp9mv20q7vd3gm";

const minting: MintParams = {
  runeName: "LOBO•THE•WOLF",
  repeats: 3,
  destinationAddress: ORDINALS,
  refundAddress: PAYMENT,
  feeRate: 2.5,
  network: "Regtest",
};
const etching: EtchParams = {
  runeName: "MOON•DOGS•RUN",
  divisibility: 8,
  symbol: "🐺",
  premine: "100",
  isMintable: true,
  terms: { amount: "5", cap: "10", heightStart: "200" },
  inscriptionDetails: { contentType: "text/plain", contentBase64: "aGk=" },
  destinationAddress: ORDINALS,
  refundAddress: PAYMENT,
  feeRate: 2,
  appServiceFee: 1000,
  appServiceFeeAddress: PAYMENT,
  network: "Regtest",
};
const { refundAddress: _, ...estimatingMint } = minting;
const { refundAddress: __, ...estimatingEtch } = etching;

const created = { orderId: "o-1", fundAddress: FUND, fundAmount: 12_345 };
const funded = { orderId: "o-1", fundTransactionId: TXID, fundingAddress: FUND };
const estimate = {
  totalSize: 300,
  totalCost: 1500,
  costBreakdown: { postage: 546, networkFee: 750, serviceFee: 104, appServiceFee: 100 },
};
const order = {
  id: "o-1",
  orderType: "rune_mint",
  state: "executing",
  fundingAddress: FUND,
  createdAt: "2026-11-21T00:00:00Z",
};
const bump = { orderId: "o-1", newFeeRate: 9, network: "Regtest" } as const;

type Answer = [status: number, body: unknown] | Error;
let requests: [path: string, body: unknown][];

/** The service, with responses by path. A list is consumed in order; its last response repeats. */
function serve(answers: Record<string, Answer | Answer[]>): void {
  const isOne = (answer: Answer | Answer[]): answer is Answer =>
    answer instanceof Error || typeof answer[0] === "number";
  const listOf = (answer: Answer | Answer[]): Answer[] => (isOne(answer) ? [answer] : [...answer]);
  const remaining = new Map(Object.entries(answers).map(([path, answer]) => [path, listOf(answer)]));
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    const path = url.replace(`${BASE}/`, "");
    requests.push([path, init?.body === undefined ? undefined : JSON.parse(init.body as string)]);
    const queue = remaining.get(path) ?? [[404, { message: `no ${path}` }] as Answer];
    const answer = queue.length > 1 ? queue.shift()! : queue[0]!;
    if (answer instanceof Error) throw answer;
    const body = typeof answer[1] === "string" ? answer[1] : JSON.stringify(answer[1]);
    return new Response(body, { status: answer[0] });
  });
}

const paying = { sendTransfer: { result: { txid: TXID } } };
const listing = (...methods: string[]): Reply => ({ result: { version: "1", methods, supports: [] } });
const valid = {
  "runes/mint/orders": [200, created] as Answer,
  "runes/mint/orders/o-1/execute": [200, funded] as Answer,
  "runes/etch/orders": [200, created] as Answer,
  "runes/etch/orders/o-1/execute": [200, funded] as Answer,
  "runes/mint/estimate": [200, estimate] as Answer,
  "runes/etch/estimate": [200, estimate] as Answer,
  "orders/o-1": [200, order] as Answer,
  "orders/o-1/rbf-estimate": [200, { rbfCost: 700, fundingAddress: FUND }] as Answer,
};

beforeAll(() => Promise.all([import("../address.ts"), import("./flows.ts"), import("../methods/more.ts")]));

beforeEach(() => {
  requests = [];
  configureOrders({ Regtest: `${BASE}/` });
});

afterEach(() => {
  configureOrders({ Regtest: null });
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const options = { provider: ID };
const withoutNetwork = (params: object) =>
  Object.fromEntries(Object.entries(params).filter(([field]) => field !== "network"));

describe.each([
  ["runes_mint", "mint", minting, mintRunes as (params: never, o?: object) => Promise<unknown>],
  ["runes_etch", "etch", etching, etchRunes as (params: never, o?: object) => Promise<unknown>],
] as const)("%s", (method, kind, params, order) => {
  it("uses the wallet's own method if the wallet lists it", async () => {
    serve({});
    const { calls } = installStandard({ getInfo: listing(method), [method]: { result: funded } });
    expect(await order(params as never, options)).toEqual(funded);
    expect(calls).toEqual([["getInfo", null], [method, params]]);
    expect(requests).toEqual([]);
  });

  it.each([
    RpcCode.userRejection,
    RpcCode.invalidParams,
    RpcCode.internalError,
    RpcCode.methodNotSupported,
    RpcCode.accessDenied,
  ])("throws the wallet's error %i unchanged", async (code) => {
    serve(valid);
    installStandard({ getInfo: listing(method), [method]: refusal(code), ...paying });
    await expect(order(params as never, options)).rejects.toEqual(fault(code));
    expect(requests).toEqual([]);
  });

  it.each([
    ["does not list the method", { getInfo: listing("sendTransfer") }],
    ["lists none", { getInfo: { result: { version: "1" } } }],
    ["sends no data about the page", {}],
    ["lists the method but does not find it", { getInfo: listing(method), [method]: refusal(RpcCode.methodNotFound) }],
  ])("creates, pays and executes an order if the wallet %s", async (_why, replies) => {
    serve(valid);
    const { calls } = installStandard({ ...replies, ...paying });
    const onOrder = vi.fn();
    expect(await order(params as never, { ...options, onOrder })).toEqual(funded);
    expect(requests).toEqual([
      [`runes/${kind}/orders`, withoutNetwork(params)],
      [`runes/${kind}/orders/o-1/execute`, { fundTransactionId: TXID }],
    ]);
    expect(calls.at(-1)).toEqual(["sendTransfer", { recipients: [{ address: FUND, amount: 12_345 }] }]);
    expect(onOrder).toHaveBeenCalledExactlyOnceWith(created);
  });

  it.each([
    [400, { message: "taken" }, RpcCode.invalidRequest, '{"message":"taken"}'],
    [404, { message: "no such rune" }, RpcCode.internalError, '{"message":"no such rune"}'],
    [500, "<h1>oops</h1>", RpcCode.internalError, '"<h1>oops</h1>"'],
    [503, null, RpcCode.internalError, "null"],
  ])("pays nothing if the service returns %i", async (status, body, code, message) => {
    serve({ ...valid, [`runes/${kind}/orders`]: [status, body] });
    const { calls } = installStandard(paying);
    await expect(order(params as never, options)).rejects.toEqual(fault(code, message));
    expect(calls.map(([called]) => called)).toEqual(["getInfo"]);
  });

  it.each([
    {},
    { ...created, orderId: "" },
    { ...created, fundAmount: 0 },
    { ...created, fundAmount: -5 },
    { ...created, fundAmount: 1.5 },
    { ...created, fundAmount: 21e14 + 1 },
    { ...created, fundAddress: 5 },
    "text",
  ])("pays nothing for a malformed order: %j", async (body) => {
    serve({ ...valid, [`runes/${kind}/orders`]: [200, body] });
    const { calls } = installStandard(paying);
    await expect(order(params as never, options)).rejects.toEqual(unknownResponse);
    expect(calls.map(([called]) => called)).toEqual(["getInfo"]);
  });

  it("pays nothing to an address of another network", async () => {
    serve({
      ...valid,
      [`runes/${kind}/orders`]: [200, { ...created, fundAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" }],
    });
    const { calls } = installStandard(paying);
    await expect(order(params as never, options)).rejects.toEqual(fault(RpcCode.invalidParams, "Invalid address"));
    expect(calls.map(([called]) => called)).toEqual(["getInfo"]);
  });

  it("has the order in the error and executes nothing if the wallet does not pay", async () => {
    serve(valid);
    installStandard({ sendTransfer: refusal(RpcCode.userRejection, "no") });
    const failed = await order(params as never, options).catch((reason: unknown) => reason);
    expect(failed).toMatchObject({ name: "WalletError", code: RpcCode.userRejection, message: "no", data: created });
    expect(requests).toHaveLength(1);
  });

  it("retries an execute without a response and succeeds, because the service finds the payment", async () => {
    vi.useFakeTimers();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    serve({ ...valid, [`runes/${kind}/orders/o-1/execute`]: new Error("offline") });
    installStandard(paying);
    const done = order(params as never, options);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await done).toEqual(funded);
    expect(requests).toHaveLength(4);
    expect(warn).toHaveBeenCalledOnce();
  });

  it("ignores a refusal after a lost response, because the first call may have succeeded", async () => {
    vi.useFakeTimers();
    vi.spyOn(console, "warn").mockImplementation(() => {});
    serve({
      ...valid,
      [`runes/${kind}/orders/o-1/execute`]: [new Error("offline"), [400, { message: "already executed" }]] as Answer[],
    });
    installStandard(paying);
    const done = order(params as never, options);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await done).toEqual(funded);
  });

  it("waits for a payment that has not arrived at the service (503)", async () => {
    vi.useFakeTimers();
    serve({
      ...valid,
      [`runes/${kind}/orders/o-1/execute`]: [
        [503, { message: "not here yet" }],
        [200, funded],
      ] as Answer[],
    });
    installStandard(paying);
    const done = order(params as never, options);
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await done).toEqual(funded);
    expect(requests).toHaveLength(3);
  });

  it("has the payment in the error if execute is refused", async () => {
    serve({ ...valid, [`runes/${kind}/orders/o-1/execute`]: [400, { message: "stale" }] });
    installStandard(paying);
    const failed = await order(params as never, options).catch((reason: unknown) => reason);
    expect(failed).toMatchObject({ code: RpcCode.invalidRequest, message: '{"message":"stale"}', data: funded });
    expect(requests).toHaveLength(2);
  });

  it("fails on a network without a service", async () => {
    installStandard(paying);
    configureOrders({ Regtest: null });
    expect(hasOrders("Regtest")).toBe(false);
    await expect(order(params as never, options)).rejects.toEqual(
      fault(RpcCode.internalError, "Ordinals API does not support Regtest network"),
    );
  });
});

describe("estimates, look-up and RBF", () => {
  it.each([
    ["runes_estimateMint", estimatingMint, estimate, "runes/mint/estimate", withoutNetwork(estimatingMint)],
    ["runes_estimateEtch", estimatingEtch, estimate, "runes/etch/estimate", withoutNetwork(estimatingEtch)],
    ["runes_getOrder", { id: "o-1", network: "Regtest" }, order, "orders/o-1", undefined],
    [
      "runes_estimateRbfOrder",
      bump,
      { rbfCost: 700, fundingAddress: FUND },
      "orders/o-1/rbf-estimate",
      { newFeeRate: 9 },
    ],
  ] as const)("%s asks the service only", async (method, params, result, path, body) => {
    serve(valid);
    expect(await request(method as Method, params as never)).toEqual(result);
    expect(requests).toEqual([[path, body]]);
  });

  it.each([
    ["runes_estimateMint", estimatingMint, "runes/mint/estimate", 404, RpcCode.internalError],
    ["runes_estimateMint", estimatingMint, "runes/mint/estimate", 400, RpcCode.invalidRequest],
    ["runes_estimateEtch", estimatingEtch, "runes/etch/estimate", 400, RpcCode.invalidRequest],
    ["runes_estimateEtch", estimatingEtch, "runes/etch/estimate", 502, RpcCode.internalError],
    ["runes_getOrder", { id: "o-1", network: "Regtest" }, "orders/o-1", 404, RpcCode.invalidRequest],
    ["runes_getOrder", { id: "o-1", network: "Regtest" }, "orders/o-1", 400, RpcCode.invalidRequest],
    ["runes_getOrder", { id: "o-1", network: "Regtest" }, "orders/o-1", 500, RpcCode.internalError],
    ["runes_estimateRbfOrder", bump, "orders/o-1/rbf-estimate", 404, RpcCode.invalidRequest],
    ["runes_rbfOrder", bump, "orders/o-1/rbf-estimate", 404, RpcCode.invalidRequest],
    ["runes_rbfOrder", bump, "orders/o-1/rbf-estimate", 500, RpcCode.internalError],
  ] as const)("%s maps HTTP to its code, the body to its message", async (method, params, path, status, code) => {
    serve({ [path]: [status, { message: "why" }] });
    await expect(request(method as Method, params as never)).rejects.toEqual(fault(code, '{"message":"why"}'));
  });

  it.each([
    ["runes_estimateMint", estimatingMint, "runes/mint/estimate", { ...estimate, totalCost: -1 }],
    ["runes_estimateEtch", estimatingEtch, "runes/etch/estimate", { ...estimate, costBreakdown: {} }],
    ["runes_getOrder", { id: "o-1", network: "Regtest" }, "orders/o-1", { ...order, state: "lost" }],
    ["runes_getOrder", { id: "o-1", network: "Regtest" }, "orders/o-1", { ...order, id: "o-2" }],
    ["runes_estimateRbfOrder", bump, "orders/o-1/rbf-estimate", { rbfCost: "700", fundingAddress: FUND }],
    ["runes_rbfOrder", bump, "orders/o-1/rbf-estimate", { rbfCost: 700 }],
  ] as const)("%s takes no strange answer", async (method, params, path, body) => {
    serve({ [path]: [200, body] });
    await expect(request(method as Method, params as never)).rejects.toEqual(unknownResponse);
  });

  it("an unreachable service throws a WalletError", async () => {
    serve({ "orders/o-1": new TypeError("failed to fetch") });
    await expect(findOrder({ id: "o-1", network: "Regtest" })).rejects.toEqual(
      fault(RpcCode.internalError, walletTexts.ordersAway),
    );
  });

  it("RBF pays the estimated cost to the order's funding address", async () => {
    serve(valid);
    const { calls } = installStandard(paying);
    expect(await rbfOrder(bump, options)).toEqual({ orderId: "o-1", fundRBFTransactionId: TXID, fundingAddress: FUND });
    expect(calls).toEqual([["sendTransfer", { recipients: [{ address: FUND, amount: 700 }] }]]);
  });

  it("RBF that the user rejects pays nothing", async () => {
    serve(valid);
    installStandard({ sendTransfer: refusal(RpcCode.userRejection, "no") });
    await expect(rbfOrder(bump, options)).rejects.toMatchObject({
      code: RpcCode.userRejection,
      data: { orderId: "o-1", fundAmount: 700 },
    });
  });

  it("an order id is encoded as one segment of the path", async () => {
    serve({});
    await expect(findOrder({ id: "../x?y", network: "Regtest" })).rejects.toBeInstanceOf(WalletError);
    expect(requests[0]![0]).toBe("orders/..%2Fx%3Fy");
  });

  it.each(["Mainnet", "Testnet", "Testnet4", "Signet", "Regtest"] as const)(
    "%s without a service has a sentence of its own",
    async (network) => {
      configureOrders({ Regtest: null });
      const sentence = fault(RpcCode.internalError, `Ordinals API does not support ${network} network`);
      await expect(findOrder({ id: "o-1", network })).rejects.toEqual(sentence);
      await expect(rbfOrder({ ...bump, network })).rejects.toEqual(sentence);
    },
  );

  it("the default network is Mainnet", async () => {
    await expect(findOrder({ id: "o-1" })).rejects.toEqual(
      fault(RpcCode.internalError, "Ordinals API does not support Mainnet network"),
    );
  });
});

describe("invalid params are not sent", () => {
  const mint = (change: object) => ["runes_mint", { ...minting, ...change }] as const;
  const etch = (change: object) => ["runes_etch", { ...etching, ...change }] as const;
  const terms = (change: object) => etch({ terms: { amount: "1", cap: "1", ...change } });
  it.each([
    ["runes_mint", null],
    ["runes_mint", {}],
    mint({ runeName: "" }),
    mint({ runeName: "lobo" }),
    mint({ runeName: "LOBO••WOLF" }),
    mint({ runeName: "•LOBO" }),
    mint({ runeName: "LOBO•" }),
    mint({ runeName: "A".repeat(29) }),
    mint({ runeName: 5 }),
    mint({ repeats: 0 }),
    mint({ repeats: -1 }),
    mint({ repeats: 1.5 }),
    mint({ repeats: "3" }),
    mint({ feeRate: 0 }),
    mint({ feeRate: -1 }),
    mint({ feeRate: 1e9 }),
    mint({ feeRate: Number.NaN }),
    mint({ feeRate: "2" }),
    mint({ destinationAddress: "" }),
    mint({ destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" }),
    mint({ refundAddress: undefined }),
    mint({ refundAddress: "nowhere" }),
    mint({ network: "Mainnet" }),
    mint({ network: "regtest" }),
    mint({ appServiceFee: -1, appServiceFeeAddress: PAYMENT }),
    mint({ appServiceFee: 1.5, appServiceFeeAddress: PAYMENT }),
    mint({ appServiceFee: 1000 }),
    mint({ appServiceFee: 1000, appServiceFeeAddress: "nowhere" }),
    ["runes_etch", {}],
    etch({ divisibility: 39 }),
    etch({ divisibility: -1 }),
    etch({ divisibility: "8" }),
    etch({ symbol: "" }),
    etch({ symbol: "LL" }),
    etch({ premine: "-1" }),
    etch({ premine: "1.5" }),
    etch({ premine: `${1n << 128n}` }),
    etch({ premine: 100 }),
    etch({ isMintable: "yes" }),
    etch({ isMintable: undefined }),
    etch({ terms: undefined }),
    terms({ amount: undefined }),
    terms({ cap: "1.5" }),
    terms({ cap: `${1n << 128n}` }),
    terms({ heightStart: `${1n << 64n}` }),
    terms({ heightEnd: "-1" }),
    terms({ offsetStart: 5 }),
    terms({ offsetEnd: "x" }),
    etch({ inscriptionDetails: { contentType: "", contentBase64: "aGk=" } }),
    etch({ inscriptionDetails: { contentType: "x".repeat(521), contentBase64: "aGk=" } }),
    etch({ inscriptionDetails: { contentType: "text/plain", contentBase64: "not base64!" } }),
    etch({ delegateInscriptionId: "x" }),
    ["runes_estimateMint", { ...estimatingMint, repeats: 0 }],
    ["runes_estimateEtch", { ...estimatingEtch, feeRate: 0 }],
    ["runes_getOrder", {}],
    ["runes_getOrder", { id: "" }],
    ["runes_getOrder", { id: 5 }],
    ["runes_estimateRbfOrder", { orderId: "o-1" }],
    ["runes_estimateRbfOrder", { orderId: "o-1", newFeeRate: 0 }],
    ["runes_rbfOrder", { orderId: "", newFeeRate: 5 }],
    ["runes_rbfOrder", { orderId: "o-1", newFeeRate: "5" }],
  ] as const)("%s %j", async (method, params) => {
    serve(valid);
    const { calls } = installStandard({ getInfo: listing("runes_mint", "runes_etch"), ...paying });
    await expect(request(method as Method, params as never, options)).rejects.toEqual(fault(RpcCode.invalidParams));
    expect([requests, calls]).toEqual([[], []]);
  });
});
