import { Cell, useObservable } from "../lib/observable.ts";
import { say, text } from "../lib/text.ts";
import { walletName } from "../session/capability.ts";
import { defaultProvider, signMessage, signMessageByPsbt, supports, WalletError, type Session } from "../wallet/index.ts";

/**
 * With which of the two addresses a person signs actions. ordinals: the owner's own; both: the two together, after which
 * the payment address may sign alone; payment: it alone, which the server takes once it has seen both.
 */
export type Signer = "ordinals" | "both" | "payment";

const chosen = new Cell<Signer>("ordinals");

export function useSigner(): [Signer, (signer: Signer) => void] {
  return [useObservable(chosen), (signer) => chosen.set(signer)];
}

export interface Proof {
  signature: string;
  messageHash: string;
  /** The payment address's signature of the same message, where both sign. */
  paymentSignature?: string;
}

/** The person's proof: the message signed as they chose. `action` is only for the sentence on failure. */
export async function signProof(session: Session, action: string, message: string): Promise<Proof> {
  const signer = chosen.get();
  try {
    const key = signer === "payment" ? session.payment : session.ordinals;
    const { signature, messageHash } = await signWith(key, message);
    const proof = { signature, messageHash: messageHash ?? "" };
    if (signer !== "both") return proof;
    const { signature: paymentSignature } = await signWith(session.payment, message);
    chosen.set("ordinals"); // once is enough
    return { ...proof, paymentSignature };
  } catch (fault) {
    const sentence = text.action.failedToSign(action, walletName());
    if (fault instanceof WalletError && !fault.rejected) throw new Error(`${sentence}: ${say(fault.message)}`);
    throw new Error(sentence);
  }
}

/** A wallet that signs no messages may sign the transaction that stands for one. */
async function signWith(key: Session["payment"], message: string) {
  const provider = defaultProvider();
  const can = provider === null ? null : await supports(provider, "signMessage").catch(() => null);
  if (can === false) return signMessageByPsbt(key, message);
  try {
    return await signMessage(key.address, message);
  } catch (fault) {
    if (fault instanceof WalletError && fault.unsupported) return signMessageByPsbt(key, message);
    throw fault;
  }
}
