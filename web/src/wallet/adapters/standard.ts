import { RpcCode, toWalletError, WalletError } from "../errors.ts";
import type { Params } from "../methods/catalogue.ts";
import type { WindowProvider } from "../providers.ts";
import { walletTexts } from "../texts.ts";
import type { Adapter } from "./adapter.ts";

/**
 * Wallets that speak JSON-RPC 2.0 through `request` and `addListener` of their window object: Xverse, and whatever
 * registers itself in `btc_providers`.
 *
 * Facts: types and stock client of @sats-connect/core 0.16.0; docs.xverse.app/sats-connect.
 */
export function standardAdapter(provider: Pick<WindowProvider, "addListener"> & Required<Pick<WindowProvider, "request">>): Adapter {
  return {
    async request(method, params) {
      let response: unknown;
      try {
        response = await provider.request(method, method === "runes_transfer" ? withoutIds(params) : params);
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

/** The standard names a rune by its name alone. */
function withoutIds(params: unknown): unknown {
  const { recipients } = params as Params<"runes_transfer">;
  return { recipients: recipients.map(({ runeName, amount, address }) => ({ runeName, amount, address })) };
}

/** The result out of `{jsonrpc: "2.0", result}`; its error is thrown. `result: undefined` is no result. */
export function unwrap(response: unknown): unknown {
  const envelope = (typeof response === "object" && response !== null ? response : {}) as Record<string, unknown>;
  if (envelope["jsonrpc"] === "2.0") {
    if (envelope["error"] !== undefined && envelope["error"] !== null) throw toWalletError(envelope["error"]);
    if (envelope["result"] !== undefined) return envelope["result"];
  }
  throw new WalletError(RpcCode.internalError, walletTexts.unknownResponse, response);
}
