import { callWallet, type RequestOptions } from "./callWallet.ts";
import type { Params, Result } from "./methods/catalogue.ts";

/** What a page may do: read an account (type account), or the network of the wallet (type wallet). */
export type Permission = Result<"wallet_getCurrentPermissions">[number];

/**
 * Asks the user for permissions; without params, for the wallet's default permissions. Throws WalletError −32000 if
 * the user rejects.
 */
export async function requestPermissions(
  wished: NonNullable<Params<"wallet_requestPermissions">> | null = null,
  options?: RequestOptions,
): Promise<void> {
  await callWallet("wallet_requestPermissions", wished, options);
}

/** Returns the permissions that the wallet grants this page now; an empty list if there are none. */
export function currentPermissions(options?: RequestOptions): Promise<Permission[]> {
  return callWallet("wallet_getCurrentPermissions", null, options);
}

/** Renounces every permission. */
export async function renouncePermissions(options?: RequestOptions): Promise<void> {
  await callWallet("wallet_renouncePermissions", null, options);
}
