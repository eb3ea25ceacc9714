import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/client.ts";
import { useCommunity } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { beginOneTx, estimateOneTx, isReward, sendOneTx, type OneTxDraft, type OneTxQuote } from "../api/oneTx.ts";
import { isPaidInFull, type Order } from "../api/orders.ts";
import { unitsQuery } from "../api/wallet.ts";
import { failureOf, logged, type Failure } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { Cell, useObservable } from "../lib/observable.ts";
import { text } from "../lib/text.ts";
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
  const rewards = units.filter(isReward).length;
  const { data, error } = useQuery({
    queryKey: ["oneTx", wallet, units],
    queryFn: ({ signal }) => estimateOneTx(wallet!, units, session!.payment.publicKey, signal),
    enabled: enabled && wallet !== null && rewards === 0,
    retry: false,
    gcTime: 0,
  });
  if (!enabled || !wallet) return null;
  if (rewards > 0) return { quote: null, impossible: later.oneTx.rewards(rewards, units.length) };
  return { quote: error ? null : (data ?? null), impossible: error?.message ?? null };
}

/** The state of signing an order's transaction on this page. */
export interface OneTxRun {
  /** Starts when the order is shown: a dialog that opens later would cover the question of some wallets. */
  queued: boolean;
  /** Null: nothing is running. */
  step: "preparing" | "signing" | "sending" | null;
  /** Why the last attempt failed. */
  error: Failure | null;
  /** The price that is shown, from the estimate or from the transaction itself. */
  quote: Pick<OneTxQuote, "fee" | "vbytes" | "rate"> | null;
  /** The transaction costs more than was shown. `quote` is its price, which the owner has to accept. */
  asks: boolean;
  /** Stops waiting for the wallet. */
  stop(): void;
}

/** The orders, by id, whose owners chose one transaction on this page. */
const runs = new Cell<Readonly<Record<string, OneTxRun>>>({});

const idle: OneTxRun = { queued: false, step: null, error: null, quote: null, asks: false, stop: () => {} };

function change(order: string, to: Partial<OneTxRun>): void {
  const all = runs.get();
  runs.set({ ...all, [order]: { ...(all[order] ?? idle), ...to } });
}

/**
 * Chooses one transaction for an order. When the order is shown, the wallet is asked to sign at the `quote` that was
 * shown; without one, the price is fetched.
 */
export function chooseOneTx(order: string, quote: OneTxQuote | null): void {
  change(order, { quote, queued: true, asks: false, error: null });
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

/**
 * Returns a function that has the wallet sign the transaction of an order, and sends it. If the transaction costs more
 * than the page has shown, the function only shows its price; call it again once the owner accepts that.
 */
export function useSignOneTx(session: Session | null): (order: Order) => Promise<void> {
  const client = useQueryClient();
  const runeId = useCommunity().data?.rune_id;
  return async (order) => {
    if (!session || runeId === undefined || runs.get()[order.id]?.step) return;
    const units = client.getQueryData(unitsQuery(fieldsOf(session)).queryKey) ?? [];
    const inSelfCustody = units.filter(({ id, custody }) => custody === "self" && order.units.includes(id));
    await signOneTx(session, order, runeId, inSelfCustody.map(({ id }) => id));
    await client.invalidateQueries({ queryKey: keys.wallets });
  };
}

async function signOneTx(session: Session, order: Order, runeId: string, self: readonly string[]): Promise<void> {
  const { id, units, runes, fees } = order;
  const controller = new AbortController();
  const { signal } = controller;
  const isPaid = isPaidInFull(order);
  // The price of a paid order was shown before it was paid.
  const shown = runs.get()[id]?.quote?.fee ?? (order.signUntil === null ? null : fees.network + fees.rutxos);
  change(id, { queued: false, step: "preparing", error: null, asks: false, stop: () => controller.abort() });
  try {
    const wallet = fieldsOf(session);
    const draft = await beginOneTx(wallet, id, session.payment.publicKey, signal);
    const { requireOneTx } = await import("./oneTxCheck.ts");
    const service = isPaid ? fees.service : null;
    requireOneTx(draft, { units, runes, runeId, self, service, coins: order.signUntil === null }, session);
    if (shown === null || draft.fee > shown) return change(id, { step: null, quote: draft, asks: true });
    change(id, { step: "signing", quote: draft });
    const psbt = await askWallet(draft, session.ordinals.address, signal);
    change(id, { step: "sending" });
    await sendOneTx(wallet, id, psbt);
    change(id, { step: null });
  } catch (error) {
    change(id, { step: null, error: reasonOf(logged(error)) });
  }
}

/**
 * Returns the signed PSBT. If the wallet changed the transaction, returns the wallet's PSBT: the server refuses it and
 * says what differs.
 */
async function askWallet(draft: OneTxDraft, ordinals: string, signal: AbortSignal): Promise<string> {
  const { psbt, address, inputs, ownerInputs } = draft;
  const signInputs = {
    ...(inputs.length > 0 ? { [address]: inputs } : {}),
    ...(ownerInputs.length > 0 ? { [ordinals]: ownerInputs } : {}),
  };
  try {
    return (await signPsbt({ psbt, signInputs, broadcast: false }, { signal })).psbt;
  } catch (error) {
    if (!(error instanceof WalletError) || error.kind !== "unreadable") throw error;
    const answered = (error.data as { psbt?: unknown } | undefined)?.psbt;
    if (typeof answered !== "string" || answered === "") throw error;
    return answered;
  }
}

function reasonOf(error: unknown): Failure {
  const words = later.oneTx;
  const failure = failureOf(error, text.action.unexpected("signPsbt"));
  if (error instanceof ApiError || (error instanceof Error && error.name === "DraftMismatch")) return failure;
  const isDeclined = error instanceof WalletError && error.rejected;
  const message = isDeclined ? words.declined(walletName()) : words.failed(walletName(), failure.message);
  return { message, details: failure.details };
}
