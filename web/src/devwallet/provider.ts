import { Code, RpcError } from "./fault";
import { methodsOf, type Handler } from "./methods";
import type { DevWallet, WalletEvent } from "./wallet";

export interface JsonRpcAnswer {
  jsonrpc: "2.0";
  id: string;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

type Outcome = Pick<JsonRpcAnswer, "result" | "error">;
type Listener = (event: WalletEvent) => void;

/** The wallet's object for pages. */
export interface BitcoinProvider {
  request(method: string, params?: unknown): Promise<JsonRpcAnswer>;
  addListener(listener: { eventName: string; cb: Listener }): () => void;
}

export function bitcoinProvider(opening: Promise<DevWallet>): BitcoinProvider {
  const listen = listenTo(opening);
  return {
    request: jsonRpc(opening, methodsOf, (method) => `Method "${method}" is not supported by this wallet.`),
    addListener: ({ eventName, cb }) => listen(eventName, cb),
  };
}

/** Handles JSON-RPC for the wallet, with its current misbehaviour. Waits until the wallet is open. */
export function jsonRpc(
  opening: Promise<DevWallet>,
  handlersOf: (wallet: DevWallet) => Record<string, Handler>,
  unsupported: (method: string) => string,
): BitcoinProvider["request"] {
  let calls = 0;
  return async (method, params) => {
    const id = `moon-dev-${++calls}`;
    const wallet = await opening;
    const { late, silent, garbled, throws, lies } = wallet.misbehaviour;
    if (silent) return new Promise<never>(() => {});
    if (throws) throw new Error("The wallet broke.");
    const handlers = handlersOf(wallet);
    const handle = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
    const outcome = handle
      ? await outcomeOf(() => handle(wallet, params))
      : { error: { code: Code.methodNotFound, message: unsupported(method) } };
    const response = lies ? falsify(outcome) : outcome;
    await wallet.switchIfTold();
    if (late > 0) await new Promise((done) => setTimeout(done, late));
    if (garbled) return { moon: "dust" } as unknown as JsonRpcAnswer;
    return { jsonrpc: "2.0", id, ...response };
  };
}

/** Subscribes to the wallet's events once it is open. Returns the function that unsubscribes. */
export function listenTo(opening: Promise<DevWallet>): (event: string, listener: Listener) => () => void {
  return (event, heard) => {
    let stop: (() => void) | undefined;
    let stopped = false;
    void opening.then((wallet) => {
      if (!stopped) stop = wallet.listen(event, heard);
    });
    return () => {
      stopped = true;
      stop?.();
    };
  };
}

async function outcomeOf(act: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { result: await act() };
  } catch (error) {
    if (!(error instanceof RpcError)) {
      return {
        error: { code: Code.internalError, message: error instanceof Error ? error.message : "Internal error" },
      };
    }
    const { code, message, data } = error;
    return { error: { code, message, ...(data === undefined ? {} : { data }) } };
  }
}

/** False addresses and transaction ids. */
export const FALSE_VALUE = "bcrt1qthisisnoaddress";

/** Returns the same response with every address and transaction id replaced by a false one. */
function falsify(outcome: Outcome): Outcome {
  const isReplaced = (key: string): boolean => key === "address" || key === "txid";
  return JSON.parse(JSON.stringify(outcome, (key, value) => (isReplaced(key) ? FALSE_VALUE : value)));
}
