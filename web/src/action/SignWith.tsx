import { text } from "../lib/text.ts";
import { useCan, walletName } from "../session/capability.ts";
import { useSession } from "../session/session.ts";
import { Disclosure } from "../ui/Disclosure.tsx";
import { Notice } from "../ui/Notice.tsx";
import { useSigner, type Signer } from "./signer.ts";

const signers: Signer[] = ["ordinals", "both", "payment"];

/** How actions are signed: what the wallet can't do and the way around it, and which address signs. */
export function SignWith() {
  const session = useSession();
  const canMessage = useCan("signMessage");
  const canPsbt = useCan("signPsbt");
  const [signer, choose] = useSigner();
  if (!session) return null;
  const names = text.signing.signers;
  const oneAddress = session.payment.address === session.ordinals.address;
  return (
    <>
      {canMessage === false && (
        <Notice>{canPsbt === false ? text.signing.cannot(walletName()) : text.signing.byPsbt(walletName())}</Notice>
      )}
      {!oneAddress && (
        <Disclosure title={text.signing.title} className="text-sm">
          <fieldset className="grid gap-1">
            <legend className="sr-only">{text.signing.title}</legend>
            {signers.map((one) => (
              <label key={one} className="flex min-h-11 items-center gap-3">
                <input type="radio" name="signer" checked={signer === one} onChange={() => choose(one)} />
                <span>{names[one]}</span>
              </label>
            ))}
          </fieldset>
        </Disclosure>
      )}
    </>
  );
}
