import type { Params as StockParams, Requests, Return as StockResult } from "@sats-connect/core";
import { expect, it } from "vitest";
import { catalogue, type Method, type Params, type Result } from "./methods/catalogue";

/** The stock client's types with its enums as the strings that go over the wire. */
type Plain<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

/** Methods whose params we would send and the stock types don't take, or whose result we would refuse. */
type Foreign = {
  [M in Method]: M extends keyof Requests
    ? [Params<M>] extends [Plain<StockParams<M>>]
      ? [Plain<StockResult<M>>] extends [Result<M>]
        ? never
        : M
      : M
    : M;
}[Method];

it("agrees with the ecosystem's types in every method (checked by the compiler)", () => {
  const none: [Foreign] extends [never] ? true : Foreign = true;
  expect(none).toBe(true);
  expect(Object.keys(catalogue)).toHaveLength(18);
});
