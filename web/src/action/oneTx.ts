import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
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

/** The fee of a transaction. Sats, vB, sat/vB. */
export type Price = Pick<OneTxQuote, "fee" | "vbytes" | "rate">;

/** The state of signing an order's transaction on this page. */
export interface OneTxRun {
  /** Starts when the order is shown: a dialog that opens later would cover the question of some wallets. */
  queued: boolean;
  /** Null: nothing is running. */
  step: "preparing" | "signing" | "sending" | null;
  /** Why the last attempt failed. */
  error: Failure | null;
  /** The price that is shown, from the estimate or from the transaction itself. */
  quote: Price | null;
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

/** The delivery of a paid order: its fee and what returns to the payment address, in sats. */
export interface Delivery extends Price {
  change: bigint;
}

/**
 * Fetches the delivery of a paid order and checks it, before its owner is asked to sign. Fetches again when the
 * payments of the order change.
 */
export function useDelivery(session: Session, order: Order) {
  const client = useQueryClient();
  const runeId = useCommunity().data?.rune_id;
  const { data, error, isPending } = useQuery({
    queryKey: ["delivery", order.id, session.payment.address, String(order.confirmedBalance)],
    queryFn: async ({ signal }): Promise<Delivery> => {
      const { draft, change } = await prepare({ client, session, order, runeId: runeId! }, signal);
      return { fee: draft.fee, vbytes: draft.vbytes, rate: draft.rate, change };
    },
    enabled: runeId !== undefined,
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  return { delivery: data ?? null, error: error && reasonOf(error), isPending };
}

/**
 * Returns a function that has the wallet sign the transaction of an order, and sends it. If the transaction costs more
 * than `shown`, the function only shows its price; call it again once the owner accepts that.
 */
export function useSignOneTx(session: Session | null): (order: Order, shown: Price | null) => Promise<void> {
  const client = useQueryClient();
  const runeId = useCommunity().data?.rune_id;
  return async (order, shown) => {
    if (!session || runeId === undefined || runs.get()[order.id]?.step) return;
    await signOneTx({ client, session, order, runeId }, shown);
    await client.invalidateQueries({ queryKey: keys.wallets });
  };
}

/** An order that its owner signs. */
interface Signing {
  client: QueryClient;
  session: Session;
  order: Order;
  runeId: string;
}

/** Fetches the transaction of an order and checks it. Returns it with the sats of its change. */
async function prepare({ client, session, order, runeId }: Signing, signal: AbortSignal) {
  const wallet = fieldsOf(session);
  const draft = await beginOneTx(wallet, order.id, session.payment.publicKey, signal);
  const { requireOneTx } = await import("./oneTxCheck.ts");
  const held = client.getQueryData(unitsQuery(wallet).queryKey) ?? [];
  const self = held.filter(({ id, custody }) => custody === "self" && order.units.includes(id)).map(({ id }) => id);
  const service = isPaidInFull(order) ? order.fees.service : null;
  const wanted = { ...order, runeId, self, service, coins: order.signUntil === null };
  return { draft, change: requireOneTx(draft, wanted, session) };
}

async function signOneTx(signing: Signing, shown: Price | null): Promise<void> {
  const { session, order: { id } } = signing;
  const controller = new AbortController();
  const { signal } = controller;
  change(id, { queued: false, step: "preparing", error: null, asks: false, stop: () => controller.abort() });
  try {
    const { draft } = await prepare(signing, signal);
    if (shown === null || draft.fee > shown.fee) return change(id, { step: null, quote: draft, asks: true });
    change(id, { step: "signing", quote: draft });
    const psbt = await askWallet(draft, session.ordinals.address, signal);
    change(id, { step: "sending" });
    await sendOneTx(fieldsOf(session), id, psbt);
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
