import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { keys } from "../api/keys.ts";
import type { Order } from "../api/orders.ts";
import { useNow } from "../lib/clock.ts";
import { formatBTC, formatDate, formatRemaining, formatSats, remaining } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { say, text } from "../lib/text.ts";
import { useCan, walletName } from "../session/capability.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/Copy.tsx";
import { Notice } from "../ui/Notice.tsx";
import { sendTransfer, WalletError } from "../wallet/index.ts";
import { deadlineOf, paymentURI, rateEnd } from "./state.ts";

const PayQr = lazy(() => import("./PayQr.tsx"));

export interface PayOrderProps {
  order: Order;
  /** The wallet has paid what is due now; the server has not seen it yet. */
  paid: boolean;
  onPaid(): void;
}

/** How to pay what is due: by the wallet, by QR code, or by hand to the address. */
export function PayOrder({ order, paid, onPaid }: PayOrderProps) {
  const amount = formatBTC(order.due);
  const uri = paymentURI(
    order.paymentAddress,
    order.due,
    text.order.qrLabel(site.name),
    text.order.qrMessage(order.id),
  );
  const partial = order.balance > 0n;
  return (
    <section aria-label={text.order.amountDue} className="grid gap-4">
      <div className="grid gap-5 sm:grid-cols-[200px_1fr]">
        {/* Nobody photographs their own phone: there the button comes first. */}
        <div className="order-last mx-auto size-50 overflow-hidden rounded-box bg-white sm:order-none sm:mx-0">
          <Suspense fallback={null}>
            <PayQr uri={uri} title={text.order.qr(amount)} />
          </Suspense>
        </div>
        <div className="grid min-w-0 content-between gap-3">
          <div className="flex flex-wrap items-end justify-between gap-2">
            <div>
              <p className="text-sm text-mist">{partial ? text.order.due : text.order.amountDue}</p>
              <p className="num text-xl whitespace-nowrap" data-testid="due">
                {amount} {text.common.btc}
              </p>
              <p className="text-sm text-mist">
                {formatSats(order.due)} {text.common.sats}
              </p>
            </div>
            <CopyButton value={amount} label={text.order.copyAmount} />
          </div>
          {partial && <p className="text-sm text-mist">{text.order.inParts}</p>}
          <WalletPay order={order} paid={paid} onPaid={onPaid} />
          <a href={uri} className="inline-flex min-h-11 items-center justify-center text-sm underline">
            {text.order.openApp}
          </a>
        </div>
      </div>
      <CopyButton value={order.paymentAddress} label={text.order.copyAddress} className="w-full justify-between py-2">
        <span className="min-w-0">
          <span className="block text-sm text-mist">{text.order.address}</span>
          <span className="font-mono text-sm break-all" data-testid="payment-address">
            {order.paymentAddress}
          </span>
        </span>
      </CopyButton>
      <Deadlines order={order} />
    </section>
  );
}

function WalletPay({ order, paid, onPaid }: PayOrderProps) {
  const client = useQueryClient();
  const cannot = useCan("sendTransfer") === false;
  const [paying, setPaying] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function pay(): Promise<void> {
    setPaying(true);
    setError(null);
    try {
      await sendTransfer([{ address: order.paymentAddress, amount: Number(order.due) }]);
      onPaid();
    } catch (fault) {
      setError(sentenceFor(fault));
    }
    setPaying(false);
    void client.invalidateQueries({ queryKey: keys.wallets });
  }

  return (
    <>
      {error && (
        <Notice tone="bad" onDismiss={() => setError(null)}>
          {error}
        </Notice>
      )}
      {cannot ? (
        <Notice>{text.order.payByHand(walletName())}</Notice>
      ) : (
        <Button kind="primary" className="w-full text-lg" busy={paying} disabled={paid} onClick={() => void pay()}>
          {paying ? text.order.paying : text.order.payWallet}
        </Button>
      )}
    </>
  );
}

function sentenceFor(fault: unknown): string {
  if (fault instanceof WalletError) return fault.rejected ? text.order.userCancelled : say(fault.message);
  return text.action.strange("sendTransfer");
}

const FIVE_MINUTES = 300;
const ONE_MINUTE = 60;

function Deadlines({ order }: { order: Order }) {
  const now = useNow();
  const deadline = deadlineOf(order);
  const left = remaining(deadline, now);
  const rate = remaining(rateEnd(order), now);
  const warning = left.total <= ONE_MINUTE ? text.order.warnOne : left.total <= FIVE_MINUTES ? text.order.warnFive : "";
  return (
    <div className="text-sm text-mist">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span>{text.order.deadline(formatDate(deadline))}</span>
        <span role="timer" className="text-fur">
          {formatRemaining(left)}
        </span>
      </p>
      {order.status === "CONFIRMED" && (
        <p>{rate.total > 0 ? text.order.feeUntil(formatRemaining(rate)) : text.order.feeOver}</p>
      )}
      <p role="status" className="text-amber">
        {warning}
      </p>
    </div>
  );
}
