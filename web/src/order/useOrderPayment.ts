import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { attempts, paymentStateOf, type Attempt, type Tracked } from "../action/attempts.ts";
import { pay, search, type FindPayment } from "../action/pay.ts";
import { keys } from "../api/keys.ts";
import { paymentsQuery, usePayments, type Order, type Payment } from "../api/orders.ts";
import { useObservable } from "../lib/observable.ts";
import { fieldsOf } from "../session/session.ts";
import type { Session } from "../wallet/index.ts";
import { dueOf } from "./state.ts";

export interface OrderPayment {
  /** Payments that the wallet was asked for, oldest first. */
  tracked: readonly Tracked[];
  /** Whether a payment may be in transit that the server has not seen. */
  inTransit: boolean;
  /** Whether the order's payments are loaded, so that a new one can be recognized. */
  ready: boolean;
  pay(): void;
  giveUp(): void;
  search(): void;
}

/** Pays an order with the wallet, and tracks each payment until the server has it. */
export function useOrderPayment(order: Order, session: Session): OrderPayment {
  const client = useQueryClient();
  const wallet = fieldsOf(session);
  const all = useObservable(attempts);
  const tracked = useMemo(() => all.filter((one) => one.order === order.id), [all, order.id]);
  const { data: payments } = usePayments(wallet, order.id);

  const findPayment = useCallback<FindPayment>(
    async (attempt) => {
      const found = await client.fetchQuery({ ...paymentsQuery(wallet, order.id), staleTime: 0, retry: false });
      void client.invalidateQueries({ queryKey: keys.orders(wallet) });
      return isReceived(attempt, found);
    },
    [client, wallet, order.id],
  );

  // The server has the payment: stop tracking it.
  useEffect(() => {
    if (!payments) return;
    for (const one of tracked) if (one.search !== "found" && isReceived(one, payments)) attempts.markFound(one.id);
  }, [tracked, payments]);

  // The page was reloaded while the wallet was asked: check the payment now.
  useEffect(() => {
    for (const one of tracked)
      if (one.search === null && !one.pending && one.state !== "sent") void search(one.id, findPayment);
  }, [tracked, findPayment]);

  return {
    tracked,
    inTransit: paymentStateOf(tracked) !== "free",
    ready: payments !== undefined,
    pay() {
      if (!payments) return;
      // Remove attempts that were refused and never arrived. Keep attempts that may still arrive.
      for (const one of tracked) if (one.search === "found" || paymentStateOf([one]) === "free") attempts.drop(one.id);
      const sats = dueOf(order);
      const alike = countOf(sats, payments);
      void pay({ order: order.id, address: order.paymentAddress, sats, alike }, findPayment).finally(
        () => void client.invalidateQueries({ queryKey: keys.wallets }),
      );
    },
    giveUp: () => tracked.filter(({ pending }) => pending).forEach(({ id }) => attempts.giveUp(id)),
    search() {
      const missing = tracked.filter((one) => one.search !== "found" && one.state !== "sent");
      for (const { id } of missing) void search(id, findPayment);
    },
  };
}

/**
 * Reports whether the order contains an attempt's payment: by transaction id, else by one more payment of the same
 * amount.
 */
export function isReceived(attempt: Attempt, payments: readonly Payment[]): boolean {
  if (attempt.txid) return payments.some(({ txid }) => txid.toLowerCase() === attempt.txid.toLowerCase());
  return countOf(BigInt(attempt.sats), payments) > attempt.alike;
}

function countOf(sats: bigint, payments: readonly Payment[]): number {
  return payments.filter(({ value }) => value === sats).length;
}
