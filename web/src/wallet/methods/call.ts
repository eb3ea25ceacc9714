import type { Check } from "../check";

/** One wallet method: what it takes, what it gives, and whether a person is asked in between. */
export interface Call<P, R> {
  params: Check<P>;
  result: Check<R>;
  /** True when the wallet answers by itself, so that silence means that it is not there. */
  quiet: boolean;
}

export function call<P, R>(params: Check<P>, result: Check<R>): Call<P, R> {
  return { params, result, quiet: false };
}

export function quietCall<P, R>(params: Check<P>, result: Check<R>): Call<P, R> {
  return { params, result, quiet: true };
}
