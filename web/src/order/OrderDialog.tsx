import { lazy, Suspense } from "react";
import { AttemptNotices } from "../action/AttemptNotices.tsx";
import type { Tracked } from "../action/attempts.ts";
import { useHasSelf } from "../action/custody.ts";
import { FeeTable, OneTxFees } from "../action/FeeTable.tsx";
import { useCommunity } from "../api/globals.ts";
import { costOf } from "../api/oneTx.ts";
import {
  isCancelable,
  isOpen,
  isPaidInFull,
  isWaiting,
  type OneTx,
  type Order,
  statusText,
  useOrders,
} from "../api/orders.ts";
import { useConfirmations } from "../api/running.ts";
import { formatBTC, formatDate, formatNumber, formatRunesExact, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { explorerLink } from "../lib/link.ts";
import { site } from "../lib/site.ts";
import { fieldsOf } from "../session/session.ts";
import { Announce } from "../ui/Announce.tsx";
import { Contact } from "../ui/Contact.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Disclosure } from "../ui/Disclosure.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Progress } from "../ui/Progress.tsx";
import type { Session } from "../wallet/index.ts";
import { CancelOrder } from "./CancelOrder.tsx";
import { needsPerson, Refunds } from "./Refunds.tsx";
import { PayOrSign, ReplaceableOrder, SignedOrder, useOneTxChoice } from "./OneTxOrder.tsx";
import { EconomyOrder } from "./EconomyOrder.tsx";
import { FeeScale } from "./FeeScale.tsx";
import { Payments } from "./Payments.tsx";
import { Rerate } from "./Rerate.tsx";
import { SignDelivery } from "./SignDelivery.tsx";
import { DELIVERED, dueOf, phaseOf, shownStage, stageOf, type Phase } from "./state.ts";
import { Timeline } from "./Timeline.tsx";
import { useOrderPayment } from "./useOrderPayment.ts";

const OrderReceipts = lazy(() => import("../receipts/OrderReceipts.tsx"));

