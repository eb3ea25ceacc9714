import { attempts, type Tracked } from "../action/attempts.ts";
import { search, type Look } from "../action/pay.ts";
import { useObservable } from "../lib/observable.ts";
import { findOrder, type CreatedOrder, type RunesOrder } from "../wallet/index.ts";
import { network } from "./etch.ts";

/** Attempts are kept together with those of the fund's own orders. */
const PREFIX = "etching:";

export const orderIdOf = (attempt: Tracked): string => attempt.order.slice(PREFIX.length);

/** What wallets were asked to pay the orders service and what it has not seen yet; of one order, or of all. */
export function useFunding(id?: string): readonly Tracked[] {
  const all = useObservable(attempts).filter(({ order }) => order.startsWith(PREFIX));
  return id === undefined ? all : all.filter((one) => orderIdOf(one) === id);
}

/** Notes that the wallet is about to be asked to pay. `received` sats were there before. */
export function beginFunding({ orderId, fundAddress, fundAmount }: CreatedOrder, received = 0): string {
  return attempts.begin({
    order: PREFIX + orderId,
    address: fundAddress,
    sats: fundAmount.toString(),
    alike: received,
  });
}

/** The service has more of an order than before, or works on it already. */
export function isFunded(attempt: Pick<Tracked, "alike">, order: Pick<RunesOrder, "received" | "state">): boolean {
  return (order.received ?? 0) > attempt.alike || (attempt.alike === 0 && order.state !== "new");
}

export function lookForFunding(attempt: Tracked): Promise<void> {
  const look: Look = async (one) => isFunded(one, await findOrder({ id: orderIdOf(attempt), network }));
  return search(attempt.id, look);
}

/** The payment came back with an error: notes it and asks the service. True when the payment is there all the same. */
export async function afterFailure(id: string, said: string, txid: string | null): Promise<boolean> {
  attempts.answer(id, txid === null ? { said } : { txid });
  if (txid !== null) return true;
  await lookForFunding(find(id)!);
  return find(id)?.look === "seen";
}

const find = (id: string): Tracked | undefined => attempts.get().find((one) => one.id === id);
