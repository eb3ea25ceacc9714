import { useState } from "react";
import { usePayments, type Order, type Payment } from "../api/orders.ts";
import { useConfirmations } from "../api/running.ts";
import { cx } from "../lib/cx.ts";
import { formatDate, formatSats, shortTxid } from "../lib/format.ts";
import { explorerLink } from "../lib/link.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import type { Session } from "../wallet/index.ts";

export interface PaymentsProps {
  order: Order;
  session: Session;
  explorer: string | undefined;
}

/** The payments of an order, searchable by transaction id. */
export function Payments({ order, session, explorer }: PaymentsProps) {
  const payments = usePayments(fieldsOf(session), order.id);
  return (
    <section aria-labelledby="payments">
      <h3 id="payments" className="mb-2 font-bold">
        {later.order.history}
      </h3>
      <Loaded query={payments} skeleton={<Lines count={1} />}>
        {(all) => <PaymentList payments={all} explorer={explorer} />}
      </Loaded>
    </section>
  );
}

function PaymentList({ payments, explorer }: { payments: readonly Payment[]; explorer: string | undefined }) {
  const [search, setSearch] = useState("");
  const query = search.trim().toLowerCase();
  const shown = payments.filter((payment) => payment.txid.toLowerCase().includes(query));
  if (payments.length === 0) return <p className="text-sm text-mist">{later.order.noPayments}</p>;
  return (
    <>
      <input
        type="search"
        className="field mb-2 w-full"
        aria-label={later.order.searchTx}
        placeholder={later.order.searchTx}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {shown.length === 0 && <p className="text-sm text-mist">{text.common.noMatch}</p>}
      <ul className="grid gap-2">
        {shown.map((payment, i) => (
          <li
            key={`${payment.txid} ${payment.value} ${i}`}
            className={cx(
              "relative rounded-box border border-line bg-night px-4 py-3",
              "transition-colors duration-120 has-[a]:hover:border-edge",
            )}
          >
            <div className="flex flex-wrap items-baseline justify-between gap-x-4">
              <Txid txid={payment.txid} link={explorerLink(explorer, payment.txid)} />
              <span translate="no" className="num whitespace-nowrap">
                {formatSats(payment.value)} <span className="text-sm font-normal text-mist">{text.common.sats}</span>
              </span>
            </div>
            <div className="flex flex-wrap justify-between gap-x-4 text-sm text-mist">
              <span>{formatDate(payment.date)}</span>
              <Confirmed payment={payment} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

function Confirmed({ payment: { confirmed, height } }: { payment: Payment }) {
  const { count, minutes } = useConfirmations(height);
  if (!confirmed) return <span className="text-amber">{later.order.unconfirmed}</span>;
  return (
    <span className="text-aurora">
      <span>{later.order.confirmed}</span> {minutes > 0 && <span>{later.confirmations.of(count)}</span>}
    </span>
  );
}

function Txid({ txid, link }: { txid: string; link: string | null }) {
  const short = (
    <span translate="no" className="font-mono text-sm" title={txid}>
      {shortTxid(txid)}
    </span>
  );
  return link ? (
    <OutLink href={link} className="after:absolute after:inset-0 after:rounded-box">
      {short}
    </OutLink>
  ) : short;
}
