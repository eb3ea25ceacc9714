import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "../api/keys.ts";
import { requestDifference, waitOrder, type Economy, type Order } from "../api/orders.ts";
import { failureOf } from "../lib/failure.ts";
import { formatDate, formatNumber, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { Disclosure } from "../ui/Disclosure.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Session } from "../wallet/index.ts";
import { PayOrder } from "./PayOrder.tsx";
import { estimatedDifference, phaseOf } from "./state.ts";
import type { OrderPayment } from "./useOrderPayment.ts";

const words = later.economy;
/** The page mentions the time to choose after the limit if it is at least this long. */
const CHOICE_MS = 24 * 3_600_000;

interface EconomyOrderProps {
  order: Order;
  economy: Economy;
  session: Session;
  payment: OrderPayment;
}

/** What an open or paid economy order waits for, and what its owner can choose. */
export function EconomyOrder({ order, economy, session, payment }: EconomyOrderProps) {
  const phase = phaseOf(order);
  return (
    <section aria-label={words.title} className="grid gap-4">
      <div className="rounded-box border border-line p-4">
        <h3 className="font-bold">{words.title}</h3>
        <Rates economy={economy} />
        <p className="mt-3">{stateOf(economy, phase)}</p>
        {phase === "waits" && !economy.limitReached && (
          <p className="mt-2 text-sm text-mist">{limitOf(economy)}</p>
        )}
      </div>
      {phase === "waits" && economy.limitReached && (
        <Notice tone="warn">{words.reached(formatDate(economy.ends))}</Notice>
      )}
      {phase === "waits" && <Choices order={order} economy={economy} session={session} payment={payment} />}
    </section>
  );
}

function stateOf({ waitsFor, difference }: Economy, phase: ReturnType<typeof phaseOf>): string {
  if (phase === "pay") return words.unpaid;
  if (phase === "complete") return words.covered;
  if (difference?.seen) return words.differenceSeen;
  return waitsFor === "delivery" ? words.soon : words.waiting;
}

/** What happens at the limit. Near the recovery of a unit, the order ends before its owner could choose. */
function limitOf({ until, ends }: Economy): string {
  if (ends < until + CHOICE_MS) return words.beforeEnd(formatDate(ends));
  return words.before(formatDate(until), formatDate(ends));
}

/** The order's rate, the network's, and how long it waits. */
function Rates({ economy: { rate, networkRate, until, ends } }: { economy: Economy }) {
  const rows = [
    [words.own, later.fees.rateValue(formatNumber(rate, 3))],
    [words.network, later.fees.rateValue(formatNumber(networkRate, 3))],
    [words.until, formatDate(Math.min(until, ends))],
  ] as const;
  return (
    <dl className="mt-2 grid gap-1">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-mist">{name}</dt>
          <dd translate="no" className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Waiting longer and paying the difference. Any paid order has the button to cancel below. */
function Choices({ order, economy, session, payment }: EconomyOrderProps) {
  const client = useQueryClient();
  const wallet = fieldsOf(session);
  const choose = useMutation({
    mutationFn: (call: typeof waitOrder) => call(wallet, order.id),
    onSuccess: (fresh) =>
      client.setQueryData<Order[]>(keys.orders(wallet), (all) =>
        all?.map((one) => (one.id === fresh.id ? fresh : one)),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: keys.wallets }),
  });
  const { choices, difference, waitUntil } = economy;
  const canPay = choices.includes("pay_difference") && (difference === null || difference.seen);
  const payButton = (sats: bigint) => (
    <Button disabled={choose.isPending} onClick={() => choose.mutate(requestDifference)}>
      {words.pay(formatSats(sats))}
    </Button>
  );
  return (
    <>
      {choose.error && (
        <Notice tone="bad">
          <FailureText failure={failureOf(choose.error, text.action.unexpected("waitPO"))} />
        </Notice>
      )}
      {difference && !difference.seen && (
        <>
          <p>{words.difference(formatSats(difference.total), formatNumber(difference.rate, 3))}</p>
          <PayOrder order={order} payment={payment} session={session} />
        </>
      )}
      {difference?.seen && (
        <Disclosure title={words.payAgain}>
          <p className="mb-3 text-sm text-mist">{words.payAgainNote}</p>
          {canPay ? payButton(difference.due) : <PayOrder {...{ order, payment, session }} inPlace />}
        </Disclosure>
      )}
      {canPay && !difference && !economy.limitReached && <p className="text-sm text-mist">{words.payNote}</p>}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {waitUntil !== null && choices.includes("wait") && (
          <Button kind="primary" disabled={choose.isPending} onClick={() => choose.mutate(waitOrder)}>
            {words.wait(formatDate(waitUntil))}
          </Button>
        )}
        {canPay && !difference && payButton(estimatedDifference(order, economy))}
      </div>
    </>
  );
}
