import { adapterFor } from "./adapters/choose";
import { Mismatch, type Check } from "./check";
import { RpcCode, WalletError } from "./errors";
import { catalogue, type Method, type Params, type Result } from "./methods/catalogue";
import { defaultProvider } from "./providers";
import { walletTexts } from "./texts";

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
 * Asks a wallet. Params are checked before anything is sent, the result before it is handed on.
 * An answer that comes after the wait was over is dropped.
 *
 * Throws WalletError: −32602 params that the method does not take, −32603 no wallet, no answer or an
 * unknown answer, else the wallet's own code.
 */
export async function request<M extends Method>(
  method: M,
  params: Params<M>,
  options: RequestOptions = {},
): Promise<Result<M>> {
  if (!method) throw new WalletError(RpcCode.invalidRequest, walletTexts.noMethod);
  const call = catalogue[method];
  if (!call) throw new WalletError(RpcCode.methodNotFound, walletTexts.notSupported);
  const adapter = adapterFor(options.provider ?? defaultProvider());
  const checked = checkParams(method, call.params as Check<Params<M>>, params);
  const timeout = options.timeout ?? (call.quiet ? QUIET_TIMEOUT : undefined);
  const answer = await inTime(adapter.request(method, checked), method, timeout, options.signal);
  return checkResult(method, call.result as Check<Result<M>>, answer);
}

function checkParams<T>(method: string, check: Check<T>, params: unknown): T {
  try {
    return check(params, "params");
  } catch (fault) {
    if (!(fault instanceof Mismatch)) throw fault;
    const message = fault.verbatim ? fault.message : walletTexts.badParams(method, fault.message);
    throw new WalletError(RpcCode.invalidParams, message);
  }
}

function checkResult<T>(method: string, check: Check<T>, answer: unknown): T {
  try {
    return check(answer, "result");
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
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    });
  });
}
