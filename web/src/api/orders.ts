import { queryOptions, useQuery } from "@tanstack/react-query";
import { fromWire } from "../lib/amount.ts";
import { NO_WALLET, post, decode, emptyIfUnknown, type WalletFields, type Wire } from "./client.ts";
import { formatNumber } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { keys } from "./keys.ts";

export type OrderStatus = Wire["OrderStatus"];
export type ActionType = Wire["ActionType"];

/** The items of an order or an estimate, in sats. total = dust + network + service + rutxos. */
export interface Fees {
  total: bigint;
  network: bigint;
  service: bigint;
  rutxos: bigint;
  dust: bigint;
  /** sat/vB */
  rate: number;
}

/** A payment order. Runes in base units, money in sats, times in milliseconds since 1970. */
export interface Order {
  id: string;
  type: ActionType;
  status: OrderStatus;
  units: string[];
  runes: bigint;
  fees: Fees;
  paymentAddress: string;
  date: number;
  rateDate: number;
  deadline: number | null;
  /** Payments seen and not replaced, confirmed or not. */
  balance: bigint;
  confirmedBalance: bigint;
  /** Amount of one more payment that completes the order; 0 if paid. */
  due: bigint;
  overpayment: bigint;
  /** Signed refunds, oldest first, then refunds due. */
  refunds: readonly Refund[];
  payoutTxid: string | null;
  /** Block of the delivery of a sent order; null until it is in one. */
  payoutHeight: number | null;
  /** Since when the server's node has rejected the signed delivery; null without a problem. */
  refusedSince: number | null;
  /** Null at normal speed, and once the difference to the normal price is paid. */
  economy: Economy | null;
  /** Null unless coins of the payment address pay for its transaction. */
  oneTx: OneTx | null;
  /** The owner of a paid order must sign its delivery until then; null if it needs no signature. */
  signUntil: number | null;
}

/**
 * The transaction in which coins of the payment address pay for an order, as the server sends it. The order's dialog
 * reads it, so that the first load does not contain the code for that.
 */
export type OneTx = Wire["OrderOneTx"];

/** The economy delivery of an order. Rates in sat/vB, times in milliseconds since 1970. */
export interface Economy {
  /** The chosen rate, at which the order is priced and sent. */
  rate: number;
  /** The rate of a normal order now. The order is sent when it is at most `rate`. */
  networkRate: number;
  waitsFor: Wire["Economy"]["waits_for"];
  until: number;
  /** Whether `until` has passed. */
  limitReached: boolean;
  /** When the order ends if its owner chooses nothing. */
  ends: number;
  /** Whether the order was paid and closed at its end. */
  ended: boolean;
  choices: readonly EconomyChoice[];
  /** The limit if the owner chooses to wait longer; null if that can't be chosen. */
  waitUntil: number | null;
  difference: Difference | null;
}

export type EconomyChoice = Wire["Economy"]["choices"][number];

/** What makes an economy order a normal one. Money in sats. */
export interface Difference {
  /** sat/vB */
  rate: number;
  /** The normal price of the order. */
  total: bigint;
  /**
   * Amount of one more payment that completes the difference. If the difference was seen, this payment replaces the
   * unconfirmed ones.
   */
  due: bigint;
  /** The payment must be seen until then. */
  until: number;
  /** Whether payments of the difference were seen in time. The order becomes a normal one once they confirm. */
  seen: boolean;
}

export type RefundState = Wire["Refund"]["state"];

/** A refund of an order. Money in sats, rates in sat/vB. */
export interface Refund {
  state: RefundState;
  /** The sum of its payments. */
  amount: bigint;
  /** The network fee, estimated until the refund is signed. */
  cost: bigint;
  received: bigint;
  address: string;
  /** The fee rate of a signed refund; else the network's current rate. */
  rate: number;
  /** The refund is sent at this rate or below; null once it is signed. */
  mostRate: number | null;
  txid: string | null;
}

export interface Payment {
  txid: string;
  value: bigint;
  date: number;
  confirmed: boolean;
  /** Null while it is in no block. */
  height: number | null;
  /** Whether it counts towards the price; too small a payment may not. */
  counted: boolean;
}

/** Sats of the output that carries the runes. */
const DUST = 546n;

