import { useCommunity } from "../api/globals.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { walletName } from "../session/capability.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import type { RehearsalOutcome, Run } from "./runs.ts";

/**
 * Shown before the first stake while the wallet signs the rehearsal. If that failed, offers another attempt and, where
 * the community allows it, a stake that the operator can move.
 */
export function RehearsalPanel({ stake: { flow, rehearsal }, onStop }: { stake: Run; onStop(): void }) {
  const mayStakeAnyway = useCommunity().data?.operator_custody ?? false;
  const words = later.rehearsal;
  const outcome = rehearsal!;
  const hasFailed = outcome.result !== null;
  return (
    <section aria-label={words.title} className="grid gap-4">
      <h2 className="text-xl font-bold">{words.title}</h2>
      <p className="text-fur">{words.what}</p>
      {hasFailed ? <Verdict outcome={outcome} /> : <Notice>{words.confirm}</Notice>}
      {outcome.result === "refused" && <p>{words.wallets}</p>}
      <div className="flex flex-wrap gap-3">
        {hasFailed && (
          <Button kind="primary" onClick={() => void flow?.rehearse()}>
            {text.common.retry}
          </Button>
        )}
        <Button kind="quiet" onClick={onStop}>
          {later.proof.stop}
        </Button>
      </div>
      {outcome.result === "refused" && mayStakeAnyway && (
        <div className="grid justify-items-start gap-3 border-t border-line pt-4">
          <p>{words.anyway}</p>
          <Button onClick={() => void flow?.stakeAnyway()}>{words.stakeAnyway}</Button>
        </div>
      )}
    </section>
  );
}

function Verdict({ outcome: { result, why } }: { outcome: RehearsalOutcome }) {
  const words = later.rehearsal;
  if (result === "declined") return <Notice tone="bad">{why ?? words.declined}</Notice>;
  return (
    <Notice tone="bad">
      <p>{words.refused(walletName())}</p>
      {why && <p className="mt-1 text-sm">{why}</p>}
    </Notice>
  );
}
