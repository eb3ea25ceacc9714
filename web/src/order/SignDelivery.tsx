import { useDelivery, useOneTxRun } from "../action/oneTx.ts";
import { voidedText, type Order } from "../api/orders.ts";
import { formatDate, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { DialogActions } from "../ui/Dialog.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";
import { Card, Facts, SignButton, SignNotices } from "./OneTxOrder.tsx";

const words = later.oneTx;

/** A paid order whose delivery its owner has to sign: what it costs, what returns, and what happens otherwise. */
export function SignDelivery({ order, session }: { order: Order; session: Session }) {
  const run = useOneTxRun(order.id);
  const { delivery, error, isPending } = useDelivery(session, order);
  const voided = voidedText(order);
  const isRunning = run !== null && (run.asks || run.step !== null);
  const isLoading = isPending && run === null;
  const shown = (isRunning ? run.quote : null) ?? delivery;
  return (
    <Card title={words.signDelivery}>
      <p className="mt-2">{words.delivery}</p>
      {delivery && delivery.change > 0n && shown?.fee === delivery.fee && (
        <p className="mt-2 text-sm text-mist">{words.returns(formatSats(delivery.change))}</p>
      )}
      <p className="mt-3 text-sm text-mist">{words.signBy(formatDate(order.signUntil!))}</p>
      <div className="mt-4 grid gap-3 empty:hidden">
        {voided && !run?.step && <Notice tone="warn">{voided}</Notice>}
        {error && !run && (
          <Notice tone="bad">
            <FailureText failure={error} />
          </Notice>
        )}
      </div>
      <DialogActions>
        <SignNotices run={run} className="mb-3" />
        {shown && <Facts quote={shown} className="mb-3" />}
        <SignButton
          {...{ order, session, run, shown }}
          label={isLoading ? words.preparing : run?.error ? words.again : words.signDelivery}
          busy={isLoading}
          primary
        />
      </DialogActions>
    </Card>
  );
}
