import { proveAction, requestAction, type SignedAction } from "../api/actions.ts";
import type { Order } from "../api/orders.ts";
import { say, text } from "../lib/text.ts";
import { fieldsOf } from "../session/session.ts";
import { defaultProvider, listProviders, signMessage, WalletError, type Session } from "../wallet/index.ts";

export type Step = "preparing" | "signing" | "sending";

/**
 * One action from the server's message to its effect: post the action, have its message signed by the ordinals
 * address, hand the signature in. Gives the order to pay where the action makes one.
 */
export async function performAction(
  session: Session,
  type: SignedAction,
  units: readonly string[],
  onStep: (step: Step) => void,
): Promise<Order | null> {
  const wallet = fieldsOf(session);
  onStep("preparing");
  const { message, actionId } = await requestAction(wallet, type, units);
  onStep("signing");
  const signed = await signProof(session, type, message);
  onStep("sending");
  const { applied, order } = await proveAction(wallet, type, { actionId, ...signed });
  if (!applied) throw new Error(text.action.notApplied);
  return order;
}

/** The person's proof: the message signed by the ordinals address. `action` is only for the sentence on failure. */
export async function signProof(
  session: Session,
  action: string,
  message: string,
): Promise<{ signature: string; messageHash: string }> {
  try {
    const { signature, messageHash } = await signMessage(session.ordinals.address, message);
    return { signature, messageHash: messageHash ?? "" };
  } catch (fault) {
    const sentence = text.action.failedToSign(action, walletName());
    if (fault instanceof WalletError && !fault.rejected) throw new Error(`${sentence}: ${say(fault.message)}`);
    throw new Error(sentence);
  }
}

/** The connected wallet's own name, for sentences about it. */
function walletName(): string {
  const id = defaultProvider();
  return listProviders().find((choice) => choice.id === id)?.name ?? "Xverse";
}
