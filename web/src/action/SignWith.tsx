import { later } from "../lib/laterText.ts";
import { useCan, walletName } from "../session/capability.ts";
import { useSession } from "../session/session.ts";
import { Disclosure } from "../ui/Disclosure.tsx";
import { Notice } from "../ui/Notice.tsx";
import { provenForm, type Form } from "./proven.ts";
import { useForm, useSigner, type Signer } from "./signer.ts";

const signers: Signer[] = ["ordinals", "both", "payment"];

const forms: Form[] = ["message", "transaction"];

/** Settings for signing: the wallet's limitations and alternatives, and which address signs. */
export function SignWith() {
  const session = useSession();
  const canMessage = useCan("signMessage");
  const canPsbt = useCan("signPsbt");
  const [signer, choose] = useSigner();
  const [chosenForm, chooseForm] = useForm();
  if (!session) return null;
  const names = later.signing.signers;
  const form = chosenForm ?? provenForm(session.ordinals.address) ?? "message";
  const bothForms = canMessage !== false && canPsbt !== false;
  const oneAddress = session.payment.address === session.ordinals.address;
  return (
    <>
      {canMessage === false && (
        <Notice>{canPsbt === false ? later.signing.cannot(walletName()) : later.signing.byPsbt(walletName())}</Notice>
      )}
      {(!oneAddress || bothForms) && (
        <Disclosure title={later.signing.title} className="text-sm">
          {!oneAddress && (
            <Choice
              name="signer"
              legend={later.signing.title}
              all={signers}
              chosen={signer}
              label={(one) => names[one]}
              onChoose={choose}
            />
          )}
          {bothForms && (
            <Choice
              name="form"
              legend={later.proof.form}
              all={forms}
              chosen={form}
              label={(one) => later.proof.forms[one]}
              onChoose={chooseForm}
            />
          )}
        </Disclosure>
      )}
    </>
  );
}

interface ChoiceProps<T> {
  name: string;
  legend: string;
  all: readonly T[];
  chosen: T;
  label(one: T): string;
  onChoose(one: T): void;
}

function Choice<T extends string>({ name, legend, all, chosen, label, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset className="grid gap-1">
      <legend className="sr-only">{legend}</legend>
      {all.map((one) => (
        <label key={one} className="flex min-h-11 items-center gap-3">
          <input type="radio" name={name} checked={chosen === one} onChange={() => onChoose(one)} />
          <span>{label(one)}</span>
        </label>
      ))}
    </fieldset>
  );
}
