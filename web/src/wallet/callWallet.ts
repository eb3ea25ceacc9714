import { adapterFor } from "./adapters/choose.ts";
import { Mismatch } from "./check.ts";
import { endSession } from "./ending.ts";
import { RpcCode, WalletError } from "./errors.ts";
import type { Call } from "./methods/call.ts";
import { callOf, type Method, type Params, type Result } from "./methods/catalogue.ts";
import { defaultProvider } from "./providers.ts";
import { sentence } from "./texts.ts";

export interface RequestOptions<R = any> {
  /** Id of the wallet to call; the default wallet if omitted. */
  provider?: string | undefined;
  /** Stops waiting. The request stays open in the wallet: no wallet API can cancel it. */
  signal?: AbortSignal | undefined;
  /** Maximum wait in ms. Default: 30 s for calls without user interaction, no limit for the others. */
  timeout?: number | undefined;
  /** Called with the checked result if the wallet responds after the wait ended: a transaction may have been sent. */
  onLate?: ((result: R) => void) | undefined;
}

const QUIET_TIMEOUT = 30_000;

/**
 * Calls a method of the wallet itself. Params are checked before anything is sent, including addresses; the result is
 * checked before it is returned. A response after the wait ended goes to `onLate` only. If the connected wallet reports
 * that it shares no account with this page, the session ends.
 *
 * Throws WalletError: −32600 without a method, −32601 for an unknown method, −32602 for params that the method
 * does not accept, −32603 for no wallet, no response or an unreadable response, else the wallet's own code.
 */
export async function callWallet<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions<Result<M>> = {},
): Promise<Result<M>> {
  const provider = options.provider ?? defaultProvider();
  try {
    return await callWalletOnce(method, params, { ...options, provider: provider ?? undefined });
  } catch (error) {
    if (error instanceof WalletError && error.kind === "disconnected" && provider === defaultProvider())
      endSession(error);
    throw error;
  }
}

/** Like ask, but never ends the session: while connecting, a refusal only means that the next method is tried. */
export async function callWalletOnce<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions<Result<M>> = {},
): Promise<Result<M>> {
  const call = await catalogueEntry(method);
  const given = await checkParams(method, call, params);
  const checked = call.prepare ? await call.prepare(given) : given;
  if (options.signal?.aborted) throw abandoned();
  const response = answerOf(method, call, checked, options.provider ?? defaultProvider());
  try {
    return await withTimeout(response, method, {
      ...options,
      timeout: options.timeout ?? (call.promptless ? QUIET_TIMEOUT : undefined),
    });
  } catch (error) {
    const typed = error instanceof WalletError ? error : unreadable(method, error);
    throw call.sends?.(checked) ? typed.whenSending() : typed;
  }
}

/** Calls the wallet and checks its result. */
async function answerOf<P, R>(method: Method, call: Call<P, R>, params: P, provider: string | null): Promise<R> {
  const adapter = await adapterFor(provider);
  const result = checkResult(method, call, params, await adapter.request(method, params));
  return call.settle ? call.settle(params, result) : result;
}

/** Returns the method's catalogue entry. Throws WalletError −32600 without a method, −32601 for an unknown one. */
export async function catalogueEntry<M extends Method>(method: M): Promise<Call<Params<M>, Result<M>>> {
  if (!method) throw new WalletError(RpcCode.invalidRequest, sentence("noMethod"));
  const call = await callOf(method);
  if (!call) throw new WalletError(RpcCode.methodNotFound, sentence("notSupported"));
  return call;
}

/** Returns the params as the method accepts them. Throws WalletError −32602, which names the wrong param. */
export async function checkParams<P>(
  method: string,
  call: Pick<Call<P, unknown>, "params" | "named">,
  params: unknown,
): Promise<P> {
  let checked: P;
  try {
    checked = call.params(params, "params");
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const message = error.verbatim ? error.message : sentence("badParams", method, error.message);
    throw new WalletError(RpcCode.invalidParams, message, undefined, { kind: "badParams" });
  }
  const named = call.named?.(checked);
  if (named && named.addresses.length > 0) {
    const { requireAddress } = await import("./address.ts");
    for (const address of named.addresses) requireAddress(address, named.network);
  }
  return checked;
}

/**
 * Returns the result if it has the method's shape and belongs to these params. Throws WalletError −32603 otherwise.
 */
export function checkResult<P, R>(method: string, call: Call<P, R>, params: P, answer: unknown): R {
  try {
    const result = call.result(answer, "result");
    if (call.matches && !call.matches(params, result)) throw new Mismatch("result does not belong to the params");
    return result;
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    if (answer === null)
      throw new WalletError(RpcCode.internalError, sentence("nullResult"), undefined, { kind: "unreadable" });
    throw unreadable(method, error, answer);
  }
}

function unreadable(method: string, error: unknown, answer?: unknown): WalletError {
  const why = error instanceof Error ? error.message : String(error);
  return new WalletError(
    RpcCode.internalError,
    sentence("unknownResponse"),
    { method, why, answer },
    { kind: "unreadable" },
  );
}

/** The error of a call whose caller stopped waiting. */
export function abandoned(): WalletError {
  return new WalletError(RpcCode.internalError, sentence("aborted"), undefined, { kind: "abandoned" });
}

/** Returns the response. Throws a WalletError on a timeout, or when the caller aborts. */
function withTimeout<T>(
  answer: Promise<T>,
  method: string,
  { timeout, signal, onLate }: RequestOptions<T>,
): Promise<T> {
  if (timeout === undefined && !signal) return answer;
  return new Promise((resolve, reject) => {
    let ended = false;
    const giveUp = (error: WalletError): void => {
      ended = true;
      reject(error);
    };
    const timedOut = () =>
      new WalletError(RpcCode.internalError, sentence("noAnswer", method), undefined, { kind: "silent" });
    const timer = timeout === undefined ? undefined : setTimeout(() => giveUp(timedOut()), timeout);
    const stop = () => giveUp(abandoned());
    signal?.addEventListener("abort", stop, { once: true });
    answer.then((result) => (ended ? onLate?.(result) : resolve(result)), reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    });
  });
}
