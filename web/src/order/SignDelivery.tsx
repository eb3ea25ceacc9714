import { useOneTxRun } from "../action/oneTx.ts";
import { voidedText, type Order } from "../api/orders.ts";
import { formatDate } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";
import { Card, Facts, SignControls } from "./OneTxOrder.tsx";

const words = later.oneTx;

/** A paid order whose delivery its owner has to sign, and what happens otherwise. */
export function SignDelivery({ order, session }: { order: Order; session: Session }) {
  const run = useOneTxRun(order.id);
  const voided = voidedText(order);
  return (
    <Card title={words.signDelivery}>
      <p className="mt-2">{words.delivery}</p>
      {run?.quote && <Facts quote={run.quote} />}
      <p className="mt-3 text-sm text-mist">{words.signBy(formatDate(order.signUntil!))}</p>
      <div className="mt-4 grid gap-3">
        {voided && !run?.step && <Notice tone="warn">{voided}</Notice>}
        <SignControls
          order={order}
          session={session}
          run={run}
          label={run?.error ? words.again : words.signDelivery}
          primary
        />
      </div>
    </Card>
  );
}
