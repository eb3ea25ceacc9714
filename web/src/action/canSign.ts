import { hex } from "@scure/base";
import { failureOf, logged } from "../lib/failure.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { translate } from "../lib/translate.ts";
import { walletName } from "../session/capability.ts";
import { readSession, WalletError, type Session } from "../wallet/index.ts";
import { rememberProof, type Form } from "./proven.ts";
import { chooseForm, signAs, SigningError } from "./signer.ts";

/**
 * Has the wallet sign a harmless text with the ordinals address, verifies the signature on this page, and remembers the
 * result. A stake whose wallet can't sign could only be recovered after its delay. Throws SigningError.
 */
export async function proveCanSign({ ordinals }: Session, form: Form): Promise<void> {
  const nonce = hex.encode(crypto.getRandomValues(new Uint8Array(8)));
  const message = later.proof.message(location.host, ordinals.address, nonce);
  const signature = await signTest(form, ordinals, message);
  const { verifyMessage } = await import("./verify.ts");
  if (verifyMessage(ordinals.address, message, signature) === false) {
    throw new SigningError(later.proof.wrong(walletName(), ordinals.address), form);
  }
  if (!isConnected(ordinals.address)) throw new SigningError(later.proof.switched, form);
  rememberProof(ordinals.address, form);
  chooseForm(form);
}

async function signTest(form: Form, key: Session["ordinals"], message: string): Promise<string> {
  try {
    return (await signAs(form, key, message)).signature;
  } catch (error) {
    if (!(error instanceof WalletError)) throw new SigningError(text.action.unexpected("signMessage"), form);
    throw new SigningError(
      error.rejected ? later.proof.declined(walletName()) : later.proof.failed(walletName(), translate(error.sentence)),
      form,
      failureOf(logged(error), "").details,
    );
  }
}

/** Whether the page still has the wallet and the account from the beginning of an action. */
export function isConnected(ordinals: string): boolean {
  return readSession()?.ordinals.address === ordinals;
}
