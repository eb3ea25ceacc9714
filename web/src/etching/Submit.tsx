import { useEffect, useState } from "react";
import { AttemptNotices, Risky } from "../action/AttemptNotices.tsx";
import { attempts, paymentStateOf } from "../action/attempts.ts";
import { etchingText } from "../lib/etchingText.ts";
import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { etchRunes, findOrder, mintRunes, type CreatedOrder } from "../wallet/index.ts";
import { network } from "./etch.ts";
import { orderIn, paidIn, reasonOf, type OrderRequest } from "./orders.ts";
import { afterFailure, beginFunding, searchFunding, orderIdOf, useFunding } from "./payments.ts";

interface SubmitProps {
  request: OrderRequest | null;
  label: string;
  /** Why the form is incomplete. */
  missing: string;
  connected: boolean;
  onConnect(): void;
  onOrder(id: string): void;
}

/**
 * Has the wallet mint or etch: by its own method, or by paying an order. An order that was created is shown even if a
 * later step fails.
 */
export function Submit({ request, label, missing, connected, onConnect, onOrder }: SubmitProps) {
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  const [failure, setFailure] = useState<{ reason: string; order: string | null } | null>(null);

  const funding = useFunding();
  const paymentState = paymentStateOf(funding.filter(({ state }) => state !== "sent"));

  // The page was reloaded while the wallet was asked: check the payment now.
  useEffect(() => {
    for (const one of funding) if (one.look === null && !one.answering && one.state !== "sent") void searchFunding(one);
  });

  async function submit(request: OrderRequest): Promise<void> {
    setBusy(true);
    setFailure(null);
    setSent(null);
    // Remove attempts that were refused and never arrived. The next order has a payment of its own.
    for (const one of funding) if (paymentStateOf([one]) === "free") attempts.drop(one.id);
    let id: string | null = null;
    const options = { onOrder: (order: CreatedOrder) => void (id = beginFunding(order)) };
    try {
      const done = request.kind === "etch" ? await etchRunes(request.params, options) : await mintRunes(request.params, options);
      if (id !== null) attempts.answer(id, { txid: done.fundTransactionId });
      // A wallet's own method may use another service. Then the wallet shows the order itself.
      const ours = await findOrder({ id: done.orderId, network }).then(() => true, () => false);
      if (ours) onOrder(done.orderId);
      else setSent(done.fundTransactionId);
    } catch (fault) {
      const order = orderIn(fault);
      // An attempt shows its own error above the button.
      if (id === null || order === null) setFailure({ reason: reasonOf(fault), order });
      else if (await afterFailure(id, reasonOf(fault), paidIn(fault))) onOrder(order);
    } finally {
      setBusy(false);
    }
  }

  /** The wallet shows no prompt: the service decides whether it has paid. */
  function giveUp(id: string): void {
    attempts.giveUp(id);
    setBusy(false);
    for (const one of funding) if (one.id === id) void searchFunding(one);
  }

  if (!connected) {
    return (
      <Button kind="primary" className="w-full py-2 text-lg" onClick={onConnect}>
        {etchingText.connect}
      </Button>
    );
  }
  return (
    <div className="grid gap-3">
      {funding.map((one) => (
        <div key={one.id} className="grid justify-items-start gap-1 empty:hidden">
          <AttemptNotices tracked={[one]} link={() => null} />
          {one.look !== "seen" && (one.state === "sent" || !one.answering) && (
            <Button kind="quiet" className="px-0" onClick={() => onOrder(orderIdOf(one))}>
              {etchingText.showOrder}
            </Button>
          )}
        </div>
      ))}
      {paymentState === "unclear" && request ? (
        <Risky words={{ ask: later.payment.again, risk: later.payment.riskOrder, yes: later.payment.againYes }} onYes={() => void submit(request)}>
          <Button onClick={() => funding.forEach((one) => one.state !== "sent" && void searchFunding(one))}>{later.payment.lookAgain}</Button>
        </Risky>
      ) : (
        <Button kind="primary" className="w-full py-2 text-lg" busy={busy || paymentState === "looking"} disabled={request === null} onClick={() => request && void submit(request)}>
          {paymentState === "looking" ? later.payment.checking : busy ? etchingText.confirm : label}
        </Button>
      )}
      {paymentState === "answering" && (
        <Button kind="quiet" onClick={() => funding.forEach(({ id, answering }) => answering && giveUp(id))}>
          {later.payment.giveUp}
        </Button>
      )}
      {request === null && <p className="text-sm text-mist">{missing}</p>}
      {sent && <Notice tone="good">{etchingText.sentByWallet(sent)}</Notice>}
      {failure && (
        <Notice tone="bad" onDismiss={() => setFailure(null)}>
          <p>{failure.reason}</p>
          {failure.order && (
            <Button kind="quiet" className="px-0" onClick={() => onOrder(failure.order!)}>
              {etchingText.showOrder}
            </Button>
          )}
        </Notice>
      )}
    </div>
  );
}
