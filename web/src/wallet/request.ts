import { ask, type RequestOptions } from "./ask.ts";
import type { Method, Params, Result } from "./methods/catalogue.ts";
import type { OrderOptions } from "./orders/flows.ts";

export type { RequestOptions };

/** Methods that the orders service does where the wallet can't. */
const ORDERS: ReadonlySet<string> = new Set<Method>([
  "runes_mint",
  "runes_etch",
  "runes_estimateMint",
  "runes_estimateEtch",
  "runes_getOrder",
  "runes_estimateRbfOrder",
  "runes_rbfOrder",
]);

/**
 * Calls a method by its name: on the wallet, or, for minting and etching runes, by the rules of orders/flows.ts.
 *
 * Throws WalletError: −32600 no method, −32601 a method that nobody knows, −32602 params that the method does not take,
 * −32603 no wallet, no answer or an unknown answer, else the wallet's or the service's own code.
 */
export async function request<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions & OrderOptions = {},
): Promise<Result<M>> {
  if (!ORDERS.has(method)) return ask(method, params, options);
  const { orderRunes } = await import("./orders/flows.ts");
  return orderRunes(method, params, options);
}
