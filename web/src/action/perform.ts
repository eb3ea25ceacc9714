import { proveAction, requestAction, type ActionOptions, type SignedAction } from "../api/actions.ts";
import type { Order } from "../api/orders.ts";
import { now } from "../lib/clock.ts";
import { PageError } from "../lib/failure.ts";
import { text } from "../lib/text.ts";
import { lastSigned } from "../push/signed.ts";
import { fieldsOf } from "../session/session.ts";
import type { Session } from "../wallet/index.ts";
import { rememberProof } from "./proven.ts";
import { signProof } from "./signer.ts";
import { requireSpeed } from "./speed.ts";

export type Step = "preparing" | "signing" | "sending";

/**
 * Performs an action: checks the server's statements, posts the action, checks its message and has it signed, and
 * submits the signature. `signal` stops waiting for the wallet. Returns the order to pay, if the action creates one.
 */
export async function performAction(
  session: Session,
  type: SignedAction,
  units: readonly string[],
  onStep: (step: Step) => void,
  { signal, ...options }: ActionOptions & { signal?: AbortSignal } = {},
): Promise<Order | null> {
  const wallet = fieldsOf(session);
  onStep("preparing");
  const { checkedStatement, requireNamed } = await import("./knownStatement.ts");
  const statement = await checkedStatement();
  const requested = now();
  const { message, actionId } = await requestAction(wallet, type, units, statement, options);
  await requireNamed(message, statement);
  requireSpeed(message, options.economy, requested);
  onStep("signing");
  const { by, ...signed } = await signProof(session, type, message, signal);
  onStep("sending");
  const { applied, order } = await proveAction(wallet, type, { actionId, ...signed });
  rememberProof(by.address, by.form); // the server has verified it
  if (!applied) throw new PageError(text.action.notApplied);
  // The server does not accept an instruction as a proof, because statements publish its signature.
  if (type !== "AUTO_COMPOUND" && type !== "END_AUTO_COMPOUND") {
    lastSigned.set({ owner: wallet.w_wallet_code_ord, actionId, signature: signed.signature });
  }
  return order;
}
