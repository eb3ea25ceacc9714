import { logged, PageError } from "../lib/failure.ts";
import { Cell, useObservable } from "../lib/observable.ts";
import { text } from "../lib/text.ts";
import { translate } from "../lib/translate.ts";
import { walletName } from "../session/capability.ts";
import {
  defaultProvider,
  signMessage,
  signMessageByPsbt,
  supports,
  WalletError,
  walletTexts,
  type Session,
  type SignedMessage,
} from "../wallet/index.ts";
import { provenForm, type Form } from "./proven.ts";

/**
 * Which of the two addresses signs actions. ordinals: the owner's address; both: both addresses, after which the
 * payment address may sign alone; payment: the payment address alone, which the server accepts once it has seen both.
 */
export type Signer = "ordinals" | "both" | "payment";

const chosen = new Cell<Signer>("ordinals");
const chosenForm = new Cell<Form | null>(null);

export function useSigner(): [Signer, (signer: Signer) => void] {
  return [useObservable(chosen), (signer) => chosen.set(signer)];
}

/** The form that the user chose; null: the form that worked before, or a message. */
export function useForm(): [Form | null, (form: Form) => void] {
  return [useObservable(chosenForm), chooseForm];
}

export function chooseForm(form: Form): void {
  chosenForm.set(form);
}

/**
 * The wallet did not sign. `form` is the requested form: the other one may work. `details` is the catalogue's sentence,
 * if it has one.
 */
export class SigningError extends PageError {
  override readonly name = "SigningError";
  readonly form: Form;
  readonly details: string | null;

  constructor(message: string, form: Form, details: string | null = null) {
    super(message);
    this.form = form;
    this.details = details;
  }
}

export interface Proof {
  signature: string;
  messageHash: string;
  /** The payment address's signature of the same message, if both sign. */
  paymentSignature?: string;
  /** Which address signed first, and in which form. */
  by: { address: string; form: Form };
}

/** Signs a message as the user chose. `action` is used only in the error message. Throws SigningError. */
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
  } catch (error) {
    const reason = error instanceof WalletError && !error.rejected ? ` ${translate(error.sentence)}` : "";
    const words = `${text.action.failedToSign(action, walletName())}${reason}`;
    throw logged(new SigningError(words, form, walletTexts.signFailed(action)));
  }
}

/**
 * Returns the form in which an address signs: as chosen, as it worked before, or a message if the wallet supports
 * message signing.
 */
export async function formFor(address: string): Promise<Form> {
  const known = chosenForm.get() ?? provenForm(address);
  if (known) return known;
  const provider = defaultProvider();
  const canSignMessage = provider === null ? null : await supports(provider, "signMessage").catch(() => null);
  return canSignMessage === false ? "transaction" : "message";
}

/** Signs in the given form. A wallet without the method for messages may sign the equivalent transaction. */
export async function signAs(
  form: Form,
  key: Session["payment"],
  message: string,
  signal?: AbortSignal,
): Promise<SignedMessage> {
  if (form === "transaction") return signMessageByPsbt(key, message, { signal });
  try {
    return await signMessage(key.address, message, { signal });
  } catch (error) {
    if (error instanceof WalletError && error.unsupported) return signMessageByPsbt(key, message, { signal });
    throw error;
  }
}
