import { adapterFor } from "./adapters/choose.ts";
import { Mismatch } from "./check.ts";
import { RpcCode, WalletError } from "./errors.ts";
import type { Call } from "./methods/call.ts";
import { callOf, type Method, type Params, type Result } from "./methods/catalogue.ts";
import { defaultProvider } from "./providers.ts";
import { walletTexts } from "./texts.ts";

export interface RequestOptions {
  /** Wallet to ask; the default one when left out. */
  provider?: string | undefined;
  /** Gives up waiting. The wallet is not told: no wallet can be. */
  signal?: AbortSignal | undefined;
  /** Longest wait in ms. By default 30 s for calls that ask no person, no limit for the others. */
  timeout?: number | undefined;
}

const QUIET_TIMEOUT = 30_000;

/**
 * Asks a wallet itself. Params are checked before anything is sent, addresses among them included; the result before it
 * is handed on. An answer that comes after the wait was over is dropped.
 *
 * Throws WalletError: −32600 no method, −32601 a method that nobody knows, −32602 params that the method does not take,
 * −32603 no wallet, no answer or an unknown answer, else the wallet's own code.
 */
export async function ask<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions = {},
): Promise<Result<M>> {
  const call = await known(method);
  const checked = await checkParams(method, call, params);
  if (options.signal?.aborted) throw new WalletError(RpcCode.internalError, walletTexts.aborted);
  const timeout = options.timeout ?? (call.quiet ? QUIET_TIMEOUT : undefined);
  const provider = options.provider ?? defaultProvider();
  const asked = adapterFor(provider).then((adapter) => adapter.request(method, checked));
  return checkResult(method, call, checked, await inTime(asked, method, timeout, options.signal));
}

/** The method's entry in the catalogue, or WalletError: −32600 without a method, −32601 with a strange one. */
export async function known<M extends Method>(method: M): Promise<Call<Params<M>, Result<M>>> {
  if (!method) throw new WalletError(RpcCode.invalidRequest, walletTexts.noMethod);
  const call = await callOf(method);
  if (!call) throw new WalletError(RpcCode.methodNotFound, walletTexts.notSupported);
  return call;
}

/** Params as the method takes them, or WalletError −32602 that says which of them is wrong. */
export async function checkParams<P>(method: string, call: Pick<Call<P, unknown>, "params" | "named">, params: unknown): Promise<P> {
  let checked: P;
  try {
    checked = call.params(params, "params");
  } catch (fault) {
    if (!(fault instanceof Mismatch)) throw fault;
    const message = fault.verbatim ? fault.message : walletTexts.badParams(method, fault.message);
    throw new WalletError(RpcCode.invalidParams, message);
  }
  const named = call.named?.(checked);
  if (named && named.addresses.length > 0) {
    const { requireAddress } = await import("./address.ts");
    for (const address of named.addresses) requireAddress(address, named.network);
  }
  return checked;
}

/** The result, if it is one of this method and to these params; else WalletError −32603. */
export function checkResult<P, R>(method: string, call: Call<P, R>, params: P, answer: unknown): R {
  try {
    const result = call.result(answer, "result");
    if (call.answers && !call.answers(params, result)) throw new Mismatch("result does not belong to the params");
    return result;
  } catch (fault) {
    if (!(fault instanceof Mismatch)) throw fault;
    if (answer === null) throw new WalletError(RpcCode.internalError, walletTexts.nullResult);
    const data = { method, why: fault.message, answer };
    throw new WalletError(RpcCode.internalError, walletTexts.unknownResponse, data);
  }
}

/** The answer, or a WalletError once the time is over or the caller gave up. */
function inTime<T>(answer: Promise<T>, method: string, timeout?: number, signal?: AbortSignal): Promise<T> {
  if (timeout === undefined && !signal) return answer;
  return new Promise((resolve, reject) => {
    const fail = (message: string) => reject(new WalletError(RpcCode.internalError, message));
    const timer = timeout === undefined ? undefined : setTimeout(() => fail(walletTexts.noAnswer(method)), timeout);
    const giveUp = () => fail(walletTexts.aborted);
    signal?.addEventListener("abort", giveUp, { once: true });
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    });
  });
}
