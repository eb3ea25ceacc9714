import { useEffect, type ReactNode } from "react";
import { AttemptNotices } from "../action/AttemptNotices.tsx";
import { attempts } from "../action/attempts.ts";
import { useCommunity } from "../api/globals.ts";
import { cx } from "../lib/cx.ts";
import { etchingText } from "../lib/etchingText.ts";
import { formatDate, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { explorerLink } from "../lib/link.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { translate } from "../lib/translate.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/Copy.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { RunesOrder } from "../wallet/index.ts";
import { Faster } from "./Faster.tsx";
import { useOrder } from "./orders.ts";
import { isFunded, useFunding } from "./payments.ts";
import { Steps } from "./Steps.tsx";

/** An order from its payment to its result. Refetches while the order is open. */
export function OrderPanel({ id, onClose }: { id: string; onClose(): void }) {
  const order = useOrder(id);
  return (
    <section aria-label={etchingText.order} className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-2xl font-bold">{etchingText.order}</h2>
        <Button onClick={onClose}>{etchingText.another}</Button>
      </div>
      <Loaded query={order} skeleton={<Lines count={4} />}>
        {(order) => <OrderView order={order} />}
      </Loaded>
    </section>
  );
}

const tones = {
  new: "warn",
  pending: "info",
  executing: "info",
  complete: "good",
  failed: "bad",
  refunded: "warn",
  stale: "warn",
} as const;

function OrderView({ order }: { order: RunesOrder }) {
  const explorer = useExplorer();
  const funding = useFunding(order.id);
  useEffect(() => {
    for (const one of funding) if (one.search !== "found" && isFunded(one, order)) attempts.markFound(one.id);
  });
  const isWaiting = order.transactions?.some(
    ({ role, confirmations }) => confirmations === 0 && role !== "funding" && role !== "refund",
  );
  return (
    <>
      <div>
        <p className="font-display text-xl font-bold wrap-anywhere">{order.runeName}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-mist">
          <span>{etchingText.kinds[order.orderType]}</span>
          <span>{formatDate(Date.parse(order.createdAt))}</span>
          <span translate="no" className="font-mono break-all">{order.id}</span>
        </p>
      </div>
      <Notice tone={tones[order.state]}>
        <p data-testid="etching-state">{etchingText.states[order.state]}</p>
        {order.reason && (
          <p className="mt-1">
            {translate({ code: order.reasonCode, values: order.reasonValues, message: order.reason })}
          </p>
        )}
        {order.runeId && order.state === "complete" && <p className="mt-1">{etchingText.runeId(order.runeId)}</p>}
      </Notice>
      <AttemptNotices
        tracked={funding.filter(({ search }) => search !== "found")}
        link={(txid) => explorerLink(explorer, txid)}
      />
      {order.state === "new" && !funding.some(({ state, search }) => state === "sent" && search !== "found") && (
        <ToPay order={order} />
      )}
      <Steps order={order} />
      {order.state === "executing" && isWaiting && <Faster order={order} />}
      <Transactions order={order} explorer={explorer} />
    </>
  );
}

/** The address and the amount, for manual payment. */
function ToPay({ order }: { order: RunesOrder }) {
  const due = BigInt(Math.max(0, (order.fundAmount ?? 0) - (order.received ?? 0)));
  return (
    <div className="grid gap-3 rounded-box bg-night p-4">
      <p>{etchingText.pay(formatSats(due), order.expiresAt ? formatDate(Date.parse(order.expiresAt)) : "")}</p>
      <CopyButton
        value={order.fundingAddress}
        label={text.common.copyFull(etchingText.address)}
        className="w-full justify-between py-2"
      >
        <span translate="no" className="min-w-0 font-mono text-sm break-all">{order.fundingAddress}</span>
      </CopyButton>
    </div>
  );
}

function Transactions({ order, explorer }: { order: RunesOrder; explorer: string | undefined }) {
  if (!order.transactions?.length) return null;
  return (
    <section aria-label={etchingText.transactions}>
      <h3 className="mb-2 font-bold">{etchingText.transactions}</h3>
      <ul className="grid gap-2">
        {order.transactions.map(({ txid, role, confirmations, fee }) => (
          <li
            key={txid}
            className={cx(
              "relative grid items-baseline gap-x-4 border-t border-line pt-2 text-sm",
              "sm:grid-cols-[9rem_minmax(0,1fr)_auto]",
            )}
          >
            <span className="font-semibold text-moon">{etchingText.roles[role]}</span>
            <Txid txid={txid} explorer={explorer} />
            <span className="text-mist">
              {confirmations > 0 ? later.transaction.confirmed(confirmations) : etchingText.unconfirmed}
              {fee > 0 && ` · ${etchingText.fee(formatSats(BigInt(fee)))}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Txid({ txid, explorer }: { txid: string; explorer: string | undefined }): ReactNode {
  const link = explorerLink(explorer, txid);
  if (!link) return <span translate="no" className="min-w-0 font-mono break-all">{txid}</span>;
  return (
    <OutLink href={link} className="min-h-6 min-w-0 font-mono break-all after:absolute after:inset-0">
      <span translate="no">{txid}</span>
    </OutLink>
  );
}

/** Returns the community's explorer, else a dev network's explorer: the fund's own pages have no community. */
function useExplorer(): string | undefined {
  const community = useCommunity(site.prefix !== "").data?.explorer_tx;
  return community || (site.network === "regtest" ? "/dev/explorer/tx/{txid}" : undefined);
}
