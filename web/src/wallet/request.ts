import { callWallet, type RequestOptions } from "./callWallet.ts";
import type { Method, Params, Result } from "./methods/catalogue.ts";
import type { OrderOptions } from "./orders/flows.ts";

export type { RequestOptions };

/** Methods that the orders service performs if the wallet cannot. */
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
 * Calls a method by its name: on the wallet, or, to mint and etch runes, by the rules of orders/flows.ts.
 *
 * Throws WalletError: −32600 without a method, −32601 for an unknown method, −32602 for params that the method
 * does not accept, −32603 for no wallet, no response or an unreadable response, else the code of the wallet or of the
 * service.
 */
export async function request<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions & OrderOptions = {},
): Promise<Result<M>> {
  if (!ORDERS.has(method)) return callWallet(method, params, options);
  const { orderRunes } = await import("./orders/flows.ts");
  return orderRunes(method, params, options);
}
