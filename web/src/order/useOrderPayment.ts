import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo } from "react";
import { attempts, standingOf, type Attempt, type Tracked } from "../action/attempts.ts";
import { pay, search, type Look } from "../action/pay.ts";
import { keys } from "../api/keys.ts";
import { paymentsQuery, usePayments, type Order, type Payment } from "../api/orders.ts";
import { useObservable } from "../lib/observable.ts";
import { fieldsOf } from "../session/session.ts";
import type { Session } from "../wallet/index.ts";

export interface OrderPayment {
  /** What the wallet was asked to pay for this order, oldest first. */
  tracked: readonly Tracked[];
  /** A payment may be on its way that the server has not seen. */
  underway: boolean;
  /** The order's payments are known: a new one can be told from those before. */
  ready: boolean;
  pay(): void;
  giveUp(): void;
  look(): void;
}

/** Paying an order with the wallet, and following each payment until the server has it. */
export function useOrderPayment(order: Order, session: Session): OrderPayment {
  const client = useQueryClient();
  const wallet = fieldsOf(session);
  const all = useObservable(attempts);
  const tracked = useMemo(() => all.filter((one) => one.order === order.id), [all, order.id]);
  const { data: payments } = usePayments(wallet, order.id);

  const look = useCallback<Look>(
    async (attempt) => {
      const found = await client.fetchQuery({ ...paymentsQuery(wallet, order.id), staleTime: 0, retry: false });
      void client.invalidateQueries({ queryKey: keys.orders(wallet) });
      return isThere(attempt, found);
    },
    [client, wallet, order.id],
  );

  // The server has it: nothing is left to wait for.
  useEffect(() => {
    if (!payments) return;
    for (const one of tracked) if (one.look !== "seen" && isThere(one, payments)) attempts.seen(one.id);
  }, [tracked, payments]);

  // Nobody has looked yet: the page was loaded anew while the wallet was asked.
  useEffect(() => {
    for (const one of tracked)
      if (one.look === null && !one.answering && one.state !== "sent") void search(one.id, look);
  }, [tracked, look]);

  return {
    tracked,
    underway: standingOf(tracked) !== "free",
    ready: payments !== undefined,
    pay() {
      if (!payments) return;
      // What was refused, and never came, is over. What may still come stays.
      for (const one of tracked) if (one.look === "seen" || standingOf([one]) === "free") attempts.drop(one.id);
      const alike = countOf(order.due, payments);
      void pay({ order: order.id, address: order.paymentAddress, sats: order.due, alike }, look).finally(
        () => void client.invalidateQueries({ queryKey: keys.wallets }),
      );
    },
    giveUp: () => tracked.filter(({ answering }) => answering).forEach(({ id }) => attempts.giveUp(id)),
    look: () =>
      tracked.filter((one) => one.look !== "seen" && one.state !== "sent").forEach(({ id }) => void search(id, look)),
  };
}

/** Whether the order has an attempt's payment: by its transaction, else as one more payment of just so many sats. */
export function isThere(attempt: Attempt, payments: readonly Payment[]): boolean {
  if (attempt.txid) return payments.some(({ txid }) => txid.toLowerCase() === attempt.txid.toLowerCase());
  return countOf(BigInt(attempt.sats), payments) > attempt.alike;
}

function countOf(sats: bigint, payments: readonly Payment[]): number {
  return payments.filter(({ value }) => value === sats).length;
}
