import { useQuery } from "@tanstack/react-query";
import { estimateAction, type SignedAction } from "../api/actions.ts";
import type { Order } from "../api/orders.ts";
import { formatRunesExact } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { useWallet } from "../session/session.ts";
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
import { stepText, useAction } from "./useAction.ts";

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
  const wallet = useWallet();
  const action = useAction();
  const estimate = useQuery({
    queryKey: ["estimate", wallet, type, units],
    queryFn: ({ signal }) => estimateAction(wallet!, type, units, signal),
    enabled: wallet !== null,
    gcTime: 0,
  });

  async function go(): Promise<void> {
    const result = await action.run(type, units);
    if (result?.order) onOrder(result.order);
    else if (result) onClose();
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <Delivery runes={runes} units={units.length} />
      <div className="rounded-box bg-night p-4">
        <Loaded query={estimate} skeleton={<CostSkeleton />}>
          {(fees) => <FeeTable fees={fees} />}
        </Loaded>
      </div>
      <p className="mt-2 text-sm text-mist">{text.action.estimateNote}</p>
      {type === "CLAIM" && estimate.data && <ClaimShare sats={estimate.data.total} runes={runes} />}
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
        disabled={!estimate.data}
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
