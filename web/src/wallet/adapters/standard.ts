import { asRecord, RpcCode, toWalletError, WalletError } from "../errors.ts";
import type { Params } from "../methods/catalogue.ts";
import type { Listen, WindowProvider } from "../providers.ts";
import { sentence, walletTexts } from "../texts.ts";
import type { Adapter, WalletEventName } from "./adapter.ts";

/**
 * Wallets that use JSON-RPC 2.0 by `request` and `addListener` of their window object: Xverse, and every wallet that
 * registers itself in `btc_providers`.
 *
 * Sources: types and stock client of @sats-connect/core 0.16.0; docs.xverse.app/sats-connect; responses of Xverse
 * 0.49.0 in testing/answers.
 */
export function standardAdapter(
  provider: Pick<WindowProvider, "addListener"> & Required<Pick<WindowProvider, "request">>,
): Adapter {
  return {
    async request(method, params) {
      let response: unknown;
      try {
        response = await provider.request(method, method === "runes_transfer" ? withoutIds(params) : params);
      } catch (error) {
        throw toWalletError(error);
      }
      return unwrap(response);
    },
    listen(event, listener) {
      const add = provider.addListener;
      if (typeof add !== "function") {
        console.error(walletTexts.noListener);
        return () => {};
      }
      return register(add.bind(provider), add.length, event, listener);
    },
  };
}

type Form = "positional" | "object";

/**
 * Subscribes in the form that the wallet accepts: (name, callback), as Xverse 0.49.0, or ({eventName, cb}), as the
 * stock client of sats-connect. Xverse accepts the second form without an error and never calls back, so the number of
 * declared parameters decides. If none are declared, both forms are registered and the first that calls back is kept.
 */
function register(
  add: Listen,
  declared: number,
  event: WalletEventName,
  listener: (event: unknown) => void,
): () => void {
  const forms: Form[] = declared >= 2 ? ["positional"] : declared === 1 ? ["object"] : ["positional", "object"];
  const stops = new Map<Form, () => void>();
  let inUse: Form | null = forms.length === 1 ? forms[0]! : null;
  let stopped = false;
  for (const form of forms) {
    const forward = (data: unknown): void => {
      if (stopped || (inUse !== null && inUse !== form) || isAnother(event, data)) return;
      inUse = form;
      for (const [other, stop] of stops) if (other !== form) stop();
      listener(data);
    };
    try {
      const stop = form === "positional" ? add(event, forward) : add({ eventName: event, cb: forward });
      stops.set(form, () => {
        if (typeof stop === "function") stop();
      });
    } catch (error) {
      if (stops.size === 0 && form === forms.at(-1)) console.error(walletTexts.noListener, error);
    }
  }
  return () => {
    stopped = true;
    for (const stop of stops.values()) stop();
  };
}

const EVENT_NAMES: readonly unknown[] = ["accountChange", "networkChange", "disconnect"] satisfies WalletEventName[];

/** Whether the event data names another event than the subscribed one. */
function isAnother(event: WalletEventName, data: unknown): boolean {
  const type = asRecord(data)?.["type"];
  return EVENT_NAMES.includes(type) && type !== event;
}

/** The standard identifies a rune by its name only. */
function withoutIds(params: unknown): unknown {
  const { recipients } = params as Params<"runes_transfer">;
  return { recipients: recipients.map(({ runeName, amount, address }) => ({ runeName, amount, address })) };
}

/** Returns the result of `{jsonrpc: "2.0", result}` and throws its error. `result: undefined` is not a result. */
export function unwrap(response: unknown): unknown {
  const envelope = (typeof response === "object" && response !== null ? response : {}) as Record<string, unknown>;
  if (envelope["jsonrpc"] === "2.0") {
    if (envelope["error"] !== undefined && envelope["error"] !== null) throw toWalletError(envelope["error"]);
    if (envelope["result"] !== undefined) return envelope["result"];
  }
  throw new WalletError(RpcCode.internalError, sentence("unknownResponse"), response, { kind: "unreadable" });
}
