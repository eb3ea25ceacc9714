import { AttemptNotices } from "../action/AttemptNotices.tsx";
import type { Tracked } from "../action/attempts.ts";
import { FeeTable } from "../action/FeeTable.tsx";
import { useCommunity } from "../api/globals.ts";
import { isCancelable, isOpen, type Order, statusText, useOrders } from "../api/orders.ts";
import { formatBTC, formatDate, formatRunesExact, formatSats } from "../lib/format.ts";
import { explorerLink } from "../lib/link.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { Announce } from "../ui/Announce.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Progress } from "../ui/Progress.tsx";
import type { Session } from "../wallet/index.ts";
import { CancelOrder } from "./CancelOrder.tsx";
import { PayOrder } from "./PayOrder.tsx";
import { FeeScale } from "./FeeScale.tsx";
import { Payments } from "./Payments.tsx";
import { Rerate } from "./Rerate.tsx";
import { DELIVERED, phaseOf, stageOf, type Phase } from "./state.ts";
import { Timeline } from "./Timeline.tsx";
import { useOrderPayment } from "./useOrderPayment.ts";

/** A payment order, from its price to its delivery. It follows the server while it is open. */
export default function OrderDialog({ id, session, onClose }: { id: string; session: Session; onClose: () => void }) {
  const orders = useOrders(fieldsOf(session));
  return (
    <Dialog title={text.order.title} onClose={onClose} className="sm:max-w-150">
      <Loaded
        query={orders}
        skeleton={
          <>
            <p className="mb-4">{text.order.requesting}</p>
            <Lines count={5} className="h-8" />
          </>
        }
      >
        {(all) => {
          const order = all.find((candidate) => candidate.id === id);
          return order ? (
            <OrderView key={id} order={order} session={session} />
          ) : (
            <Notice tone="warn">{text.order.notFound}</Notice>
          );
        }}
      </Loaded>
    </Dialog>
  );
}

export function OrderView({ order, session }: { order: Order; session: Session }) {
  const phase = phaseOf(order);
  const explorer = useCommunity().data?.explorer_tx;
  const payment = useOrderPayment(order, session);
  const payout = order.payoutTxid && explorerLink(explorer, order.payoutTxid);
  return (
    <div className="grid gap-5">
      <div>
        <p className="num text-2xl wrap-anywhere">{titleOf(order)}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-mist">
          <span className="font-semibold text-fur" data-testid="order-status">
            {statusText(order)}
          </span>
          <span>{formatDate(order.date)}</span>
          <span className="w-full break-all">
            {text.order.id} <span className="font-mono">{order.id}</span>
          </span>
        </p>
      </div>
      <Announce
        sentence={`${statusText(order)}. ${order.due > 0n ? text.order.stillDue(formatSats(order.due)) : ""}`}
      />
      <Timeline status={order.status} />
      <div className="rounded-box bg-night p-4">
        <FeeTable fees={order.fees} />
        {isOpen(order.status) && <FeeScale own={order.fees.rate} />}
        <div className="mt-4">
          <Progress
            value={order.balance}
            max={order.fees.total}
            label={text.order.progress}
            text={text.order.of(formatSats(order.balance), formatBTC(order.fees.total))}
          />
          <p className="mt-2 text-sm text-fur">
            {text.order.of(formatSats(order.balance), formatBTC(order.fees.total))}
          </p>
        </div>
      </div>
      <AttemptNotices tracked={worthSaying(payment.tracked, phase)} link={(txid) => explorerLink(explorer, txid)} />
      {phase === "pay" && <PayOrder order={order} payment={payment} />}
      {phase === "rerate" && <Rerate order={order} session={session} />}
      {phase === "complete" && (
        <Notice tone="good">
          {order.confirmedBalance >= order.fees.total ? text.order.complete : text.order.completeUnconfirmed}
        </Notice>
      )}
      {order.refusedSince !== null && <Notice tone="warn">{text.order.refused(formatDate(order.refusedSince))}</Notice>}
      {phase === "closed" && order.refusedSince === null && (
        <Notice tone={closedTone(order.status)}>
          {stateOf(order)}
          {order.payoutTxid && (
            <p className="mt-2 text-sm">
              {text.order.payout}:{" "}
              {payout ? (
                <OutLink href={payout} className="font-mono break-all">
                  {order.payoutTxid}
                </OutLink>
              ) : (
                <span className="font-mono break-all">{order.payoutTxid}</span>
              )}
            </p>
          )}
        </Notice>
      )}
      {order.refundDue && (
        <Notice>{text.order.refundDue(formatSats(order.refundDue.sats), order.refundDue.address)}</Notice>
      )}
      {order.surplus > 0n && !order.refundDue && <Notice>{text.order.surplus(formatSats(order.surplus))}</Notice>}
      <Payments order={order} session={session} explorer={explorer} />
      {isCancelable(order.status) && <CancelOrder order={order} session={session} underway={payment.underway} />}
    </div>
  );
}

/** A closed order has its own word for what has arrived; a payment that has not is still named. */
function worthSaying(tracked: readonly Tracked[], phase: Phase): readonly Tracked[] {
  return phase === "closed" ? tracked.filter(({ state, look }) => state === "sent" && look !== "seen") : tracked;
}

/** What the order brings, has brought, or would have brought. */
function titleOf({ runes, status }: Order): string {
  const amount = formatRunesExact(runes);
  const stage = stageOf(status);
  if (stage === null) return `${amount} ${site.token}`;
  return stage === DELIVERED ? text.order.delivered(amount, site.token) : text.order.delivers(amount, site.token);
}

/** A closed order's true state, which is another one where money came in. */
function stateOf({ status, balance }: Order): string {
  const paid: Partial<Record<Order["status"], string>> = text.order.statePaid;
  return (balance > 0n && paid[status]) || text.order.state[status];
}

function closedTone(status: Order["status"]): "good" | "warn" | "info" {
  if (status === "PAID" || status === "SENT" || status === "DELIVERED" || status === "CONSOLIDATED") return "good";
  return status === "CANCELED" ? "info" : "warn";
}
