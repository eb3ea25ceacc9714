import { adapterFor } from "./adapters/choose.ts";
import { Mismatch } from "./check.ts";
import { endSession } from "./ending.ts";
import { RpcCode, WalletError } from "./errors.ts";
import type { Call } from "./methods/call.ts";
import { callOf, type Method, type Params, type Result } from "./methods/catalogue.ts";
import { defaultProvider } from "./providers.ts";
import { sentence } from "./texts.ts";

export interface RequestOptions<R = any> {
  /** Wallet to ask; the default one when left out. */
  provider?: string | undefined;
  /** Gives up waiting. The wallet is not told: no wallet can be. */
  signal?: AbortSignal | undefined;
  /** Longest wait in ms. By default 30 s for calls that ask no person, no limit for the others. */
  timeout?: number | undefined;
  /**
   * Called with the checked result when the wallet answers after the wait was over: a transaction may have been sent.
   */
  onLate?: ((result: R) => void) | undefined;
}

const QUIET_TIMEOUT = 30_000;

/**
 * Asks a wallet itself. Params are checked before anything is sent, addresses among them included; the result before it
 * is handed on. An answer that comes after the wait was over goes to `onLate` only. When the connected wallet says that
 * it shares no account with this page, the session ends.
 *
 * Throws WalletError: −32600 no method, −32601 a method that nobody knows, −32602 params that the method does not take,
 * −32603 no wallet, no answer or an unknown answer, else the wallet's own code.
 */
export async function ask<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions<Result<M>> = {},
): Promise<Result<M>> {
  const provider = options.provider ?? defaultProvider();
  try {
    return await askOnce(method, params, { ...options, provider: provider ?? undefined });
  } catch (fault) {
    if (fault instanceof WalletError && fault.kind === "disconnected" && provider === defaultProvider())
      endSession(fault);
    throw fault;
  }
}

/** As ask, but leaves the session as it is: for connecting, where a refusal only means that another way is tried. */
export async function askOnce<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions<Result<M>> = {},
): Promise<Result<M>> {
  const call = await known(method);
  const given = await checkParams(method, call, params);
  const checked = call.prepare ? await call.prepare(given) : given;
  if (options.signal?.aborted) throw abandoned();
  const asked = answerOf(method, call, checked, options.provider ?? defaultProvider());
  try {
    return await inTime(asked, method, {
      ...options,
      timeout: options.timeout ?? (call.quiet ? QUIET_TIMEOUT : undefined),
    });
  } catch (fault) {
    const typed = fault instanceof WalletError ? fault : unreadable(method, fault);
    throw call.sends?.(checked) ? typed.whenSending() : typed;
  }
}

/** The wallet's answer, checked. */
async function answerOf<P, R>(method: Method, call: Call<P, R>, params: P, provider: string | null): Promise<R> {
  const adapter = await adapterFor(provider);
  const result = checkResult(method, call, params, await adapter.request(method, params));
  return call.settle ? call.settle(params, result) : result;
}

/** The method's entry in the catalogue, or WalletError: −32600 without a method, −32601 with a strange one. */
export async function known<M extends Method>(method: M): Promise<Call<Params<M>, Result<M>>> {
  if (!method) throw new WalletError(RpcCode.invalidRequest, sentence("noMethod"));
  const call = await callOf(method);
  if (!call) throw new WalletError(RpcCode.methodNotFound, sentence("notSupported"));
  return call;
}

/** Params as the method takes them, or WalletError −32602 that says which of them is wrong. */
export async function checkParams<P>(
  method: string,
  call: Pick<Call<P, unknown>, "params" | "named">,
  params: unknown,
): Promise<P> {
  let checked: P;
  try {
    checked = call.params(params, "params");
  } catch (fault) {
    if (!(fault instanceof Mismatch)) throw fault;
    const message = fault.verbatim ? fault.message : sentence("badParams", method, fault.message);
    throw new WalletError(RpcCode.invalidParams, message, undefined, { kind: "badParams" });
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
    if (answer === null)
      throw new WalletError(RpcCode.internalError, sentence("nullResult"), undefined, { kind: "unreadable" });
    throw unreadable(method, fault, answer);
  }
}

function unreadable(method: string, fault: unknown, answer?: unknown): WalletError {
  const why = fault instanceof Error ? fault.message : String(fault);
  return new WalletError(
    RpcCode.internalError,
    sentence("unknownResponse"),
    { method, why, answer },
    { kind: "unreadable" },
  );
}

function abandoned(): WalletError {
  return new WalletError(RpcCode.internalError, sentence("aborted"), undefined, { kind: "abandoned" });
}

/** The answer, or a WalletError once the time is over or the caller gave up. */
function inTime<T>(answer: Promise<T>, method: string, { timeout, signal, onLate }: RequestOptions<T>): Promise<T> {
  if (timeout === undefined && !signal) return answer;
  return new Promise((resolve, reject) => {
    let over = false;
    const giveUp = (fault: WalletError): void => {
      over = true;
      reject(fault);
    };
    const silent = () =>
      new WalletError(RpcCode.internalError, sentence("noAnswer", method), undefined, { kind: "silent" });
    const timer = timeout === undefined ? undefined : setTimeout(() => giveUp(silent()), timeout);
    const stop = () => giveUp(abandoned());
    signal?.addEventListener("abort", stop, { once: true });
    answer.then((result) => (over ? onLate?.(result) : resolve(result)), reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
  });
}
