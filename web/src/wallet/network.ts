import { callWallet, type RequestOptions } from "./callWallet.ts";
import type { Result } from "./methods/catalogue.ts";
import type { NetworkName } from "./methods/names.ts";
import { findProvider, type WindowProvider } from "./providers.ts";

export type { NetworkName };
export type WalletInfo = Result<"getInfo">;

/** Returns the Bitcoin network that the wallet is on. */
export async function getNetwork(options?: RequestOptions): Promise<NetworkName> {
  return (await callWallet("wallet_getNetwork", null, options)).bitcoin.name;
}

/** Asks the wallet to change to another network. The wallet asks the user to confirm. */
export async function changeNetwork(name: NetworkName, options?: RequestOptions): Promise<void> {
  await callWallet("wallet_changeNetwork", { name }, options);
}

/** A wallet that does not implement getInfo may never respond. Its methods are then unknown, and the call is tried. */
const INFO_TIMEOUT = 5_000;

// Cached per wallet object, because a page may have two wallets.
const infos = new WeakMap<WindowProvider, Promise<WalletInfo>>();

/** Returns the wallet's getInfo result, which is requested once per wallet. A failure is not cached. */
export function walletInfo(provider: string): Promise<WalletInfo> {
  const wallet = findProvider(provider);
  const cached = wallet && infos.get(wallet);
  if (cached) return cached;
  const info = callWallet("getInfo", null, { provider, timeout: INFO_TIMEOUT });
  if (wallet) {
    infos.set(wallet, info);
    info.catch(() => infos.delete(wallet));
  }
  return info;
}

/** Returns whether the wallet lists the method, or null if it lists none. */
export async function supports(provider: string, method: string): Promise<boolean | null> {
  const { methods } = await walletInfo(provider);
  return methods ? methods.includes(method) : null;
}
