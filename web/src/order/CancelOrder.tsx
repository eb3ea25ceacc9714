import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Conflict } from "../action/Conflict.tsx";
import { OtherForm } from "../action/OtherForm.tsx";
import { SigningError, signProof } from "../action/signer.ts";
import { keys } from "../api/keys.ts";
import { requestCancel, proveCancel, usePayments, type Order } from "../api/orders.ts";
import { failureOf } from "../lib/failure.ts";
import { focusOnMount } from "../lib/focus.ts";
import { formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";
import { cancelLoss, phaseOf } from "./state.ts";

interface CancelOrderProps {
  order: Order;
  session: Session;
  /** Whether a payment may be in transit that the server has not seen. */
  underway: boolean;
}

/** Cancels an order after a confirmation and a signature: both addresses are public, so they prove nothing. */
export function CancelOrder({ order, session, underway }: CancelOrderProps) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [kept, setKept] = useState(false);
  const note = useId();
  const cancel = useMutation({
    mutationFn: () => cancelWithProof(session, order.id),
    onSettled: () => client.invalidateQueries({ queryKey: keys.wallets }),
  });
  const keep = (): void => {
    setAsking(false);
    setKept(true);
  };
  const isPaid = isPaidFor(order);
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      {cancel.error && <Failure error={cancel.error} onRetry={() => cancel.mutate()} />}
      {!asking && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Button
            ref={kept ? focusOnMount : undefined}
            kind={isPaid ? "quiet" : "plain"}
            className={isPaid ? "px-0!" : ""}
            aria-describedby={note}
            onClick={() => setAsking(true)}
          >
            {later.order.cancel}
          </Button>
          <p id={note} className="min-w-0 flex-1 basis-48 text-sm text-mist">
            {later.order.cancelNote}
          </p>
        </div>
      )}
      {asking && (
        <div className={`grid gap-3 ${isPaid ? "rounded-box border border-amber p-4" : ""}`}>
          <p role="status">{questionOf(order)}</p>
          <Loss order={order} session={session} />
          {underway && <p className="text-amber">{later.payment.cancelRisk}</p>}
          <div className="flex flex-wrap gap-3">
            <Button ref={focusOnMount} kind="primary" disabled={cancel.isPending} onClick={keep}>
              {later.order.cancelNo}
            </Button>
            <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
              {cancel.isPending ? text.action.sign : later.order.cancelYes}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

const isPaidFor = (order: Order): boolean => order.status === "PAID" || phaseOf(order) === "complete";

function questionOf(order: Order): string {
  if (!isPaidFor(order)) return order.balance > 0n ? later.order.cancelAsk : later.order.cancelAskUnpaid;
  return order.status === "PAID" || order.economy ? later.order.cancelAskPaid : later.order.cancelAskCovered;
}

/** What of the payments does not come back, before the wallet is asked to sign. */
function Loss({ order, session }: Pick<CancelOrderProps, "order" | "session">) {
  const payments = usePayments(fieldsOf(session), order.id).data ?? [];
  const { lost, returned } = cancelLoss(payments, order);
  if (lost === 0n) return null;
  const words = later.order;
  const all = words.cancelLosesAll(formatSats(lost));
  return (
    <p className="text-amber">
      {returned > 0n ? words.cancelLoses(formatSats(lost), formatSats(returned)) : all}
    </p>
  );
}

function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Notice tone="bad">
      <FailureText failure={failureOf(error, text.action.unexpected("cancelPO"))} />
      <Conflict error={error} />
      {error instanceof SigningError && error.form === "message" && <OtherForm onRetry={onRetry} />}
    </Notice>
  );
}

async function cancelWithProof(session: Session, id: string): Promise<void> {
  const wallet = fieldsOf(session);
  const { checkedStatement, requireNamed } = await import("../action/knownStatement.ts");
  const statement = await checkedStatement();
  const response = await requestCancel(wallet, id, statement);
  // Already canceled: no proof is needed.
  if (response.messagetosign === null || response.action_id === null) return;
  await requireNamed(response.messagetosign, statement);
  const { signature } = await signProof(session, "CANCEL", response.messagetosign);
  await proveCancel(wallet, id, { action_id: response.action_id, signature });
}
