import { Cell, useObservable } from "../lib/observable.ts";
import { say, text } from "../lib/text.ts";
import { walletName } from "../session/capability.ts";
import {
  defaultProvider,
  signMessage,
  signMessageByPsbt,
  supports,
  WalletError,
  type Session,
  type SignedMessage,
} from "../wallet/index.ts";
import { provenForm, type Form } from "./proven.ts";

/**
 * With which of the two addresses a person signs actions. ordinals: the owner's own; both: the two together,
 * after which the payment address may sign alone; payment: it alone, which the server takes once it has seen
 * both.
 */
export type Signer = "ordinals" | "both" | "payment";

const chosen = new Cell<Signer>("ordinals");
const chosenForm = new Cell<Form | null>(null);

export function useSigner(): [Signer, (signer: Signer) => void] {
  return [useObservable(chosen), (signer) => chosen.set(signer)];
}

/** The form that the person has chosen; null: the one that has worked before, or a message. */
export function useForm(): [Form | null, (form: Form) => void] {
  return [useObservable(chosenForm), chooseForm];
}

export function chooseForm(form: Form): void {
  chosenForm.set(form);
}

/** A wallet did not sign. `form` is the one that it was asked for: the other may work. */
export class SigningError extends Error {
  override readonly name = "SigningError";
  readonly form: Form;

  constructor(message: string, form: Form) {
    super(message);
    this.form = form;
  }
}

export interface Proof {
  signature: string;
  messageHash: string;
  /** The payment address's signature of the same message, where both sign. */
  paymentSignature?: string;
  /** Which address has signed first, and how. */
  by: { address: string; form: Form };
}

/** The person's proof: the message signed as they chose. `action` is only for the sentence on failure. */
export async function signProof(
  session: Session,
  action: string,
  message: string,
  signal?: AbortSignal,
): Promise<Proof> {
  const signer = chosen.get();
  const key = signer === "payment" ? session.payment : session.ordinals;
  const form = await formFor(key.address);
  try {
    const { signature, messageHash } = await signAs(form, key, message, signal);
    const proof = { signature, messageHash: messageHash ?? "", by: { address: key.address, form } };
    if (signer !== "both") return proof;
    const { signature: paymentSignature } = await signAs(form, session.payment, message, signal);
    chosen.set("ordinals"); // once is enough
    return { ...proof, paymentSignature };
  } catch (fault) {
    const sentence = text.action.failedToSign(action, walletName());
    const whole = fault instanceof WalletError && !fault.rejected ? `${sentence} ${say(fault.sentence)}` : sentence;
    throw new SigningError(whole, form);
  }
}

/**
 * The form in which an address signs: as chosen, as it has worked before, or a message where the wallet signs messages.
 */
export async function formFor(address: string): Promise<Form> {
  const known = chosenForm.get() ?? provenForm(address);
  if (known) return known;
  const provider = defaultProvider();
  const can = provider === null ? null : await supports(provider, "signMessage").catch(() => null);
  return can === false ? "transaction" : "message";
}

/** A wallet that does not know the method may sign the transaction that stands for a message. */
export async function signAs(
  form: Form,
  key: Session["payment"],
  message: string,
  signal?: AbortSignal,
): Promise<SignedMessage> {
  if (form === "transaction") return signMessageByPsbt(key, message, { signal });
  try {
    return await signMessage(key.address, message, { signal });
  } catch (fault) {
    if (fault instanceof WalletError && fault.unsupported) return signMessageByPsbt(key, message, { signal });
    throw fault;
  }
}
