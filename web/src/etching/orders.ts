import { useQuery } from "@tanstack/react-query";
import { etchingText } from "../lib/etchingText.ts";
import { failureOf, logged, PageError, type Failure } from "../lib/failure.ts";
import { site } from "../lib/site.ts";
import { translate, type Sentence } from "../lib/translate.ts";
import { configureOrders, estimateEtch, estimateMint, findOrder, WalletError } from "../wallet/index.ts";
import type { EtchParams, MintParams, OrderEstimate, RunesOrder } from "../wallet/index.ts";
import { network } from "./etch.ts";

configureOrders({ [network]: site.orders && new URL(site.orders, site.apiBase || location.href).href });

/** Refetch interval of an order that is not final, in ms. */
const WATCH_MS = 3_000;
const REST_MS = 20_000;

export function useOrder(id: string) {
  return useQuery({
    queryKey: ["etching", "order", id],
    queryFn: () => withReason(findOrder({ id, network })),
    refetchInterval: ({ state }) => (state.data && isFinished(state.data) ? REST_MS : WATCH_MS),
  });
}

function isFinished(order: RunesOrder): boolean {
  return order.state === "complete" || order.state === "refunded";
}

export type OrderRequest = { kind: "etch"; params: EtchParams } | { kind: "mint"; params: MintParams };

/** Fetches the cost of a request; disabled without one. */
export function useCost(request: OrderRequest | null) {
  return useQuery({
    queryKey: ["etching", "cost", request],
    enabled: request !== null,
    retry: false,
    queryFn: (): Promise<OrderEstimate> => withReason(costOf(request!)),
  });
}

function costOf(request: OrderRequest): Promise<OrderEstimate> {
  if (request.kind === "etch") {
    const { refundAddress: _, ...params } = request.params;
    return estimateEtch(params);
  }
  const { refundAddress: _, ...params } = request.params;
  return estimateMint(params);
}

async function withReason<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new PageError(reasonOf(error).message, { cause: error });
  }
}

/** Returns why a request failed. The service's errors arrive as JSON. */
export function reasonOf(error: unknown): Failure {
  if (!(error instanceof WalletError)) return failureOf(error, etchingText.failed);
  try {
    const sent = JSON.parse(error.message) as Sentence | null;
    if (typeof sent?.message === "string") return { message: translate(sent), details: null };
  } catch {
    // The sentence is the library's.
  }
  return failureOf(logged(error), etchingText.failed);
}

/** Returns the transaction in a failure: the order was paid, and failed after that. */
export function paidIn(error: unknown): string | null {
  const data = error instanceof WalletError ? (error.data as { fundTransactionId?: unknown } | null | undefined) : null;
  return typeof data?.fundTransactionId === "string" ? data.fundTransactionId : null;
}

/** Returns the order in a failure: it was created, and may be paid. */
export function orderIn(error: unknown): string | null {
  const data = error instanceof WalletError ? (error.data as { orderId?: unknown } | null | undefined) : null;
  return typeof data?.orderId === "string" ? data.orderId : null;
}
