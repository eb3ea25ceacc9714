import { Code, RpcError } from "./fault";
import { methodsOf } from "./methods";
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

/** Returns the provider of a wallet, with its current misbehaviour. Calls wait until the wallet is open. */
export function bitcoinProvider(opening: Promise<DevWallet>): BitcoinProvider {
  let calls = 0;
  return {
    async request(method, params) {
      const id = `moon-dev-${++calls}`;
      const wallet = await opening;
      const { late, silent, garbled, throws, lies } = wallet.misbehaviour;
      if (silent) return new Promise<never>(() => {});
      if (throws) throw new Error("The wallet broke.");
      const outcome = await outcomeOf(wallet, method, params);
      const response = lies ? falsify(outcome) : outcome;
      await wallet.switchIfTold();
      if (late > 0) await new Promise((done) => setTimeout(done, late));
      if (garbled) return { moon: "dust" } as unknown as JsonRpcAnswer;
      return { jsonrpc: "2.0", id, ...response };
    },
    addListener({ eventName, cb }) {
      let stop: (() => void) | undefined;
      let stopped = false;
      void opening.then((wallet) => {
        if (!stopped) stop = wallet.listen(eventName, cb);
      });
      return () => {
        stopped = true;
        stop?.();
      };
    },
  };
}

async function outcomeOf(wallet: DevWallet, method: string, params: unknown): Promise<Outcome> {
  const handlers = methodsOf(wallet);
  const handle = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
  try {
    if (!handle) throw new RpcError(Code.methodNotFound, `Method "${method}" is not supported by this wallet.`);
    return { result: await handle(wallet, params) };
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
const FALSE_VALUE = "bcrt1qthisisnoaddress";

/** Returns the same response with every address and transaction id replaced by a false one. */
function falsify(outcome: Outcome): Outcome {
  const isReplaced = (key: string): boolean => key === "address" || key === "txid";
  return JSON.parse(JSON.stringify(outcome, (key, value) => (isReplaced(key) ? FALSE_VALUE : value)));
}
