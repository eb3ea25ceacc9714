import type { ReactNode } from "react";
import type { Order, Refund } from "../api/orders.ts";
import { formatNumber, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { explorerLink } from "../lib/link.ts";
import { text } from "../lib/text.ts";
import { OutLink } from "../ui/Link.tsx";
import { Notice } from "../ui/Notice.tsx";

/** The refunds of an order, or why an overpayment or a payment is not refunded. */
export function Refunds({ order, explorer }: { order: Order; explorer: string | undefined }) {
  if (order.refunds.length === 0) {
    const sentence = withoutRefund(order);
    return sentence && <Notice>{sentence}</Notice>;
  }
  return order.refunds.map((refund) => <RefundCard key={refund.txid ?? ""} refund={refund} explorer={explorer} />);
}

/** Reports whether an order, or one of its refunds, waits for the operator. */
export function needsPerson({ status, refunds }: Order): boolean {
  return status === "AUDIT" || refunds.some(({ state }) => state === "over_limit" || state === "waiting_person");
}

function withoutRefund({ status, overpayment, balance, signUntil, oneTx }: Order): string | null {
  const sats = formatSats(overpayment);
  if (signUntil !== null || (status === "SENT" && oneTx)) return null; // it returns in the delivery
  if (status === "DELIVERED" || status === "CONSOLIDATED")
    return overpayment > 0n ? later.refund.overpaymentTooSmall(sats) : null;
  if (status === "CANCELED" || status === "EXPIRED" || status === "INVALID") {
    return balance > 0n ? later.refund.tooSmall : null;
  }
  return overpayment > 0n && status !== "AUDIT" ? later.refund.overpayment(sats) : null;
}

function RefundCard({ refund, explorer }: { refund: Refund; explorer: string | undefined }) {
  const link = refund.txid && explorerLink(explorer, refund.txid);
  const note = noteOf(refund);
  return (
    <section aria-label={later.refund.title} className="rounded-box border border-edge bg-night px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-bold">{later.refund.title}</h3>
        <span className={`text-sm font-semibold ${refund.state === "done" ? "text-aurora" : "text-amber"}`}>
          {later.refund.state[refund.state]}
        </span>
      </div>
      {note && <p className="mt-1 text-sm text-fur">{note}</p>}
      <dl className="mt-3 grid gap-1.5">
        <Item name={later.refund.amount}>
          <Sats sats={refund.amount} />
        </Item>
        <Item name={later.refund.cost} note={refund.txid === null ? later.refund.estimate : undefined}>
          <Sats sats={refund.cost} />
        </Item>
        {refund.state !== "waiting_rate" && (
          <Item name={later.refund.received} note={refund.txid === null ? later.refund.estimate : undefined}>
            <span translate="no" className="num text-lg">
              <Sats sats={refund.received} />
            </span>
          </Item>
        )}
      </dl>
      <dl className="mt-3 grid gap-2 border-t border-line pt-3 text-sm">
        <div>
          <dt className="text-mist">{later.refund.address}</dt>
          <dd translate="no" className="font-mono break-all">{refund.address}</dd>
        </div>
        {refund.txid && (
          <div>
            <dt className="text-mist">{later.refund.transaction}</dt>
            <dd translate="no" className="font-mono break-all">
              {link ? <OutLink href={link}>{refund.txid}</OutLink> : refund.txid}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Item({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-fur">
        {name}
        {note && <span className="ml-2 text-sm text-mist">{note}</span>}
      </dt>
      <dd className="whitespace-nowrap text-moon">{children}</dd>
    </div>
  );
}

function Sats({ sats }: { sats: bigint }) {
  return (
    <>
      {formatSats(sats)} <span className="text-sm font-normal text-mist">{text.common.sats}</span>
    </>
  );
}

/** Returns what a refund waits for; null once it is final. */
function noteOf({ state, mostRate, rate }: Refund): string | null {
  switch (state) {
    case "due":
      return later.refund.due;
    case "waiting_rate":
      return later.refund.waitingRate(formatNumber(mostRate ?? 0, 3), formatNumber(rate, 3));
    case "waiting_confirmation":
      return later.refund.waitingConfirmation;
    case "over_limit":
      return later.refund.overLimit;
    case "waiting_person":
      return later.refund.waitingPerson;
    case "sending":
      return later.refund.sending;
    case "sent":
      return later.refund.sent;
    case "done":
      return null;
  }
}
