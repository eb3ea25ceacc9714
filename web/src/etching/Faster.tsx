import { useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { PayControls } from "../action/AttemptNotices.tsx";
import { attempts, paymentStateOf } from "../action/attempts.ts";
import { etchingText } from "../lib/etchingText.ts";
import { formatSats } from "../lib/format.ts";
import { Button } from "../ui/Button.tsx";
import { Disclosure } from "../ui/Disclosure.tsx";
import { Notice } from "../ui/Notice.tsx";
import { estimateRbf, rbfOrder, type RunesOrder } from "../wallet/index.ts";
import { network, readRate } from "./etch.ts";
import { Field } from "./Field.tsx";
import { reasonOf } from "./orders.ts";
import { afterFailure, beginFunding, searchFunding, useFunding } from "./payments.ts";

/** Replaces pending transactions at a higher fee rate: fetches the cost, then has the wallet pay the difference. */
export function Faster({ order }: { order: RunesOrder }) {
  const [typed, setTyped] = useState("");
  const newFeeRate = readRate(typed);
  const { cost, resetCost, estimate, pay, busy, outcome, funding } = useFeeBump(order, newFeeRate);
  return (
    <Disclosure title={etchingText.faster} className="rounded-box bg-night px-4 py-2">
      <div className="grid gap-3">
        <p className="text-sm text-mist">{etchingText.fasterHint}</p>
        <Field
          label={etchingText.newRate}
          value={typed}
          numeric
          maxLength={8}
          onChange={(value) => {
            setTyped(value);
            resetCost();
          }}
        />
        {cost === null ? (
          <Button busy={busy} disabled={newFeeRate === null} onClick={() => void estimate()}>
            {etchingText.askCost}
          </Button>
        ) : (
          <PayControls
            tracked={funding}
            ready
            label={etchingText.payMore(formatSats(BigInt(cost)))}
            busy={busy}
            inPlace
            onPay={() => void pay()}
            onGiveUp={() => funding.forEach((one) => (attempts.giveUp(one.id), void searchFunding(one)))}
            onSearch={() => funding.forEach((one) => void searchFunding(one))}
          />
        )}
        {outcome && <Notice tone={outcome.tone}>{outcome.message}</Notice>}
      </div>
    </Disclosure>
  );
}

/** The cost of a higher fee rate, and its payment by the wallet. */
function useFeeBump(order: RunesOrder, newFeeRate: number | null) {
  const client = useQueryClient();
  const [cost, setCost] = useState<number | null>(null);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ tone: "good" | "bad"; message: string } | null>(null);
  const funding = useFunding(order.id);
  const bump = { orderId: order.id, newFeeRate: newFeeRate ?? 0, network };

  async function attempt(run: () => Promise<void>): Promise<void> {
    setBusy(true);
    setOutcome(null);
    try {
      await run();
    } catch (error) {
      setOutcome({ tone: "bad", message: reasonOf(error).message });
    } finally {
      setBusy(false);
    }
  }

  async function payBump(): Promise<void> {
    for (const one of funding) if (paymentStateOf([one]) === "free") attempts.drop(one.id);
    let id: string | null = null;
    try {
      const { fundRBFTransactionId } = await rbfOrder(bump, {
        onOrder: (created) => void (id = beginFunding(created, order.received ?? 0)),
      });
      if (id !== null) attempts.answer(id, { txid: fundRBFTransactionId });
    } catch (error) {
      if (id === null || !(await afterFailure(id, reasonOf(error), null))) throw error;
    }
  }

  const estimate = (): Promise<void> => attempt(async () => setCost((await estimateRbf(bump)).rbfCost));
  const pay = (): Promise<void> =>
    attempt(async () => {
      await payBump();
      setCost(null);
      setOutcome({ tone: "good", message: etchingText.fasterPaid });
      await client.invalidateQueries({ queryKey: ["etching", "order", order.id] });
    });
  return { cost, resetCost: () => setCost(null), estimate, pay, busy, outcome, funding };
}