export function readOrder(wire: Wire["Order"]): Order {
  if (!(wire.po_status in later.order.status)) throw new TypeError(`no status ${wire.po_status}`);
  return {
    id: wire.po_order_id,
    type: wire.wa_action_type,
    status: wire.po_status,
    units: wire.po_rutxos,
    runes: fromWire(wire.wa_amount),
    fees: {
      total: fromWire(wire.total_fee),
      network: fromWire(wire.network_fee),
      service: fromWire(wire.service_fee),
      rutxos: fromWire(wire.rutxos_fee),
      dust: DUST,
      rate: wire.po_feerate,
    },
    paymentAddress: wire.po_payment_address,
    date: Date.parse(wire.po_creation_date),
    rateDate: Date.parse(wire.po_rerate_date),
    deadline: wire.po_deadline === null ? null : Date.parse(wire.po_deadline),
    balance: fromWire(wire.po_balance),
    confirmedBalance: fromWire(wire.po_confirmed_balance),
    due: fromWire(wire.po_due),
    overpayment: fromWire(wire.po_overpayment),
    refunds: wire.po_refunds.map(readRefund),
    payoutTxid: wire.po_payout_txid,
    payoutHeight: wire.po_payout_height ?? null,
    refusedSince: wire.po_refused_since === undefined ? null : Date.parse(wire.po_refused_since),
    economy: wire.po_economy ? readEconomy(wire.po_economy) : null,
    oneTx: wire.po_one_tx ?? null,
    signUntil: wire.po_sign_until > 0 ? wire.po_sign_until * 1000 : null,
  };
}

function readEconomy(wire: Wire["Economy"]): Economy {
  const { difference } = wire;
  return {
    rate: wire.feerate,
    networkRate: wire.network_feerate,
    waitsFor: wire.waits_for,
    until: Date.parse(wire.until),
    limitReached: wire.limit_reached,
    ends: Date.parse(wire.ends),
    ended: wire.ended,
    choices: wire.choices,
    waitUntil: wire.wait_until ? Date.parse(wire.wait_until) : null,
    difference: difference
      ? {
          rate: difference.feerate,
          total: fromWire(difference.total_fee),
          due: fromWire(difference.due),
          until: Date.parse(difference.until),
          seen: difference.seen,
        }
      : null,
  };
}

function readRefund(wire: Wire["Refund"]): Refund {
  return {
    state: wire.state,
    amount: fromWire(wire.amount),
    cost: fromWire(wire.cost),
    received: fromWire(wire.received),
    address: wire.address,
    rate: wire.feerate,
    mostRate: wire.max_feerate,
    txid: wire.txid,
  };
}

/** Whether an order still needs its owner or a delivery. A claim with such an order blocks other claims. */
export function isActive(status: OrderStatus): boolean {
  return status === "PENDING" || status === "CONFIRMED" || status === "PENDING_RERATE" || status === "PAID";
}

/** Whether the chain or the operator can still change an order's status. */
function canChange(status: OrderStatus): boolean {
  return isActive(status) || status === "SENT" || status === "DELIVERED" || status === "AUDIT";
}

/** Whether the owner can still pay or rerate. */
export function isOpen(status: OrderStatus): boolean {
  return status === "PENDING" || status === "CONFIRMED" || status === "PENDING_RERATE";
}

/** Whether confirmed payments cover the price, so that they pay for the delivery. */
export function isPaidInFull({ confirmedBalance, fees }: Pick<Order, "confirmedBalance" | "fees">): boolean {
  return confirmedBalance >= fees.total;
}

/** Whether the owner can still cancel: until the delivery is signed. */
export function isCancelable(status: OrderStatus): boolean {
  return isOpen(status) || status === "PAID";
}

/**
 * Whether a paid economy order waits for the network's rate: no payment of the difference to the normal price was seen.
 */
export function isWaiting({ status, economy }: Pick<Order, "status" | "economy">): boolean {
  return status === "PAID" && economy?.waitsFor === "rate" && !economy.difference?.seen;
}

/** Whether an economy order reached its limit, so that its owner should choose. */
export function needsChoice(order: Pick<Order, "status" | "economy">): boolean {
  return isWaiting(order) && order.economy!.limitReached;
}

