import { RpcCode, toWalletError, WalletError } from "../errors";
import type { WindowProvider } from "../providers";
import { walletTexts } from "../texts";
import type { Adapter } from "./adapter";

/** Wallets that speak JSON-RPC 2.0 through `request` and `addListener` of their window object. */
export function standardAdapter(provider: WindowProvider): Adapter {
  return {
    async request(method, params) {
      let response: unknown;
      try {
        response = await provider.request(method, params);
      } catch (fault) {
        throw toWalletError(fault);
      }
      return unwrap(response);
    },
    listen(event, heard) {
      if (typeof provider.addListener !== "function") {
        console.error(walletTexts.noListener);
        return () => {};
      }
      try {
        const stop = provider.addListener({ eventName: event, cb: heard });
        return () => {
          if (typeof stop === "function") stop();
        };
      } catch (fault) {
        console.error(walletTexts.noListener, fault);
        return () => {};
      }
    },
  };
}

/** The result out of `{jsonrpc: "2.0", result}`; its error is thrown. `result: undefined` is no result. */
function unwrap(response: unknown): unknown {
  const envelope = (typeof response === "object" && response !== null ? response : {}) as Record<string, unknown>;
  if (envelope["jsonrpc"] === "2.0") {
    if (envelope["error"] !== undefined && envelope["error"] !== null) throw toWalletError(envelope["error"]);
    if (envelope["result"] !== undefined) return envelope["result"];
  }
  throw new WalletError(RpcCode.internalError, walletTexts.unknownResponse, response);
}
