import { useState } from "react";
import { rehearsed, rememberRehearsal, type Rehearsed } from "../action/proven.ts";
import { useCommunity } from "../api/globals.ts";
import { later } from "../lib/laterText.ts";
import { translate, text } from "../lib/text.ts";
import { useCan, walletName } from "../session/capability.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { signPsbt, WalletError, type Session } from "../wallet/index.ts";

type Outcome = { result: Rehearsed | "declined"; why: string | null };

/** Tests whether the wallet signs the recovery of a stake, with a transaction that can never be sent. */
export function Rehearsal({ session: { ordinals }, titled }: { session: Session; titled: boolean }) {
  const delay = useCommunity().data?.recovery_delay;
  const isUnsupported = useCan("signPsbt") === false;
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(() => savedOutcome(ordinals.address));
  const words = later.rehearsal;

  async function rehearse(): Promise<void> {
    setBusy(true);
    setOutcome(null);
    const result = await signRehearsal(ordinals, delay!);
    if (result.result !== "declined") rememberRehearsal(ordinals.address, result.result);
    setOutcome(result);
    setBusy(false);
  }

  return (
    <section aria-label={words.title} className="grid gap-3">
      {titled && <h3 className="font-bold">{words.title}</h3>}
      <p className="text-sm text-fur">{words.what}</p>
      {busy && <Notice>{words.confirm}</Notice>}
      {isUnsupported && <Notice tone="warn">{words.refused(walletName())}</Notice>}
      {outcome && <Verdict outcome={outcome} />}
      <div className="flex flex-wrap gap-3">
        <Button busy={busy} disabled={isUnsupported || delay === undefined} onClick={() => void rehearse()}>
          {outcome === null ? words.start : outcome.result === "signed" ? words.repeat : text.common.retry}
        </Button>
        {busy && (
          <Button kind="quiet" onClick={() => setBusy(false)}>
            {later.payment.giveUp}
          </Button>
        )}
      </div>
      <p className="text-sm text-mist">{words.safer}</p>
    </section>
  );
}

function Verdict({ outcome: { result, why } }: { outcome: Outcome }) {
  const words = later.rehearsal;
  if (result === "signed") return <Notice tone="good">{words.signed}</Notice>;
  if (result === "declined") return <Notice>{words.declined}</Notice>;
  return (
    <Notice tone="warn">
      <p>{words.refused(walletName())}</p>
      {why && <p className="mt-1 text-sm">{why}</p>}
    </Notice>
  );
}

function savedOutcome(address: string): Outcome | null {
  const result = rehearsed(address);
  return result && { result, why: null };
}

async function signRehearsal(key: Session["ordinals"], delay: number): Promise<Outcome> {
  const words = later.rehearsal;
  try {
    const { rehearse } = await import("./rehearsal.ts");
    const { psbt, isSigned } = rehearse(key, delay);
    const { psbt: signed } = await signPsbt({ psbt, signInputs: { [key.address]: [0] }, broadcast: false });
    return isSigned(signed) ? { result: "signed", why: null } : { result: "refused", why: words.wrong(walletName()) };
  } catch (error) {
    if (!(error instanceof WalletError)) return { result: "refused", why: words.wrong(walletName()) };
    return error.rejected
      ? { result: "declined", why: null }
      : { result: "refused", why: words.why(translate(error.sentence)) };
  }
}