/**
 * Returns an order's status in words. CONFIRMED means that a payment was seen; the text says how much was paid. A PAID
 * order waits for its owner's signature, or, with economy delivery, for its rate.
 */
export function statusText(order: Pick<Order, "status" | "due" | "balance" | "economy" | "signUntil">): string {
  const { status, due, balance, economy, signUntil } = order;
  if (signUntil !== null) return later.oneTx.signDelivery;
  if (needsChoice(order)) return later.economy.limitReached;
  if (economy && isWaiting(order)) return later.economy.waitsFor(formatNumber(economy.rate, 3));
  if (status === "PAID" && economy?.difference?.seen) return later.order.covered;
  if (status !== "CONFIRMED" || balance === 0n) return later.order.status[status];
  return due === 0n ? later.order.covered : later.order.partlyPaid;
}

/** Says why the owner's last signature of the delivery of a paid order is void; null if they gave none. */
export function voidedText({ oneTx }: Pick<Order, "oneTx">): string | null {
  const words = later.oneTx;
  return oneTx?.state === "ended" ? (words.voided[oneTx.ended ?? ""] ?? words.voidedOther) : null;
}

/** An order that can still change is fetched again after this time, even if no event reports a change. */
const REFETCH_MS = 30_000;

/** All orders, newest first. */
export function useOrders(wallet: WalletFields | null) {
  return useQuery({
    queryKey: keys.orders(wallet ?? NO_WALLET),
    queryFn: ({ signal }) =>
      post<Wire["OrderList"]>("fetchClientPOs", wallet!, signal)
        .then(decode("fetchClientPOs", ({ orders }) => orders.map(readOrder)))
        .catch(emptyIfUnknown<Order[]>([])),
    enabled: wallet !== null,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => canChange(status)) ? REFETCH_MS : false),
  });
}

/** Payments of one order, newest first. */
export function usePayments(wallet: WalletFields | null, order: string) {
  return useQuery({ ...paymentsQuery(wallet ?? NO_WALLET, order), enabled: wallet !== null });
}

/** Query options of usePayments, for fetching immediately. */
export function paymentsQuery(wallet: WalletFields, order: string) {
  return queryOptions({
    queryKey: keys.payments(wallet, order),
    queryFn: ({ signal }) =>
      post<Wire["PaymentList"]>("fetchPOTxHistory", { ...wallet, order_id: order }, signal).then(
        decode("fetchPOTxHistory", ({ po_txs }) => po_txs.map(readPayment)),
      ),
    refetchInterval: REFETCH_MS,
  });
}

function readPayment(wire: Wire["Payment"]): Payment {
  return {
    txid: wire.txid,
    value: fromWire(wire.value),
    date: Date.parse(wire.date),
    confirmed: wire.isConfirmed,
    height: wire.height,
    counted: wire.counted,
  };
}

/** Sets a new price for an order whose rate has expired. */
export const rerateOrder = (wallet: WalletFields, order: string) => changeOrder("rearatePO", wallet, order);

/** Lets an economy order that reached its limit wait for up to 14 more days. */
export const waitOrder = (wallet: WalletFields, order: string) => changeOrder("waitPO", wallet, order);

/** Sets the difference to the normal price of a paid economy order for 30 minutes. */
export const requestDifference = (wallet: WalletFields, order: string) => changeOrder("payDifferencePO", wallet, order);

function changeOrder(call: "rearatePO" | "waitPO" | "payDifferencePO", wallet: WalletFields, order: string) {
  return post<Wire["OrderData"]>(call, { ...wallet, order_id: order }).then(
    decode(call, (data) => readOrder(data.order)),
  );
}

/** First call of a cancellation: returns the message to sign, or the order if it is already canceled. */
export function requestCancel(
  wallet: WalletFields,
  order: string,
  statement: string | undefined,
): Promise<Wire["Cancel"]> {
  return post<Wire["Cancel"]>("cancelPO", { ...wallet, order_id: order, statement });
}

/** Second call of a cancellation, with the proof. */
export function proveCancel(
  wallet: WalletFields,
  order: string,
  proof: { action_id: string; signature: string },
): Promise<Wire["Cancel"]> {
  return post<Wire["Cancel"]>("cancelPO", { ...wallet, order_id: order, ...proof });
}
