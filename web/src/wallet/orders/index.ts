import type { Params, Result } from "../methods/catalogue.ts";
import { request, type RequestOptions } from "../request.ts";
import type { OrderOptions } from "./flows.ts";

export { configureOrders, hasOrders } from "./bases.ts";
export type { CreatedOrder } from "./client.ts";
export type { OrderOptions };

export type MintParams = Params<"runes_mint">;
export type EtchParams = Params<"runes_etch">;
/** The result of a mint or etching: its order, and the transaction that paid it. */
export type FundedOrder = Result<"runes_mint">;
export type OrderEstimate = Result<"runes_estimateMint">;
export type RunesOrder = Result<"runes_getOrder">;
export type RbfEstimate = Result<"runes_estimateRbfOrder">;
export type RbfDone = Result<"runes_rbfOrder">;

type Options = RequestOptions & OrderOptions;

/** Mints by the wallet's own method, or by the orders service, which the wallet pays. */
export const mintRunes = (params: MintParams, options?: Options): Promise<FundedOrder> =>
  request("runes_mint", params, options);

/** Etches by the wallet's own method, or by the orders service, which the wallet pays. */
export const etchRunes = (params: EtchParams, options?: Options): Promise<FundedOrder> =>
  request("runes_etch", params, options);

/** Estimates the cost of a mint by the orders service, in sats. Does not call the wallet. */
export const estimateMint = (params: Params<"runes_estimateMint">): Promise<OrderEstimate> =>
  request("runes_estimateMint", params);

/** Estimates the cost of an etching by the orders service, in sats. Does not call the wallet. */
export const estimateEtch = (params: Params<"runes_estimateEtch">): Promise<OrderEstimate> =>
  request("runes_estimateEtch", params);

/** Returns an order of the service in its current state. Does not call the wallet. */
export const findOrder = (params: Params<"runes_getOrder">): Promise<RunesOrder> => request("runes_getOrder", params);

/** Estimates the cost of raising an order to a new fee rate (sat/vB), in sats. Does not call the wallet. */
export const estimateRbf = (params: Params<"runes_estimateRbfOrder">): Promise<RbfEstimate> =>
  request("runes_estimateRbfOrder", params);

/** Raises an order's fee rate: estimates the cost, then pays it to the order's funding address with the wallet. */
export const rbfOrder = (params: Params<"runes_rbfOrder">, options?: Options): Promise<RbfDone> =>
  request("runes_rbfOrder", params, options);
