import { lazy, Suspense, type ReactNode } from "react";
import { PayControls } from "../action/AttemptNotices.tsx";
import { FooterTotal } from "../action/FeeTable.tsx";
import { usePayments, type Order } from "../api/orders.ts";
import { sum } from "../lib/amount.ts";
import { useNow } from "../lib/clock.ts";
import { formatBTC, formatDate, formatNumber, formatRemaining, formatSats, remaining } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { useCan, walletName } from "../session/capability.ts";
import { fieldsOf } from "../session/session.ts";
import { CopyButton } from "../ui/Copy.tsx";
import { DialogActions } from "../ui/Dialog.tsx";
import { Notice } from "../ui/Notice.tsx";
import { cancelLoss, deadlineOf, dueOf, paymentURI, rateEnd } from "./state.ts";
import type { Session } from "../wallet/index.ts";
import type { OrderPayment } from "./useOrderPayment.ts";

const QrCode = lazy(() => import("../ui/QrCode.tsx"));

export interface PayOrderProps {
  order: Order;
  payment: OrderPayment;
  session: Session;
  /** Whether the button stays here instead of being in the dialog's footer. */
  inPlace?: boolean;
}

/** Ways to pay the amount due: with the wallet, by QR code, or manually to the address. */
export function PayOrder(props: PayOrderProps) {
  return (
    <BeforeDeadline order={props.order}>
      <PayDetails {...props} />
    </BeforeDeadline>
  );
}

/** Hides `children` after the deadline, even before the server closes the order. */
function BeforeDeadline({ order, children }: { order: Order; children: ReactNode }) {
  const now = useNow();
  return now < deadlineOf(order) ? children : <Notice tone="warn">{later.order.overdue}</Notice>;
}

function PayDetails({ order, payment, session, inPlace = false }: PayOrderProps) {
  const byHand = useCan("sendTransfer") === false;
  const due = dueOf(order);
  const amount = formatBTC(due);
  const uri = paymentURI(
    order.paymentAddress,
    due,
    later.order.qrLabel(site.name),
    later.order.qrMessage(order.id),
  );
  const partial = order.balance > 0n;
  const { tracked, ready, pay, giveUp, search } = payment;
  const controls = !byHand && (
    <PayControls {...{ tracked, ready, inPlace }} onPay={pay} onGiveUp={giveUp} onSearch={search} />
  );
  return (
    <section aria-label={later.order.amountDue} className="grid gap-4">
      <Uncounted order={order} session={session} />
      <div className="grid gap-5 sm:grid-cols-[1fr_200px]">
        <div className="grid min-w-0 content-between gap-2">
          <div className="flex flex-wrap items-end justify-between gap-2">
            <div>
              <p className="text-sm text-mist">{later.order.amountDue}</p>
              <p translate="no" className="num text-2xl whitespace-nowrap" data-testid="due">
                {amount} {text.common.btc}
              </p>
              {inPlace && (
                <p className="text-sm text-mist">
                  {formatSats(due)} {text.common.sats}
                </p>
              )}
            </div>
            <CopyButton value={amount} label={later.order.copyAmount} />
          </div>
          <Deadlines order={order} />
          {byHand && <Notice>{later.order.payByHand(walletName())}</Notice>}
          {inPlace && controls}
          <Address address={order.paymentAddress} />
        </div>
        <div className="mx-auto size-50 overflow-hidden rounded-box bg-white">
          <Suspense fallback={null}>
            <QrCode value={uri} title={later.order.qr(amount)} />
          </Suspense>
        </div>
      </div>
      {partial && <p className="text-sm text-mist">{later.order.inParts}</p>}
      <a href={uri} className="inline-flex min-h-11 items-center justify-center text-sm underline">
        {later.order.openApp}
      </a>
      {!inPlace && (
        <DialogActions>
          <FooterTotal name={partial ? later.order.due : undefined} sats={due} />
          {controls}
        </DialogActions>
      )}
    </section>
  );
}

function Address({ address }: { address: string }) {
  return (
    <CopyButton value={address} label={later.order.copyAddress} className="w-full justify-between py-2">
      <span className="min-w-0">
        <span className="block text-sm text-mist">{later.order.address}</span>
        <span translate="no" className="font-mono text-sm break-all" data-testid="payment-address">
          {address}
        </span>
      </span>
    </CopyButton>
  );
}

/** Payments that are too small to count, and what becomes of them. */
function Uncounted({ order, session }: Pick<PayOrderProps, "order" | "session">) {
  const payments = usePayments(fieldsOf(session), order.id).data?.filter(({ counted }) => !counted) ?? [];
  if (payments.length === 0) return null;
  const words = later.order;
  const paid = formatSats(sum(payments.map(({ value }) => value)));
  return (
    <Notice tone="warn">
      {words.uncounted(paid, formatNumber(order.fees.rate, 3))}{" "}
      {cancelLoss(payments, order).returned > 0n ? words.uncountedKept : words.uncountedLost}
    </Notice>
  );
}

const FIVE_MINUTES = 300;
const ONE_MINUTE = 60;

function Deadlines({ order }: { order: Order }) {
  const now = useNow();
  const deadline = deadlineOf(order);
  const left = remaining(deadline, now);
  const rate = remaining(rateEnd(order), now);
  const isClose = left.total <= FIVE_MINUTES;
  const warning = left.total <= ONE_MINUTE ? later.order.warnOne : isClose ? later.order.warnFive : "";
  return (
    <div className="text-sm text-mist">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{later.order.deadline(formatDate(deadline))}</span>
        <span role="timer" className="text-fur">
          {formatRemaining(left)}
        </span>
      </p>
      {order.status === "CONFIRMED" && !order.economy && (
        <p>{rate.total > 0 ? later.order.feeUntil(formatRemaining(rate)) : later.order.feeOver}</p>
      )}
      <p role="status" className="text-amber">
        {warning}
      </p>
    </div>
  );
}
