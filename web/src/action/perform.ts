import { proveAction, requestAction, type SignedAction } from "../api/actions.ts";
import type { Order } from "../api/orders.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import type { Session } from "../wallet/index.ts";
import { rememberProof } from "./proven.ts";
import { signProof } from "./signer.ts";

export type Step = "preparing" | "signing" | "sending";

/**
 * One action from the server's message to its effect: post the action, have its message signed, hand the
 * signature in. `signal` gives up waiting for the wallet. Gives the order to pay where the action makes one.
 */
export async function performAction(
  session: Session,
  type: SignedAction,
  units: readonly string[],
  onStep: (step: Step) => void,
  signal?: AbortSignal,
): Promise<Order | null> {
  const wallet = fieldsOf(session);
  onStep("preparing");
  const { message, actionId } = await requestAction(wallet, type, units);
  onStep("signing");
  const { by, ...signed } = await signProof(session, type, message, signal);
  onStep("sending");
  const { applied, order } = await proveAction(wallet, type, { actionId, ...signed });
  rememberProof(by.address, by.form); // the server has verified it
  if (!applied) throw new Error(text.action.notApplied);
  return order;
}
