import { later } from "../lib/laterText.ts";
import { useCan } from "../session/capability.ts";
import { Button } from "../ui/Button.tsx";
import { chooseForm } from "./signer.ts";

/** After a wallet refused to sign a message: offers a proof by a transaction that can never be sent. */
export function OtherForm({ onRetry }: { onRetry(): void }) {
  if (useCan("signPsbt") === false) return null;
  return (
    <div className="mt-2 grid justify-items-start gap-2 text-fur">
      <p>{later.proof.offer}</p>
      <Button
        onClick={() => {
          chooseForm("transaction");
          onRetry();
        }}
      >
        {later.proof.byTransaction}
      </Button>
    </div>
  );
}
