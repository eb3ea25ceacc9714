import { useEffect, useState } from "react";
import { attempts, paymentStateOf } from "../action/attempts.ts";
import { etchRunes, findOrder, mintRunes, type CreatedOrder } from "../wallet/index.ts";
import type { Failure as Reason } from "../lib/failure.ts";
import { network } from "./etch.ts";
import { orderIn, paidIn, reasonOf, type OrderRequest } from "./orders.ts";
import { afterFailure, beginFunding, searchFunding, useFunding } from "./payments.ts";

/** A failed request, and its order if one was created. */
export interface Failure {
  reason: Reason;
  order: string | null;
}

/**
 * Has the wallet mint or etch: by its own method, or by paying an order. An order that was created is shown even if a
 * later step fails.
 */
export function useSubmit(onOrder: (id: string) => void) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const funding = useFunding();

  // The page was reloaded while the wallet was asked: check the payment now.
  useEffect(() => {
    for (const one of funding) if (one.search === null && !one.pending && one.state !== "sent") void searchFunding(one);
  });

  async function submit(request: OrderRequest): Promise<void> {
    setBusy(true);
    setFailure(null);
    setSent(null);
    // Remove attempts that were refused and never arrived. The next order has a payment of its own.
    for (const one of funding) if (paymentStateOf([one]) === "free") attempts.drop(one.id);
    let id: string | null = null;
    try {
      const done = await send(request, (order) => (id = beginFunding(order)));
      if (id !== null) attempts.answer(id, { txid: done.fundTransactionId });
      // A wallet's own method may use another service. Then the wallet shows the order itself.
      const isOurs = await findOrder({ id: done.orderId, network }).then(() => true, () => false);
      if (isOurs) onOrder(done.orderId);
      else setSent(done.fundTransactionId);
    } catch (error) {
      const order = orderIn(error);
      // An attempt shows its own error above the button.
      if (id === null || order === null) setFailure({ reason: reasonOf(error), order });
      else if (await afterFailure(id, reasonOf(error), paidIn(error))) onOrder(order);
    } finally {
      setBusy(false);
    }
  }

  /** Stops waiting for wallets that show no prompt: the service decides whether they have paid. */
  function giveUp(): void {
    setBusy(false);
    for (const one of funding) {
      if (!one.pending) continue;
      attempts.giveUp(one.id);
      void searchFunding(one);
    }
  }

  return { submit, giveUp, busy, sent, failure, dismiss: () => setFailure(null), funding };
}

function send(request: OrderRequest, onOrder: (order: CreatedOrder) => void) {
  return request.kind === "etch" ? etchRunes(request.params, { onOrder }) : mintRunes(request.params, { onOrder });
}
