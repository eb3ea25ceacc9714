import { Code, RpcError } from "../fault";
import { FALSE_VALUE } from "../provider";
import type { DevWallet } from "../wallet";

type Listener = (data: unknown) => void;

/** Events by name, with `on` and `removeListener` as in Node's emitter. */
export function emitter() {
  const listeners = new Map<string, Set<Listener>>();
  return {
    emit(event: string, data: unknown): void {
      for (const listener of listeners.get(event) ?? []) listener(data);
    },
    on(event: string, listener: Listener): void {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    removeListener(event: string, listener: Listener): void {
      listeners.get(event)?.delete(listener);
    },
  };
}

/** Runs a call with the wallet's current misbehaviour. `thrown` converts an error to what the kind throws. */
export async function runMisbehaving<T>(
  opening: Promise<DevWallet>,
  act: (wallet: DevWallet) => T | Promise<T>,
  toError: (error: unknown) => unknown,
): Promise<T> {
  const wallet = await opening;
  const { late, silent, garbled, throws, lies } = wallet.misbehaviour;
  if (silent) return new Promise<never>(() => {});
  if (throws) throw new Error("The wallet broke.");
  try {
    const result = await act(wallet);
    const answer = lies ? (falsify(result) as T) : result;
    return garbled ? ({ moon: "dust" } as T) : answer;
  } catch (error) {
    throw toError(error);
  } finally {
    if (late > 0) await new Promise((done) => setTimeout(done, late));
    await wallet.switchIfTold();
  }
}

/** Returns the same response with every address and transaction id replaced by a false one. */
function falsify(value: unknown): unknown {
  if (typeof value === "string") return /^(bcrt|tb|bc)1|^[0-9a-f]{64}$/.test(value) ? FALSE_VALUE : value;
  if (Array.isArray(value)) return value.map(falsify);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, falsify(item)]));
}

/** Replaces the message of a rejection by the kind's own. */
export async function rejectWith<T>(words: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof RpcError && error.code === Code.userRejection ? new RpcError(error.code, words) : error;
  }
}
