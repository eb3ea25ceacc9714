import { ask, type RequestOptions } from "./ask.ts";
import type { Params, Result } from "./methods/catalogue.ts";

/** What a page may do: read an account (type account), or the network of the wallet (type wallet). */
export type Permission = Result<"wallet_getCurrentPermissions">[number];

/**
 * Asks the person for permissions; without a wish, for what the wallet grants by default. Throws WalletError
 * −32000 when they say no.
 */
export async function requestPermissions(
  wished: NonNullable<Params<"wallet_requestPermissions">> | null = null,
  options?: RequestOptions,
): Promise<void> {
  await ask("wallet_requestPermissions", wished, options);
}

/** What the wallet lets this page do now; empty when nothing. */
export function currentPermissions(options?: RequestOptions): Promise<Permission[]> {
  return ask("wallet_getCurrentPermissions", null, options);
}

/** Gives every permission back. */
export async function renouncePermissions(options?: RequestOptions): Promise<void> {
  await ask("wallet_renouncePermissions", null, options);
}
