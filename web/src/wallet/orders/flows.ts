import { ask, checkParams, checkResult, known, type RequestOptions } from "../ask.ts";
import { RpcCode, WalletError } from "../errors.ts";
import type { Method, Params, Result } from "../methods/catalogue.ts";
import type { NetworkName } from "../methods/names.ts";
import { supports } from "../network.ts";
import { defaultProvider } from "../providers.ts";
import { ordersClient, type CreatedOrder, type Kind } from "./client.ts";

export interface OrderOptions {
  /** Told of an order before the wallet is asked to pay it: keep its id, whatever happens next. */
  onOrder?: ((order: CreatedOrder) => void) | undefined;
}

type Options = RequestOptions & OrderOptions;
type Funded = Result<"runes_mint">;

/** Times at which a failed execute is tried again, in ms. The service finds the payment by itself too. */
const EXECUTE_AGAIN = [1_000, 4_000];

/**
 * Mint, etch, estimate, look up and speed up by the specification's rules (section 4): the wallet's own method where it
 * says that it has one, and what it answers, unless that is "method not found"; else the orders service.
 */
export async function orderRunes<M extends Method>(method: M, raw: Params<M>, options: Options): Promise<Result<M>> {
  const call = await known(method);
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
    (await natively("runes_mint", params, options)) ?? viaService("mint", params, options),
  runes_etch: async (params, options) =>
    (await natively("runes_etch", params, options)) ?? viaService("etch", params, options),
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

/** The wallet's own answer; undefined where the wallet has no such method. */
async function natively<M extends "runes_mint" | "runes_etch">(
  method: M,
  params: Params<M>,
  options: Options,
): Promise<Result<M> | undefined> {
  const provider = options.provider ?? defaultProvider();
  const has = provider !== null && (await supports(provider, method).catch(() => null));
  if (has !== true) return undefined;
  try {
    return await ask(method, params, options);
  } catch (fault) {
    if (fault instanceof WalletError && fault.code === RpcCode.methodNotFound) return undefined;
    throw fault;
  }
}

/** Create, pay, execute. */
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
 * Has the wallet pay an order. A failure carries the order as its `data`: the wallet may have sent all the
 * same, and the service looks for the payment by itself.
 */
async function pay(order: CreatedOrder, network: NetworkName, options: Options): Promise<string> {
  const { requireAddress } = await import("../address.ts");
  requireAddress(order.fundAddress, network);
  options.onOrder?.(order);
  const recipients = [{ address: order.fundAddress, amount: order.fundAmount }];
  try {
    return (await ask("sendTransfer", { recipients }, options)).txid;
  } catch (fault) {
    throw fault instanceof WalletError ? new WalletError(fault.code, fault.message, order) : fault;
  }
}

/**
 * Tells the service of the payment. Once it is paid the order is its buyer's, so a service that is away fails nothing:
 * it finds the payment on the chain. Its refusal is thrown, with what was paid as `data`.
 */
async function execute(tell: () => Promise<void>, funded: Funded): Promise<void> {
  let lost = false;
  for (const wait of [...EXECUTE_AGAIN, null]) {
    try {
      return await tell();
    } catch (fault) {
      if (!(fault instanceof WalletError)) throw fault;
      const refused = fault.code === RpcCode.invalidRequest;
      if (refused && !lost) throw new WalletError(fault.code, fault.message, funded);
      // After a lost answer a refusal may only say that the first call was heard.
      if (refused || wait === null) return console.warn(fault.message, funded.orderId);
      lost ||= !(fault.data instanceof Object && "status" in fault.data);
      await new Promise((later) => setTimeout(later, wait));
    }
  }
}
