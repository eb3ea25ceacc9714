import { useState } from "react";
import type { SignedAction } from "../api/actions.ts";
import { useOneTxOffered, type OneTxQuote } from "../api/oneTx.ts";
import type { Order } from "../api/orders.ts";
import { formatRunesExact } from "../lib/format.ts";
import type { Failure } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { fieldsOf, useSession } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog, DialogActions } from "../ui/Dialog.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import { ClaimShare } from "./ClaimShare.tsx";
import { Conflict } from "./Conflict.tsx";
import { FeeTable, FooterTotal, OneTxFees } from "./FeeTable.tsx";
import { GiveUp } from "./GiveUp.tsx";
import { useHasSelf } from "./custody.ts";
import { chooseOneTx, useOneTxOffer } from "./oneTx.ts";
import { OtherForm } from "./OtherForm.tsx";
import { SignWith } from "./SignWith.tsx";
import type { Step } from "./perform.ts";
import { normalTotal, oneTxTotal, SpeedChoice, type Delivery as DeliveryChoice } from "./SpeedChoice.tsx";
import { stepText, useAction, type Action } from "./useAction.ts";
import { useEstimate, type Prices } from "./useEstimate.ts";

export interface CostDialogProps {
  type: SignedAction;
  title: string;
  units: readonly string[];
  /** The total of the units, in base units. */
  runes: bigint;
  /** A consequence to state before the confirmation. */
  warning?: string;
  onClose(): void;
  /** Called with the order that the action created. */
  onOrder(order: Order): void;
}

/** Shows the cost of an action, then performs the action after confirmation. */
export function CostDialog({ type, title, units, runes, warning, onClose, onOrder }: CostDialogProps) {
  const action = useAction();
  const { query, prices, offer, delivery, quote, ready, setDelivery } = useDelivery(type, units);
  const total = prices === null ? null : totalOf(prices, quote);

  async function go(): Promise<void> {
    const result = await action.run(type, units, { economy: prices?.speed ?? undefined });
    if (result?.order) {
      if (quote) chooseOneTx(result.order.id, quote);
      onOrder(result.order);
    } else if (result) onClose();
    else if (delivery.form) void query.refetch(); // the server may have refused the rate or the limit
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Delivery runes={runes} units={units.length} />
      {prices && (
        <SpeedChoice
          prices={prices}
          offer={offer}
          delivery={delivery}
          disabled={action.step !== null}
          onChange={setDelivery}
        />
      )}
      <div className="rounded-box bg-night p-4 empty:hidden">
        <Loaded query={query} skeleton={<CostSkeleton />}>
          {() => prices && <Cost prices={prices} quote={quote} />}
        </Loaded>
      </div>
      <Note delivery={delivery} units={units} />
      {type === "CLAIM" && prices?.fees && <ClaimShare sats={prices.fees.total} runes={runes} />}
      {warning && <p className="mt-4 border-l-2 border-amber pl-3 text-[0.9375rem]">{warning}</p>}
      <div className="mt-4 grid gap-3 empty:hidden">
        <SignWith />
      </div>
      {action.error && <FailureNotice action={action} error={action.error} onRetry={() => void go()} />}
      <DialogActions>
        {action.step === "signing" && (
          <p className="mb-2 text-center">
            <GiveUp action={action} />
          </p>
        )}
        {total !== null && <FooterTotal sats={total} />}
        <Button
          kind="primary"
          className="w-full"
          busy={action.step !== null}
          disabled={!ready}
          onClick={() => void go()}
        >
          {buttonText(action.step, quote !== null)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

// The button stays visible, so the failure above it may be below the visible part.
const scrollTo = (failure: HTMLElement | null): void => failure?.scrollIntoView({ block: "nearest" });

function FailureNotice({ action, error, onRetry }: { action: Action; error: Failure; onRetry: () => void }) {
  return (
    <div ref={scrollTo} className="mt-4">
      <Notice tone="bad">
        <FailureText failure={error} />
        <Conflict error={action.failure} />
        {action.tryTransaction && <OtherForm onRetry={onRetry} />}
      </Notice>
    </div>
  );
}

/**
 * The choice of a delivery, with the price of each. The default is the cheaper one of a payment order and one
 * transaction, if the wallet has the coins for that. `quote` is its price, if it is chosen.
 */
function useDelivery(type: SignedAction, units: readonly string[]) {
  const session = useSession();
  const [chosen, setDelivery] = useState<DeliveryChoice | null>(null);
  const { query, prices } = useEstimate(type, units, chosen?.form ?? null);
  const offer = useOneTxOffer(session, units, useOneTxOffered() && type === "WITHDRAW");
  const isChecking = offer !== null && offer.quote === null && offer.impossible === null;
  const oneTx = prices && offer?.quote ? oneTxTotal(prices, offer.quote) : null;
  const isCheaper = prices !== null && oneTx !== null && oneTx < normalTotal(prices);
  const delivery = chosen ?? { form: null, oneTx: isChecking ? null : isCheaper };
  const quote = delivery.oneTx ? (offer?.quote ?? null) : null;
  const isPriced = prices !== null && prices.fees !== null && prices.error === null;
  // The default must not change while the button is pressed.
  const ready = isPriced && delivery.oneTx !== null && (!delivery.oneTx || quote !== null);
  return { query, prices, offer, delivery, quote, ready, setDelivery };
}

function noteOf({ form, oneTx }: DeliveryChoice): string {
  if (oneTx) return later.oneTx.note;
  return form ? later.economy.priceNote : text.action.estimateNote;
}

/** How exact the price is, and that the owner signs the delivery of stakes in self-custody after paying for it. */
function Note({ delivery, units }: { delivery: DeliveryChoice; units: readonly string[] }) {
  const session = useSession();
  const hasSelf = useHasSelf(session && fieldsOf(session), units);
  return (
    <div className="mt-2 grid gap-2 text-sm text-mist">
      <p>{noteOf(delivery)}</p>
      {hasSelf && delivery.oneTx === false && <p>{later.oneTx.signLater}</p>}
    </div>
  );
}

/** The items of the price of the chosen delivery; nothing while the chosen speed has an error. */
function Cost({ prices, quote }: { prices: Prices; quote: OneTxQuote | null }) {
  if (quote) return <OneTxFees quote={quote} dust={prices.estimate.fees.dust} total={false} />;
  if (prices.fees) return <FeeTable fees={prices.fees} total={false} />;
  return prices.speed ? <CostSkeleton /> : null;
}

/** Returns the price of the chosen delivery; null while it is not known. */
function totalOf(prices: Prices, quote: OneTxQuote | null): bigint | null {
  return quote ? oneTxTotal(prices, quote) : (prices.fees?.total ?? null);
}

/** What the order delivers. */
function Delivery({ runes, units }: { runes: bigint; units: number }) {
  return (
    <p className="mb-4 flex flex-wrap items-baseline justify-between gap-2">
      <span className="text-mist">{text.action.delivers}</span>
      <span translate="no" className="num text-lg">
        {formatRunesExact(runes)} {site.token}
        {units > 0 && <span className="ml-2 text-sm font-normal text-mist">{text.action.units(units)}</span>}
      </span>
    </p>
  );
}

function CostSkeleton() {
  return (
    <>
      <p className="mb-3 text-fur">{text.action.gettingCosts}</p>
      <Lines count={4} className="h-5" />
    </>
  );
}

function buttonText(step: Step | null, oneTx: boolean): string {
  if (step === null) return oneTx ? later.oneTx.continue : text.action.continue;
  return step === "sending" ? text.action.requesting : stepText(step);
}
