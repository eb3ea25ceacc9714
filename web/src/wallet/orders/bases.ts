import { RpcCode, WalletError } from "../errors.ts";
import type { NetworkName } from "../methods/names.ts";
import { sentence } from "../texts.ts";

const bases = new Map<NetworkName, string>();

/**
 * Sets the base URL of the orders service per network, e.g. {Regtest: "https://…/orders/regtest/v1"}. Networks that
 * are omitted retain their value; null removes one. There is no default, so that no payment goes to a service that the
 * page has not chosen.
 */
export function configureOrders(urls: Partial<Record<NetworkName, string | null>>): void {
  for (const [network, url] of Object.entries(urls) as [NetworkName, string | null][]) {
    if (url) bases.set(network, url.replace(/\/+$/, ""));
    else bases.delete(network);
  }
}

/** Whether a service is configured for the network. */
export function hasOrders(network: NetworkName): boolean {
  return bases.has(network);
}

/** Returns the network's base URL. Throws WalletError 'Ordinals API does not support Regtest network' without one. */
export function ordersBase(network: NetworkName): string {
  const base = bases.get(network);
  if (base === undefined) throw new WalletError(RpcCode.internalError, sentence("noOrders", network));
  return base;
}
