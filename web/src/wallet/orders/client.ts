import { type Check, integer, Mismatch, object, text } from "../check.ts";
import { RpcCode, WalletError } from "../errors.ts";
import type { NetworkName } from "../methods/names.ts";
import { sentence } from "../texts.ts";
import { ordersBase } from "./bases.ts";

/** The kind of order, as in the paths of the service. */
export type Kind = "mint" | "etch";

export interface CreatedOrder {
  orderId: string;
  fundAddress: string;
  /** Sats. */
  fundAmount: number;
}

const TIMEOUT_MS = 30_000;
/** The maximum supply in sats: 21 million BTC. */
const MAX_SATS = 21_000_000_00000000;

const nonEmpty = text({ min: 1 });
const created: Check<CreatedOrder> = object({
  orderId: nonEmpty,
  fundAddress: nonEmpty,
  fundAmount: integer(1, MAX_SATS),
});
const rbfEstimate = object({ rbfCost: integer(0, MAX_SATS), fundingAddress: nonEmpty });

/** The orders service of one network (specification, section 7). Every call throws WalletError on failure. */
export interface OrdersClient {
  estimate(kind: Kind, fields: object): Promise<unknown>;
  create(kind: Kind, fields: object): Promise<CreatedOrder>;
  execute(kind: Kind, orderId: string, fundTransactionId: string): Promise<void>;
  find(orderId: string): Promise<unknown>;
  /** `rbfCost` in sats, to be paid to `fundingAddress`. */
  estimateRbf(orderId: string, newFeeRate: number): Promise<{ rbfCost: number; fundingAddress: string }>;
}

export function ordersClient(network: NetworkName): OrdersClient {
  const base = ordersBase(network);
  const at = (...parts: string[]) => [base, ...parts.map(encodeURIComponent)].join("/");
  return {
    estimate: (kind, fields) => call(at("runes", kind, "estimate"), fields),
    create: async (kind, fields) => read(created, await call(at("runes", kind, "orders"), fields)),
    execute: async (kind, orderId, fundTransactionId) => {
      await call(at("runes", kind, "orders", orderId, "execute"), { fundTransactionId });
    },
    find: (orderId) => call(at("orders", orderId), undefined, true),
    estimateRbf: async (orderId, newFeeRate) =>
      read(rbfEstimate, await call(at("orders", orderId, "rbf-estimate"), { newFeeRate }, true)),
  };
}

/** With `lookup`, a 404 counts as an error of the caller, too. */
async function call(url: string, body?: object, lookup = false): Promise<unknown> {
  const init = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  let responseText: string;
  try {
    response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    responseText = await response.text();
  } catch (error) {
    throw new WalletError(RpcCode.internalError, sentence("ordersAway"), error);
  }
  const answer = parse(responseText);
  if (response.ok) return answer;
  const isCallerError = response.status === 400 || (lookup && response.status === 404);
  throw new WalletError(isCallerError ? RpcCode.invalidRequest : RpcCode.internalError, JSON.stringify(answer), {
    status: response.status,
  });
}

/** Returns the body as JSON, or as text if it is not JSON. */
function parse(responseText: string): unknown {
  try {
    return JSON.parse(responseText);
  } catch {
    return responseText;
  }
}

function read<T>(check: Check<T>, answer: unknown): T {
  try {
    return check(answer, "result");
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new WalletError(RpcCode.internalError, sentence("unknownResponse"), { why: error.message, answer });
  }
}
