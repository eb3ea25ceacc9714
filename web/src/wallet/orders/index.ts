import type { Params, Result } from "../methods/catalogue.ts";
import { request, type RequestOptions } from "../request.ts";
import type { OrderOptions } from "./flows.ts";

export { configureOrders, hasOrders } from "./bases.ts";
export type { CreatedOrder } from "./client.ts";
export type { OrderOptions };

export type MintParams = Params<"runes_mint">;
export type EtchParams = Params<"runes_etch">;
/** What a mint or etch came to: its order, and the transaction that paid it. */
export type FundedOrder = Result<"runes_mint">;
export type OrderEstimate = Result<"runes_estimateMint">;
export type RunesOrder = Result<"runes_getOrder">;
export type RbfEstimate = Result<"runes_estimateRbfOrder">;
export type RbfDone = Result<"runes_rbfOrder">;

type Options = RequestOptions & OrderOptions;

/** Mints: by the wallet's own method, else by the orders service, which the wallet pays. */
export const mintRunes = (params: MintParams, options?: Options): Promise<FundedOrder> =>
  request("runes_mint", params, options);

/** Etches: by the wallet's own method, else by the orders service, which the wallet pays. */
export const etchRunes = (params: EtchParams, options?: Options): Promise<FundedOrder> =>
  request("runes_etch", params, options);

/** What a mint would cost by the orders service, in sats. Asks no wallet. */
export const estimateMint = (params: Params<"runes_estimateMint">): Promise<OrderEstimate> =>
  request("runes_estimateMint", params);

/** What an etching would cost by the orders service, in sats. Asks no wallet. */
export const estimateEtch = (params: Params<"runes_estimateEtch">): Promise<OrderEstimate> =>
  request("runes_estimateEtch", params);

/** An order of the service, as it stands. Asks no wallet. */
export const findOrder = (params: Params<"runes_getOrder">): Promise<RunesOrder> => request("runes_getOrder", params);

/** What it costs to speed an order up to a new fee rate (sat/vB), in sats. Asks no wallet. */
export const estimateRbf = (params: Params<"runes_estimateRbfOrder">): Promise<RbfEstimate> =>
  request("runes_estimateRbfOrder", params);

/** Speeds an order up: estimates, then has the wallet pay the difference to the order's funding address. */
export const rbfOrder = (params: Params<"runes_rbfOrder">, options?: Options): Promise<RbfDone> =>
  request("runes_rbfOrder", params, options);
