import { useEffect, useRef, type ReactNode } from "react";
import { FooterTotal } from "../action/FeeTable.tsx";
import { chooseOneTx, leaveOneTx, useOneTxRun, useSignOneTx, type OneTxRun, type Price } from "../action/oneTx.ts";
import { costOf, isReward, useOneTxOffered } from "../api/oneTx.ts";
import { isPaidInFull, type OneTx, type Order } from "../api/orders.ts";
import { formatNumber, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { DialogActions } from "../ui/Dialog.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";
import { PayOrder } from "./PayOrder.tsx";
import type { OrderPayment } from "./useOrderPayment.ts";

const words = later.oneTx;

interface OneTxProps {
  order: Order;
  session: Session;
  payment: OrderPayment;
}

/** Whether an unpaid order can be signed as one transaction, and whether its owner chose that on this page. */
export function useOneTxChoice({ order, session, payment }: OneTxProps): { isOffered: boolean; run: OneTxRun | null } {
  const run = useOneTxRun(order.id);
  const isOffered = useOneTxOffered() && canSign(order, session) && !payment.inTransit;
  return { isOffered, run: isOffered ? run : null };
}

/** An unpaid order: pay it, or sign one transaction instead if the server offers that. */
export function PayOrSign({ order, session, payment }: OneTxProps) {
  const { isOffered, run } = useOneTxChoice({ order, session, payment });
  if (!isOffered) return <PayOrder order={order} payment={payment} session={session} />;
  return (
    <>
      {order.oneTx?.state === "ended" && !run?.step && (
        <Notice tone="warn">{words.ended[order.oneTx.ended ?? ""] ?? words.endedOther}</Notice>
      )}
      {run ? (
        <SignCard order={order} session={session} run={run} />
      ) : (
        <>
          <PayOrder order={order} payment={payment} session={session} />
          <div className="flex flex-wrap items-center justify-between gap-3 rounded-box border border-line p-4">
            <p className="text-sm text-mist">{words.signInsteadNote}</p>
            <Button onClick={() => chooseOneTx(order.id, null)}>{words.signInstead}</Button>
          </div>
        </>
      )}
    </>
  );
}

/** Whether one transaction may be possible; the server decides. */
function canSign({ type, status, units, due, economy }: Order, { payment, ordinals }: Session): boolean {
  const isUnpaid = (status === "PENDING" || status === "CONFIRMED") && due > 0n;
  const fits = type === "WITHDRAW" && !units.some(isReward);
  return fits && isUnpaid && !economy && payment.address !== ordinals.address;
}

/** The transaction of an unpaid order, before the wallet has signed it. */
function SignCard({ order, session, run }: { order: Order; session: Session; run: OneTxRun }) {
  const sign = useSignOneTx(session);
  useEffect(() => {
    if (run.queued) void sign(order, run.quote);
  }, [run.queued, run.quote, sign, order]);
  return (
    <Card>
      <p className="mt-2">{words.what}</p>
      {run.quote && <Facts quote={run.quote} />}
      <p className="mt-3 text-sm text-mist">{words.unchecked}</p>
      {!run.step && (
        <Button kind="quiet" className="mt-4 w-full" onClick={() => leaveOneTx(order.id)}>
          {words.payOrder}
        </Button>
      )}
      <DialogActions>
        <SignNotices run={run} className="mb-3" />
        {run.quote && <FooterTotal sats={run.quote.fee + order.fees.dust} />}
        <SignButton order={order} session={session} run={run} label={run.error ? words.again : words.sign} primary />
      </DialogActions>
    </Card>
  );
}

interface SignButtonProps {
  order: Order;
  session: Session;
  run: OneTxRun | null;
  label: string;
  primary?: boolean;
  /** Whether it waits for something else than the signature, which `label` says. */
  busy?: boolean;
  /** The price that is shown, if it is not the one of `run`. */
  shown?: Price | null;
}

/** The button that has the wallet sign, with the progress. */
export function SignButton({ order, session, run, label, primary = false, busy = false, shown }: SignButtonProps) {
  const sign = useSignOneTx(session);
  const accepted = shown ?? run?.quote ?? null;
  const step = run?.step ?? null;
  return (
    <div className="grid gap-1">
      {step === "signing" && (
        <Button kind="quiet" onClick={run!.stop}>
          {later.payment.giveUp}
        </Button>
      )}
      <Button
        kind={primary ? "primary" : "plain"}
        busy={busy || step !== null}
        onClick={() => void sign(order, accepted)}
      >
        {step === null ? label : words[step]}
      </Button>
    </div>
  );
}

/** Why the wallet's signature failed, and a higher fee to accept. It belongs beside the button that accepts it. */
export function SignNotices({ run, className = "" }: { run: OneTxRun | null; className?: string }) {
  return (
    <div className={`grid gap-3 empty:hidden ${className}`}>
      {run?.error && (
        <Notice tone="bad">
          <FailureText failure={run.error} />
        </Notice>
      )}
      {run?.asks && run.quote && <Notice tone="warn">{words.accept(formatSats(run.quote.fee))}</Notice>}
    </div>
  );
}

/** An order whose transaction the wallet signed, until the server has signed it, too. */
export function SignedOrder() {
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) note.current?.focus(); // the pressed button was removed
  }, []);
  return (
    <div ref={note} tabIndex={-1}>
      <Notice tone="good">{words.signed}</Notice>
    </div>
  );
}

/** An order that was sent in one transaction, which its owner can replace until it confirms. */
export function ReplaceableOrder({ order, oneTx, session }: { order: Order; oneTx: OneTx; session: Session }) {
  const run = useOneTxRun(order.id);
  const isPaid = isPaidInFull(order);
  return (
    <Card>
      {(run?.asks || oneTx.fee > 0) && <Facts quote={run?.asks && run.quote ? run.quote : costOf(oneTx)} />}
      {!isPaid && <p className="mt-3 text-sm text-mist">{words.keep}</p>}
      {order.balance > 0n && !isPaid && <p className="mt-3">{words.paid(formatSats(order.balance))}</p>}
      <div className="mt-4 grid gap-3 border-t border-line pt-4">
        <p>{words.stuck}</p>
        {oneTx.ended && !run?.step && (
          <Notice tone="warn">{words.replacementEnded[oneTx.ended] ?? words.replacementEndedOther}</Notice>
        )}
        {oneTx.until && <Notice tone="good">{words.replacementSigned}</Notice>}
        <SignNotices run={run} />
        <SignButton order={order} session={session} run={run} label={run?.asks ? words.sign : words.replace} />
      </div>
    </Card>
  );
}

export function Card({ title = words.title, children }: { title?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-box border border-line p-4">
      <h3 className="font-bold">{title}</h3>
      {children}
    </section>
  );
}

/** The fee, the size and the rate. */
export function Facts({ quote: { fee, vbytes, rate }, className = "mt-3" }: { quote: Price; className?: string }) {
  return (
    <p className={`flex flex-wrap items-baseline justify-between gap-x-4 ${className}`}>
      <span className="text-mist">{words.fee}</span>
      <span>
        <span translate="no" className="num">
          {formatSats(fee)}
        </span>{" "}
        <span className="text-sm text-mist">{text.common.sats}</span>
        <span className="ml-2 text-sm text-mist">{words.size(formatNumber(vbytes), formatNumber(rate, 3))}</span>
      </span>
    </p>
  );
}
