import { Code, Fault } from "./fault";
import { methodsOf } from "./methods";
import type { DevWallet, WalletEvent } from "./wallet";

export interface JsonRpcAnswer {
  jsonrpc: "2.0";
  id: string;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The object that pages talk to. */
export interface BitcoinProvider {
  request(method: string, params?: unknown): Promise<JsonRpcAnswer>;
  addListener(listener: { eventName: string; cb: (event: WalletEvent) => void }): () => void;
}

/** Speaks JSON-RPC for the wallet, which may still be opening, and misbehaves as it is told. */
export function bitcoinProvider(opening: Promise<DevWallet>): BitcoinProvider {
  let calls = 0;
  return {
    async request(method, params) {
      const id = `moon-dev-${++calls}`;
      const wallet = await opening;
      const { late, silent, garbled, throws, lies } = wallet.misbehaviour;
      if (silent) return new Promise<never>(() => {});
      if (throws) throw new Error("The wallet broke.");
      const honest = await answer(wallet, method, params);
      const outcome = lies ? lie(honest) : honest;
      await wallet.switchIfTold();
      if (late > 0) await new Promise((done) => setTimeout(done, late));
      if (garbled) return { moon: "dust" } as unknown as JsonRpcAnswer;
      return { jsonrpc: "2.0", id, ...outcome };
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

async function answer(wallet: DevWallet, method: string, params: unknown): Promise<Pick<JsonRpcAnswer, "result" | "error">> {
  const known = methodsOf(wallet);
  const handle = Object.hasOwn(known, method) ? known[method] : undefined;
  if (!handle) return { error: { code: Code.methodNotFound, message: `Method "${method}" is not supported by this wallet.` } };
  try {
    return { result: await handle(wallet, params) };
  } catch (fault) {
    if (fault instanceof Fault) return { error: { code: fault.code, message: fault.message } };
    return { error: { code: Code.internalError, message: fault instanceof Error ? fault.message : "Internal error" } };
  }
}

const LIE = "bcrt1qthisisnoaddress";

/** The same answer with every address and transaction id false. */
function lie(outcome: Pick<JsonRpcAnswer, "result" | "error">): Pick<JsonRpcAnswer, "result" | "error"> {
  return JSON.parse(JSON.stringify(outcome, (key, value) => (key === "address" || key === "txid" ? LIE : value)));
}
