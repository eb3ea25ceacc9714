import { RpcCode, WalletError } from "../errors.ts";
import type { NetworkName } from "../methods/names.ts";
import { sentence } from "../texts.ts";

const bases = new Map<NetworkName, string>();

/**
 * Says where the orders service of each network is, e.g. {Regtest: "https://…/orders/regtest/v1"}. Networks that are
 * left out keep what they had; null takes one away. There is no default: nobody's money goes to a service unasked.
 */
export function configureOrders(urls: Partial<Record<NetworkName, string | null>>): void {
  for (const [network, url] of Object.entries(urls) as [NetworkName, string | null][]) {
    if (url) bases.set(network, url.replace(/\/+$/, ""));
    else bases.delete(network);
  }
}

/** Whether a service is known for the network. */
export function hasOrders(network: NetworkName): boolean {
  return bases.has(network);
}

/** The network's service, or WalletError 'Ordinals API does not support Regtest network'. */
export function ordersBase(network: NetworkName): string {
  const base = bases.get(network);
  if (base === undefined) throw new WalletError(RpcCode.internalError, sentence("noOrders", network));
  return base;
}
