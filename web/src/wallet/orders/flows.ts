import { callWallet, checkParams, checkResult, catalogueEntry, type RequestOptions } from "../callWallet.ts";
import { RpcCode, WalletError } from "../errors.ts";
import type { Method, Params, Result } from "../methods/catalogue.ts";
import type { NetworkName } from "../methods/names.ts";
import { supports } from "../network.ts";
import { defaultProvider } from "../providers.ts";
import { ordersClient, type CreatedOrder, type Kind } from "./client.ts";

export interface OrderOptions {
  /**
   * Called with an order before the wallet is asked to pay it. Store its id: the payment may succeed in spite of an
   * error.
   */
  onOrder?: ((order: CreatedOrder) => void) | undefined;
}

type Options = RequestOptions & OrderOptions;
type Funded = Result<"runes_mint">;

/** Delays before a failed execute is retried, in ms. The service also finds the payment on the chain. */
const EXECUTE_RETRY_DELAYS = [1_000, 4_000];

/**
 * Mint, etch, estimate, look-up and RBF by the specification's rules (section 4). If the wallet lists the method, its
 * response is the result, unless that is "method not found". Otherwise the orders service is used.
 */
export async function orderRunes<M extends Method>(method: M, raw: Params<M>, options: Options): Promise<Result<M>> {
  const call = await catalogueEntry(method);
  const params = await checkParams(method, call, raw);
  const flow = FLOWS[method as keyof Flows] as unknown as (params: Params<M>, options: Options) => Promise<unknown>;
  return checkResult(method, call, params, await flow(params, options));
}

type Flows = {
  [
    M in
      | "runes_mint"
      | "runes_etch"
      | "runes_estimateMint"
      | "runes_estimateEtch"
      | "runes_getOrder"
      | "runes_estimateRbfOrder"
      | "runes_rbfOrder"
  ]: (params: Params<M>, options: Options) => Promise<unknown>;
};

const FLOWS: Flows = {
  runes_mint: async (params, options) =>
    (await byWallet("runes_mint", params, options)) ?? viaService("mint", params, options),
  runes_etch: async (params, options) =>
    (await byWallet("runes_etch", params, options)) ?? viaService("etch", params, options),
  runes_estimateMint: ({ network, ...fields }) => service(network).estimate("mint", fields),
  runes_estimateEtch: ({ network, ...fields }) => service(network).estimate("etch", fields),
  runes_getOrder: ({ network, id }) => service(network).find(id),
  runes_estimateRbfOrder: ({ network, orderId, newFeeRate }) => service(network).estimateRbf(orderId, newFeeRate),
  runes_rbfOrder: async ({ network = "Mainnet", orderId, newFeeRate }, options) => {
    const { fundingAddress, rbfCost } = await service(network).estimateRbf(orderId, newFeeRate);
    const fundRBFTransactionId = await pay(
      { orderId, fundAddress: fundingAddress, fundAmount: rbfCost },
      network,
      options,
    );
    return { orderId, fundRBFTransactionId, fundingAddress };
  },
};

const service = (network: NetworkName = "Mainnet") => ordersClient(network);

/** Returns the wallet's response, or undefined if the wallet has no such method. */
async function byWallet<M extends "runes_mint" | "runes_etch">(
  method: M,
  params: Params<M>,
  options: Options,
): Promise<Result<M> | undefined> {
  const provider = options.provider ?? defaultProvider();
  const isListed = provider !== null && (await supports(provider, method).catch(() => null));
  if (isListed !== true) return undefined;
  try {
    return await callWallet(method, params, options);
  } catch (error) {
    if (error instanceof WalletError && error.code === RpcCode.methodNotFound) return undefined;
    throw error;
  }
}

/** Creates, pays and executes an order. */
async function viaService(
  kind: Kind,
  params: Params<"runes_mint"> | Params<"runes_etch">,
  options: Options,
): Promise<Funded> {
  const { network = "Mainnet", ...fields } = params;
  const client = ordersClient(network);
  const order = await client.create(kind, fields);
  const fundTransactionId = await pay(order, network, options);
  const funded = { orderId: order.orderId, fundTransactionId, fundingAddress: order.fundAddress };
  await execute(() => client.execute(kind, order.orderId, fundTransactionId), funded);
  return funded;
}

/**
 * Pays an order with the wallet. An error has the order as its `data`: the wallet may have sent the payment in spite of
 * it, and the service finds the payment on the chain.
 */
async function pay(order: CreatedOrder, network: NetworkName, options: Options): Promise<string> {
  const { requireAddress } = await import("../address.ts");
  requireAddress(order.fundAddress, network);
  options.onOrder?.(order);
  const recipients = [{ address: order.fundAddress, amount: order.fundAmount }];
  try {
    return (await callWallet("sendTransfer", { recipients }, options)).txid;
  } catch (error) {
    throw error instanceof WalletError ? new WalletError(error.code, error.sentence, order) : error;
  }
}

/**
 * Reports the payment to the service. The order is paid at this point, so an unreachable service is not an error: it
 * finds the payment on the chain. A refusal by the service is thrown, with the payment as its `data`.
 */
async function execute(report: () => Promise<void>, funded: Funded): Promise<void> {
  let isUnknown = false;
  for (const delay of [...EXECUTE_RETRY_DELAYS, null]) {
    try {
      return await report();
    } catch (error) {
      if (!(error instanceof WalletError)) throw error;
      const refused = error.code === RpcCode.invalidRequest;
      if (refused && !isUnknown) throw new WalletError(error.code, error.sentence, funded);
      // After a lost response, a refusal may only mean that the first call succeeded.
      if (refused || delay === null) return console.warn(error.message, funded.orderId);
      isUnknown ||= !(error.data instanceof Object && "status" in error.data);
      await new Promise((later) => setTimeout(later, delay));
    }
  }
}
