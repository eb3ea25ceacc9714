import type { Check } from "../check.ts";
import type { NetworkName } from "./names.ts";

/** Addresses among params, to be checked before anything is sent, and the network that they must be of, where known. */
export interface Named {
  addresses: readonly string[];
  network?: NetworkName | undefined;
}

/** One wallet method: what it takes, what it gives, and whether a person is asked in between. */
export interface Call<P, R> {
  params: Check<P>;
  result: Check<R>;
  /** True when the wallet answers by itself, so that silence means that it is not there. */
  quiet: boolean;
  named?: (params: P) => Named;
  /** The params that a wallet is given, where not everything that a caller may ask is for a wallet to do. */
  prepare?: (params: P) => Promise<P>;
  /** Whether a result that is well formed also belongs to these params. Wallets lie. */
  answers?: (params: P, result: R) => boolean;
  /** The part of a well-formed result that can be relied on. Throws WalletError where there is none. */
  settle?: (params: P, result: R) => Promise<R>;
  /** Whether the wallet sends a transaction when it agrees: then a failure does not mean that nothing was sent. */
  sends?: (params: P) => boolean;
}

type Rules<P, R> = Pick<Call<P, R>, "named" | "prepare" | "answers" | "settle" | "sends">;

export function call<P, R>(params: Check<P>, result: Check<R>, rules: Rules<P, R> = {}): Call<P, R> {
  return { params, result, quiet: false, ...rules };
}

export function quietCall<P, R>(params: Check<P>, result: Check<R>, rules: Rules<P, R> = {}): Call<P, R> {
  return { params, result, quiet: true, ...rules };
}
