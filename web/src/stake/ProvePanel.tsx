import { later } from "../lib/laterText.ts";
import { useCan, walletName } from "../session/capability.ts";
import { Button } from "../ui/Button.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { Run } from "./runs.ts";

/** Shown before the first stake while the wallet proves that it can sign. Offers the other form and a way back. */
export function ProvePanel({ stake, onStop }: { stake: Run; onStop(): void }) {
  const canPsbt = useCan("signPsbt");
  const canMessage = useCan("signMessage");
  const { form, error } = stake.proof!;
  const words = later.proof;
  const failed = stake.phase === "unproven";
  const prove = (form: "message" | "transaction") => void stake.flow?.prove(form);
  return (
    <section aria-label={words.title} className="grid gap-4">
      <h2 className="text-xl font-bold">{words.title}</h2>
      <p className="text-fur">{words.why}</p>
      {failed ? (
        <Notice tone="bad">
          <FailureText failure={error} />
        </Notice>
      ) : (
        <Notice>{form === "message" ? words.confirm : words.confirmTransaction}</Notice>
      )}
      {failed && form === "message" && canPsbt !== false && <p>{words.offer}</p>}
      {failed && form === "transaction" && <p>{words.cannot(walletName())}</p>}
      <div className="flex flex-wrap gap-3">
        {failed && canMessage !== false && (
          <Button kind={form === "message" ? "primary" : "plain"} onClick={() => prove("message")}>
            {words.start}
          </Button>
        )}
        {canPsbt !== false && (failed || form === "message") && (
          <Button onClick={() => prove("transaction")}>{words.byTransaction}</Button>
        )}
        <Button kind="quiet" onClick={onStop}>
          {words.stop}
        </Button>
      </div>
    </section>
  );
}
