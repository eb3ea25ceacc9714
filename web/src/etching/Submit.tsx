import { AttemptNotices, Risky } from "../action/AttemptNotices.tsx";
import { paymentStateOf, type PaymentState, type Tracked } from "../action/attempts.ts";
import { etchingText } from "../lib/etchingText.ts";
import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { OrderRequest } from "./orders.ts";
import { orderIdOf, searchFunding } from "./payments.ts";
import { useSubmit, type Failure } from "./useSubmit.ts";

interface SubmitProps {
  request: OrderRequest | null;
  label: string;
  /** The reason why the form is incomplete. */
  missing: string;
  connected: boolean;
  onConnect(): void;
  onOrder(id: string): void;
}

/** The button of a form, with the state of its payments and the result. */
export function Submit({ request, label, missing, connected, onConnect, onOrder }: SubmitProps) {
  const { submit, giveUp, busy, sent, failure, dismiss, funding } = useSubmit(onOrder);
  const unsent = funding.filter(({ state }) => state !== "sent");
  const paymentState = paymentStateOf(unsent);
  if (!connected) {
    return (
      <Button kind="primary" className="w-full py-2 text-lg" onClick={onConnect}>
        {etchingText.connect}
      </Button>
    );
  }
  return (
    <div className="grid gap-3">
      {funding.map((one) => (
        <FundingNotice key={one.id} attempt={one} onOrder={onOrder} />
      ))}
      <SubmitButton
        label={label}
        paymentState={paymentState}
        busy={busy}
        onSubmit={request && (() => void submit(request))}
        onSearch={() => unsent.forEach((one) => void searchFunding(one))}
      />
      {paymentState === "pending" && (
        <Button kind="quiet" onClick={giveUp}>
          {later.payment.giveUp}
        </Button>
      )}
      {request === null && <p className="text-sm text-mist">{missing}</p>}
      {sent && <Notice tone="good">{etchingText.sentByWallet(sent)}</Notice>}
      {failure && <FailureNotice failure={failure} onDismiss={dismiss} onOrder={onOrder} />}
    </div>
  );
}

function FundingNotice({ attempt, onOrder }: { attempt: Tracked; onOrder: SubmitProps["onOrder"] }) {
  const showsOrder = attempt.search !== "found" && (attempt.state === "sent" || !attempt.pending);
  return (
    <div className="grid justify-items-start gap-1 empty:hidden">
      <AttemptNotices tracked={[attempt]} link={() => null} />
      {showsOrder && <OrderLink id={orderIdOf(attempt)} onOrder={onOrder} />}
    </div>
  );
}

interface SubmitButtonProps {
  label: string;
  paymentState: PaymentState;
  busy: boolean;
  /** Null if the form is incomplete. */
  onSubmit: (() => void) | null;
  onSearch(): void;
}

/** Asks for confirmation while an earlier payment may still arrive. */
function SubmitButton({ label, paymentState, busy, onSubmit, onSearch }: SubmitButtonProps) {
  const words = later.payment;
  if (paymentState === "unclear" && onSubmit) {
    return (
      <Risky words={{ ask: words.again, risk: words.riskOrder, yes: words.againYes }} onYes={onSubmit}>
        <Button onClick={onSearch}>{words.checkAgain}</Button>
      </Risky>
    );
  }
  const searching = paymentState === "searching";
  return (
    <Button
      kind="primary"
      className="w-full py-2 text-lg"
      busy={busy || searching}
      disabled={!onSubmit}
      onClick={() => onSubmit?.()}
    >
      {searching ? words.checking : busy ? etchingText.confirm : label}
    </Button>
  );
}

interface FailureNoticeProps {
  failure: Failure;
  onDismiss(): void;
  onOrder: SubmitProps["onOrder"];
}

function FailureNotice({ failure: { reason, order }, onDismiss, onOrder }: FailureNoticeProps) {
  return (
    <Notice tone="bad" onDismiss={onDismiss}>
      <FailureText failure={reason} />
      {order && <OrderLink id={order} onOrder={onOrder} />}
    </Notice>
  );
}

function OrderLink({ id, onOrder }: { id: string; onOrder: SubmitProps["onOrder"] }) {
  return (
    <Button kind="quiet" className="px-0" onClick={() => onOrder(id)}>
      {etchingText.showOrder}
    </Button>
  );
}
