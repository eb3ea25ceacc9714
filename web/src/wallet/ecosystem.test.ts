import type { Params as StockParams, Requests, Return as StockResult } from "@sats-connect/core";
import { expect, it } from "vitest";
import type { components } from "../api/schema.gen.ts";
import { callOf, type Method, type Params, type Result } from "./methods/catalogue.ts";
import type { CreatedOrder } from "./orders/index.ts";

/** The stock client's types, with its enums as the strings of the wire format. */
type Plain<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

/** Methods whose params the stock types reject, or whose stock result this library would refuse. */
type Foreign = {
  [M in Method]: M extends keyof Requests
    ? [Params<M>] extends [Plain<StockParams<M>>]
      ? [Plain<StockResult<M>>] extends [Result<M>]
        ? never
        : M
      : M
    : M;
}[Method];

/**
 * Every method of the specification's section 7, its list of JSON-RPC methods and those routed to the orders service.
 */
const METHODS = [
  "getInfo getAddresses getAccounts getBalance signMessage sendTransfer signPsbt",
  "runes_etch runes_mint runes_transfer runes_getBalance ord_getInscriptions ord_sendInscriptions",
  "wallet_connect wallet_requestPermissions wallet_renouncePermissions wallet_disconnect wallet_getWalletType",
  "wallet_getCurrentPermissions wallet_getNetwork wallet_changeNetwork wallet_getAccount",
  "stx_getAccounts stx_getAddresses stx_signMessage stx_signStructuredMessage stx_signTransaction stx_signTransactions",
  "stx_transferStx stx_callContract stx_deployContract",
  "runes_estimateMint runes_estimateEtch runes_getOrder runes_estimateRbfOrder runes_rbfOrder",
]
  .join(" ")
  .split(" ") as Method[];

it("is compatible with the ecosystem's types in every method (checked by the compiler)", () => {
  const none: [Foreign] extends [never] ? true : Foreign = true;
  expect(none).toBe(true);
});

type Served = components["schemas"];

/** Compares the requests and responses of the orders service (api/openapi.yaml) with the library's. */
type OrdersFit = {
  mint: Params<"runes_mint"> extends Served["RuneMintRequest"] ? true : never;
  etch: Params<"runes_etch"> extends Served["RuneEtchRequest"] ? true : never;
  estimateMint: Params<"runes_estimateMint"> extends Served["RuneMintEstimateRequest"] ? true : never;
  estimateEtch: Params<"runes_estimateEtch"> extends Served["RuneEtchEstimateRequest"] ? true : never;
  estimate: Served["RuneEstimate"] extends Result<"runes_estimateMint"> ? true : never;
  order: Served["RuneOrder"] extends Result<"runes_getOrder"> ? true : never;
  created: Served["RuneOrderCreated"] extends CreatedOrder ? true : never;
  executed: Served["RuneOrderExecuted"] extends Result<"runes_mint"> ? true : never;
  rbf: Served["RuneRbfEstimate"] extends Result<"runes_estimateRbfOrder"> ? true : never;
};

it("is compatible with the orders service's OpenAPI document (checked by the compiler)", () => {
  const fit: OrdersFit = {
    mint: true,
    etch: true,
    estimateMint: true,
    estimateEtch: true,
    estimate: true,
    order: true,
    created: true,
    executed: true,
    rbf: true,
  };
  expect(Object.keys(fit)).toHaveLength(9);
});

it("has every method of the specification, and no entry for other names", async () => {
  for (const method of METHODS) expect(await callOf(method), method).toBeDefined();
  for (const unknown of ["toString", "moon_walk", ""]) expect(await callOf(unknown as Method)).toBeUndefined();
});
