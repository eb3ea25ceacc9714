import { proveAction, requestAction, type SignedAction } from "../api/actions.ts";
import type { Order } from "../api/orders.ts";
import { text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import type { Session } from "../wallet/index.ts";
import { rememberProof } from "./proven.ts";
import { signProof } from "./signer.ts";

export type Step = "preparing" | "signing" | "sending";

/**
 * Performs an action: checks the server's statements, posts the action, has its message signed, and submits the
 * signature. `signal` stops waiting for the wallet; `epochs` is how long an
 * AUTO_COMPOUND lasts. Returns the order to pay, if the action creates one.
 */
export async function performAction(
  session: Session,
  type: SignedAction,
  units: readonly string[],
  onStep: (step: Step) => void,
  { signal, epochs }: { signal?: AbortSignal; epochs?: number | undefined } = {},
): Promise<Order | null> {
  const wallet = fieldsOf(session);
  onStep("preparing");
  const { checkedStatement, requireNamed } = await import("./knownStatement.ts");
  const statement = await checkedStatement();
  const { message, actionId } = await requestAction(wallet, type, units, statement, epochs);
  requireNamed(message, statement);
  onStep("signing");
  const { by, ...signed } = await signProof(session, type, message, signal);
  onStep("sending");
  const { applied, order } = await proveAction(wallet, type, { actionId, ...signed });
  rememberProof(by.address, by.form); // the server has verified it
  if (!applied) throw new Error(text.action.notApplied);
  return order;
}
