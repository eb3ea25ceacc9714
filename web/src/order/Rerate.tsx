import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FooterTotal } from "../action/FeeTable.tsx";
import { keys } from "../api/keys.ts";
import { rerateOrder, type Order } from "../api/orders.ts";
import { failureOf } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { DialogActions } from "../ui/Dialog.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";

/** An order with an expired fee rate. It needs a new price before it can be paid. */
export function Rerate({ order, session }: { order: Order; session: Session }) {
  const client = useQueryClient();
  const wallet = fieldsOf(session);
  const rerate = useMutation({
    mutationFn: () => rerateOrder(wallet, order.id),
    onSuccess: (fresh) =>
      client.setQueryData<Order[]>(keys.orders(wallet), (all) =>
        all?.map((one) => (one.id === fresh.id ? fresh : one)),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keys.wallets }),
  });
  return (
    <div className="grid gap-4">
      <Notice tone="warn">
        <p>{later.order.expiredFees}</p>
        <p className="mt-1 text-fur">{later.order.expiredFeesNote}</p>
      </Notice>
      <DialogActions>
        {rerate.error && (
          <div className="mb-3">
            <Notice tone="bad">
              <FailureText failure={failureOf(rerate.error, text.action.unexpected("rearatePO"))} />
            </Notice>
          </div>
        )}
        <FooterTotal name={later.order.expiredPrice} sats={order.fees.total} />
        <Button kind="primary" className="w-full" busy={rerate.isPending} onClick={() => rerate.mutate()}>
          {later.order.rerate}
        </Button>
      </DialogActions>
    </div>
  );
}