/** A payment order from its price to its delivery. Refetches while it is open. */
export default function OrderDialog({ id, session, onClose }: { id: string; session: Session; onClose: () => void }) {
  const orders = useOrders(fieldsOf(session));
  return (
    <Dialog title={later.order.title} onClose={onClose} className="sm:max-w-150">
      <Loaded
        query={orders}
        skeleton={
          <>
            <p className="mb-4">{later.order.requesting}</p>
            <Lines count={5} className="h-8" />
          </>
        }
      >
        {(all) => {
          const order = all.find((candidate) => candidate.id === id);
          return order ? (
            <OrderView key={id} order={order} session={session} />
          ) : (
            <Notice tone="warn">{later.order.notFound}</Notice>
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
  const { run } = useOneTxChoice({ order, session, payment });
  const signsLater = useHasSelf(fieldsOf(session), order.units) && run === null;
  const isOneTx = run !== null || (order.oneTx !== null && order.oneTx.state !== "ended" && !isPaidInFull(order));
  return (
    <div className="grid gap-5">
      <div>
        <p className="num text-2xl wrap-anywhere">{titleOf(order)}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-mist">
          <span className="font-semibold text-fur" data-testid="order-status">
            {statusText(order)}
          </span>
          <span>{formatDate(order.date)}</span>
        </p>
      </div>
      <Announce sentence={announcementOf(order, phase)} />
      <AttemptNotices tracked={visiblePayments(payment.tracked, phase)} link={(txid) => explorerLink(explorer, txid)} />
      {phase === "pay" && <PayOrSign order={order} session={session} payment={payment} />}
      {phase === "sign" && <SignDelivery order={order} session={session} />}
      {order.economy && phase !== "closed" && phase !== "sign" && (
        <EconomyOrder order={order} economy={order.economy} session={session} payment={payment} />
      )}
      {phase === "signed" && <SignedOrder />}
      {phase === "rerate" && <Rerate order={order} session={session} />}
      {phase === "complete" && !order.economy && (
        <Notice tone="good">{completeText(order, signsLater)}</Notice>
      )}
      {signsLater && (phase === "pay" || (phase === "complete" && order.economy)) && <p>{later.oneTx.signLater}</p>}
      {order.refusedSince !== null && (
        <Notice tone="warn">{later.order.refused(formatDate(order.refusedSince))}</Notice>
      )}
      {(phase === "closed" || phase === "replaceable") && order.refusedSince === null && (
        <ClosedState order={order} explorer={explorer} />
      )}
      {phase === "replaceable" && order.oneTx && (
        <ReplaceableOrder order={order} oneTx={order.oneTx} session={session} />
      )}
      <Refunds order={order} explorer={explorer} />
      {needsPerson(order) && <Contact />}
      <Timeline
        stage={shownStage(order)}
        economyRate={order.economy?.rate ?? null}
        isOneTx={isOneTx}
      />
      {!isOneTx && <Costs order={order} />}
      {order.oneTx?.state === "sent" && order.oneTx.fee > 0 && <OneTxCosts order={order} oneTx={order.oneTx} />}
      {(!isOneTx || order.balance > 0n) && <Payments order={order} session={session} explorer={explorer} />}
      <p className="text-sm break-all text-mist">
        {later.order.id} <span translate="no" className="font-mono">{order.id}</span>
      </p>
      <Suspense>
        <OrderReceipts wallet={fieldsOf(session)} order={order.id} />
      </Suspense>
      {isCancelable(order.status) && <CancelOrder order={order} session={session} underway={payment.inTransit} />}
    </div>
  );
}

/** The paid amount, and a disclosure with the items of the price. */
function Costs({ order }: { order: Order }) {
  const paid = later.order.paidOf(
    formatSats(order.balance),
    formatBTC(order.fees.total),
    formatSats(order.fees.total),
  );
  return (
    <div className="rounded-box bg-night px-4 pt-4 pb-2">
      {(stageOf(order.status) !== null || order.balance > 0n) && (
        <>
          <Progress value={order.balance} max={order.fees.total} label={later.order.progress} text={paid} />
          <p className="mt-2 text-sm text-fur">{paid}</p>
        </>
      )}
      <Disclosure title={later.order.costs(formatSats(order.fees.total))} className="text-sm">
        <FeeTable fees={order.fees} />
        {(isOpen(order.status) || isWaiting(order)) && <FeeScale own={order.fees.rate} />}
      </Disclosure>
    </div>
  );
}

/** The cost of an order that coins of the owner's payment address paid. */
function OneTxCosts({ order, oneTx }: { order: Order; oneTx: OneTx }) {
  const cost = costOf(oneTx);
  return (
    <div className="rounded-box bg-night px-4 py-2">
      <Disclosure title={later.order.costs(formatSats(cost.fee + order.fees.dust))} className="text-sm">
        <OneTxFees quote={cost} dust={order.fees.dust} />
      </Disclosure>
    </div>
  );
}

/** The result of an order that accepts no more payments. */
function ClosedState({ order, explorer }: { order: Order; explorer: string | undefined }) {
  const payout = order.payoutTxid && explorerLink(explorer, order.payoutTxid);
  return (
    <Notice tone={closedTone(order.status)}>
      {stateOf(order)}
      {order.status === "SENT" && <Confirmations height={order.payoutHeight} />}
      {order.payoutTxid && (
        <p className="mt-2 text-sm">
          {later.order.payout}:{" "}
          {payout ? (
            <OutLink href={payout} className="font-mono break-all">
              <span translate="no">{order.payoutTxid}</span>
            </OutLink>
          ) : (
            <span translate="no" className="font-mono break-all">{order.payoutTxid}</span>
          )}
        </p>
      )}
    </Notice>
  );
}

function Confirmations({ height }: { height: number | null }) {
  const { count, minutes } = useConfirmations(height);
  return <p className="mt-1 text-sm">{later.confirmations.left(count, minutes)}</p>;
}

/** Returns what happens next with an order that is paid in full. */
function completeText({ confirmedBalance, fees }: Order, signsLater: boolean): string {
  if (signsLater) return later.oneTx.paidInFull;
  return confirmedBalance >= fees.total ? later.order.complete : later.order.completeUnconfirmed;
}

/** Returns the announcement of a change. It contains an amount only while the order can be paid. */
function announcementOf(order: Order, phase: Phase): string {
  const status = `${statusText(order)}.`;
  const due = dueOf(order);
  const isDue = phase === "pay" || (phase === "waits" && due > 0n);
  return isDue ? `${status} ${later.order.stillDue(formatSats(due))}` : status;
}

/**
 * Returns the payments to show. For a sent or closed order, these are the sent payments that the server has not seen;
 * for an order that waits for its rate, the payments that the server has not found.
 */
function visiblePayments(tracked: readonly Tracked[], phase: Phase): readonly Tracked[] {
  if (phase === "waits") return tracked.filter(({ search }) => search !== "found");
  const isOver = phase === "closed" || phase === "replaceable";
  return isOver ? tracked.filter(({ state, search }) => state === "sent" && search !== "found") : tracked;
}

/** Returns the title: what the order delivers, has delivered, or would have delivered. */
function titleOf({ runes, status }: Order): string {
  const amount = formatRunesExact(runes);
  const stage = stageOf(status);
  if (stage === null) return `${amount} ${site.token}`;
  return stage === DELIVERED ? later.order.delivered(amount, site.token) : later.order.delivers(amount, site.token);
}

/** Returns a closed order's state. It depends on whether payments were received; the balance has no refunded ones. */
function stateOf({ status, balance, refunds, economy, oneTx, fees }: Order): string {
  if (status === "CANCELED" && oneTx?.ended === "ONE_TX_COIN_SPENT") return later.oneTx.spentElsewhere;
  if (status === "EXPIRED" && economy?.ended) return later.economy.ended(formatNumber(economy.rate, 3));
  const returned = refunds.reduce((total, { amount }) => total + amount, balance);
  if (status === "EXPIRED" && returned >= fees.total) return later.oneTx.unsigned;
  const paid: Partial<Record<Order["status"], string>> = later.order.statePaid;
  return ((balance > 0n || refunds.length > 0) && paid[status]) || later.order.state[status];
}

function closedTone(status: Order["status"]): "good" | "warn" | "info" {
  if (status === "PAID" || status === "SENT" || status === "DELIVERED" || status === "CONSOLIDATED") return "good";
  return status === "CANCELED" ? "info" : "warn";
}
