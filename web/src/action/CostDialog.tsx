import { useState } from "react";
import type { SignedAction } from "../api/actions.ts";
import type { Order } from "../api/orders.ts";
import { formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import { ClaimShare } from "./ClaimShare.tsx";
import { Conflict } from "./Conflict.tsx";
import { FeeTable } from "./FeeTable.tsx";
import { GiveUp } from "./GiveUp.tsx";
import { OtherForm } from "./OtherForm.tsx";
import { SignWith } from "./SignWith.tsx";
import type { Step } from "./perform.ts";
import { SpeedChoice } from "./SpeedChoice.tsx";
import { stepText, useAction } from "./useAction.ts";
import { useEstimate, type Prices, type SpeedForm } from "./useEstimate.ts";

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
  const [form, setForm] = useState<SpeedForm | null>(null);
  const { query, prices } = useEstimate(type, units, form);
  const ready = prices !== null && prices.fees !== null && prices.error === null;

  async function go(): Promise<void> {
    const result = await action.run(type, units, { economy: prices?.speed ?? undefined });
    if (result?.order) onOrder(result.order);
    else if (result) onClose();
    else if (form) void query.refetch(); // the server may have refused the rate or the limit
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Delivery runes={runes} units={units.length} />
      {prices && <SpeedChoice prices={prices} form={form} disabled={action.step !== null} onChange={setForm} />}
      <div className="rounded-box bg-night p-4 empty:hidden">
        <Loaded query={query} skeleton={<CostSkeleton />}>
          {() => prices && <Cost prices={prices} />}
        </Loaded>
      </div>
      <p className="mt-2 text-sm text-mist">{form ? later.economy.priceNote : text.action.estimateNote}</p>
      {type === "CLAIM" && prices?.fees && <ClaimShare sats={prices.fees.total} runes={runes} />}
      {warning && <p className="mt-4 border-l-2 border-amber pl-3 text-[0.9375rem]">{warning}</p>}
      <div className="mt-4 grid gap-3 empty:hidden">
        <SignWith />
      </div>
      {action.error && (
        <div className="mt-4">
          <Notice tone="bad">
            {action.error}
            <Conflict error={action.failure} />
            {action.tryTransaction && <OtherForm onRetry={() => void go()} />}
          </Notice>
        </div>
      )}
      <Button
        kind="primary"
        className="mt-5 w-full"
        busy={action.step !== null}
        disabled={!ready}
        onClick={() => void go()}
      >
        {buttonText(action.step)}
      </Button>
      {action.step === "signing" && (
        <p className="mt-2 text-center">
          <GiveUp action={action} />
        </p>
      )}
    </Dialog>
  );
}

/** The price at the chosen speed; nothing while the chosen speed has an error. */
function Cost({ prices }: { prices: Prices }) {
  if (prices.fees) return <FeeTable fees={prices.fees} />;
  return prices.speed ? <CostSkeleton /> : null;
}

/** What the order delivers. */
function Delivery({ runes, units }: { runes: bigint; units: number }) {
  return (
    <p className="mb-4 flex flex-wrap items-baseline justify-between gap-2">
      <span className="text-mist">{text.action.delivers}</span>
      <span className="num text-lg">
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

function buttonText(step: Step | null): string {
  if (step === null) return text.action.continue;
  return step === "sending" ? text.action.requesting : stepText(step);
}
