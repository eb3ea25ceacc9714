import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";
import { keys } from "../api/keys.ts";
import { beginOneTx, estimateOneTx, sendOneTx, type OneTxDraft, type OneTxQuote } from "../api/oneTx.ts";
import { failureOf, logged, type Failure } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { Cell, useObservable } from "../lib/observable.ts";
import { walletName } from "../session/capability.ts";
import { fieldsOf } from "../session/session.ts";
import { signPsbt, WalletError, type Session } from "../wallet/index.ts";

/** The price of units in one transaction, or why it is not possible. Both are null while it is estimated. */
export interface OneTxOffer {
  quote: OneTxQuote | null;
  impossible: string | null;
}

/** Estimates a withdrawal in one transaction. Returns null if `enabled` is false. */
export function useOneTxOffer(session: Session | null, units: readonly string[], enabled: boolean): OneTxOffer | null {
  const wallet = session && fieldsOf(session);
  const { data, error } = useQuery({
    queryKey: ["oneTx", wallet, units],
    queryFn: ({ signal }) => estimateOneTx(wallet!, units, session!.payment.publicKey, signal),
    enabled: enabled && wallet !== null,
    retry: false,
    gcTime: 0,
  });
  if (!enabled || !wallet) return null;
  return { quote: error ? null : (data ?? null), impossible: error?.message ?? null };
}

/** The state of signing an order's transaction on this page. */
export interface OneTxRun {
  /** Signing starts when the order is shown: a dialog that opens later would cover the question of some wallets. */
  queued: boolean;
  /** Null: nothing is running. */
  step: "preparing" | "signing" | "sending" | null;
  /** Why the last attempt failed. */
  error: Failure | null;
  /** The price, from the estimate or from the transaction itself. */
  quote: Pick<OneTxQuote, "fee" | "vbytes" | "rate"> | null;
  /** Stops waiting for the wallet. */
  stop(): void;
}

/** The orders, by id, whose owners chose one transaction on this page. */
const runs = new Cell<Readonly<Record<string, OneTxRun>>>({});

const idle: OneTxRun = { queued: false, step: null, error: null, quote: null, stop: () => {} };

function change(order: string, to: Partial<OneTxRun>): void {
  const all = runs.get();
  runs.set({ ...all, [order]: { ...(all[order] ?? idle), ...to } });
}

/** Chooses one transaction for an order. With the `quote` that was shown, signing starts when the order is shown. */
export function chooseOneTx(order: string, quote: OneTxQuote | null): void {
  change(order, { quote, queued: quote !== null, error: null });
}

/** Chooses payment for an order again. */
export function leaveOneTx(order: string): void {
  const { [order]: left, ...rest } = runs.get();
  left?.stop();
  runs.set(rest);
}

/** The run of an order; null if its owner did not choose one transaction. */
export function useOneTxRun(order: string): OneTxRun | null {
  return useObservable(runs)[order] ?? null;
}

/** Returns a function that has the wallet sign the transaction of an order, and sends it. */
export function useSignOneTx(session: Session | null): (order: string) => Promise<void> {
  const client = useQueryClient();
  return async (order) => {
    if (!session || runs.get()[order]?.step) return;
    await signOneTx(session, order);
    await client.invalidateQueries({ queryKey: keys.wallets });
  };
}

async function signOneTx(session: Session, order: string): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  change(order, { queued: false, step: "preparing", error: null, stop: () => controller.abort() });
  try {
    const wallet = fieldsOf(session);
    const draft = await beginOneTx(wallet, order, session.payment.publicKey, signal);
    const { requireOneTx } = await import("./oneTxCheck.ts");
    requireOneTx(draft, session);
    change(order, { step: "signing", quote: draft });
    const psbt = await askWallet(draft, signal);
    change(order, { step: "sending" });
    await sendOneTx(wallet, order, psbt);
    change(order, { step: null });
  } catch (error) {
    change(order, { step: null, error: reasonOf(logged(error)) });
  }
}

/**
 * Returns the signed PSBT. If the wallet changed the transaction, returns the wallet's PSBT: the server refuses it and
 * says what differs.
 */
async function askWallet({ psbt, address, inputs }: OneTxDraft, signal: AbortSignal): Promise<string> {
  try {
    return (await signPsbt({ psbt, signInputs: { [address]: inputs }, broadcast: false }, { signal })).psbt;
  } catch (error) {
    if (!(error instanceof WalletError) || error.kind !== "unreadable") throw error;
    const answered = (error.data as { psbt?: unknown } | undefined)?.psbt;
    if (typeof answered !== "string" || answered === "") throw error;
    return answered;
  }
}

function reasonOf(error: unknown): Failure {
  const words = later.oneTx;
  const failure = failureOf(error, String(error));
  if (error instanceof ApiError || (error instanceof Error && error.name === "DraftMismatch")) return failure;
  const isDeclined = error instanceof WalletError && error.rejected;
  const message = isDeclined ? words.declined(walletName()) : words.failed(walletName(), failure.message);
  return { message, details: error instanceof WalletError ? error.sentence.message : null };
}
