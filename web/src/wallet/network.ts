import { ask, type RequestOptions } from "./ask.ts";
import type { Result } from "./methods/catalogue.ts";
import type { NetworkName } from "./methods/names.ts";
import { findProvider, type WindowProvider } from "./providers.ts";

export type { NetworkName };
export type WalletInfo = Result<"getInfo">;

/** The Bitcoin network that the wallet is on. */
export async function getNetwork(options?: RequestOptions): Promise<NetworkName> {
  return (await ask("wallet_getNetwork", null, options)).bitcoin.name;
}

/** Asks the wallet to go to another network; the wallet asks the person. */
export async function changeNetwork(name: NetworkName, options?: RequestOptions): Promise<void> {
  await ask("wallet_changeNetwork", { name }, options);
}

/** A wallet that does not know the question may keep silent: then nothing is known of it, and it is tried. */
const INFO_TIMEOUT = 5_000;

// Kept per wallet object, not per page: two wallets on one page differ.
const infos = new WeakMap<WindowProvider, Promise<WalletInfo>>();

/** What the wallet says of itself, asked once per wallet. A failure is not kept. */
export function walletInfo(provider: string): Promise<WalletInfo> {
  const wallet = findProvider(provider);
  const known = wallet && infos.get(wallet);
  if (known) return known;
  const asked = ask("getInfo", null, { provider, timeout: INFO_TIMEOUT });
  if (wallet) {
    infos.set(wallet, asked);
    asked.catch(() => infos.delete(wallet));
  }
  return asked;
}

/** Whether the wallet lists the method; null when it lists none, so that nobody knows before trying. */
export async function supports(provider: string, method: string): Promise<boolean | null> {
  const { methods } = await walletInfo(provider);
  return methods ? methods.includes(method) : null;
}
