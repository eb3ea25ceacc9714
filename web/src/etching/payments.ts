import { attempts, type Tracked } from "../action/attempts.ts";
import { search, type FindPayment } from "../action/pay.ts";
import type { Failure } from "../lib/failure.ts";
import { useObservable } from "../lib/observable.ts";
import { findOrder, type CreatedOrder, type RunesOrder } from "../wallet/index.ts";
import { network } from "./etch.ts";

/** Prefix of these attempts in the storage that they share with the community's orders. */
const PREFIX = "etching:";

export const orderIdOf = (attempt: Tracked): string => attempt.order.slice(PREFIX.length);

/** Returns payments that the wallet was asked for and the service has not received, of one order or of all. */
export function useFunding(id?: string): readonly Tracked[] {
  const all = useObservable(attempts).filter(({ order }) => order.startsWith(PREFIX));
  return id === undefined ? all : all.filter((one) => orderIdOf(one) === id);
}

/** Stores an attempt before the wallet is asked to pay. `received` are the sats that the service had before. */
export function beginFunding({ orderId, fundAddress, fundAmount }: CreatedOrder, received = 0): string {
  return attempts.begin({
    order: PREFIX + orderId,
    address: fundAddress,
    sats: fundAmount.toString(),
    alike: received,
  });
}

/** Reports whether the service has received more than before the attempt, or has started the order. */
export function isFunded(attempt: Pick<Tracked, "alike">, order: Pick<RunesOrder, "received" | "state">): boolean {
  return (order.received ?? 0) > attempt.alike || (attempt.alike === 0 && order.state !== "new");
}

export function searchFunding(attempt: Tracked): Promise<void> {
  const findPayment: FindPayment = async (one) => isFunded(one, await findOrder({ id: orderIdOf(attempt), network }));
  return search(attempt.id, findPayment);
}

/** Stores a failed attempt and asks the service. Returns true if the payment arrived nevertheless. */
export async function afterFailure(id: string, error: Failure, txid: string | null): Promise<boolean> {
  attempts.answer(id, txid === null ? { error } : { txid });
  if (txid !== null) return true;
  await searchFunding(find(id)!);
  return find(id)?.search === "found";
}

const find = (id: string): Tracked | undefined => attempts.get().find((one) => one.id === id);
