import type { Check } from "../check.ts";
import type { NetworkName } from "./names.ts";

/** Addresses in the params, which are checked before anything is sent, and their network if it is known. */
export interface AddressParams {
  addresses: readonly string[];
  network?: NetworkName | undefined;
}

/** A wallet method: its params, its result, and whether it needs user interaction. */
export interface Call<P, R> {
  params: Check<P>;
  result: Check<R>;
  /** True if the wallet responds without user interaction, so that a missing response means an error. */
  promptless: boolean;
  named?: (params: P) => AddressParams;
  /** The params that the wallet gets, if some of the caller's params are handled by this library. */
  prepare?: (params: P) => Promise<P>;
  /** Whether a well-formed result belongs to these params. Wallets are not trusted. */
  matches?: (params: P, result: R) => boolean;
  /** Returns the reliable part of a well-formed result. Throws WalletError if there is none. */
  settle?: (params: P, result: R) => Promise<R>;
  /** Whether the wallet sends a transaction if the user agrees, so that one may have been sent in spite of an error. */
  sends?: (params: P) => boolean;
}

type Rules<P, R> = Pick<Call<P, R>, "named" | "prepare" | "matches" | "settle" | "sends">;

export function call<P, R>(params: Check<P>, result: Check<R>, rules: Rules<P, R> = {}): Call<P, R> {
  return { params, result, promptless: false, ...rules };
}

export function promptlessCall<P, R>(params: Check<P>, result: Check<R>, rules: Rules<P, R> = {}): Call<P, R> {
  return { params, result, promptless: true, ...rules };
}
