import type { ReactNode } from "react";
import type { Unit } from "../api/wallet.ts";
import { formatRunesExact } from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/Copy.tsx";
import { CheckIcon } from "../ui/icons.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Notice } from "../ui/Notice.tsx";
import { stepsOf, unitOf, type Run, type StepState } from "./run.ts";

export interface StakeStepsProps {
  stake: Run;
  units: readonly Unit[];
  /** What is said about the recovery of a stake. */
  recovery: string | null;
  /** The way to the recovery kit. */
  kit: ReactNode;
  /** Link to a transaction; null without an explorer. */
  link(txid: string): string | null;
  onAgain(): void;
}

/** A stake's way, step by step, with what is true now in words. */
export function StakeSteps({ stake, units, recovery, kit, link, onAgain }: StakeStepsProps) {
  const unit = unitOf(stake, units);
  const steps = stepsOf(stake, unit);
  const names = [text.stake.stepSign, text.stake.stepBroadcast, text.stake.stepSeen, text.stake.stepCounted];
  const txid = stake.txid ?? unit?.txid ?? null;
  const failed = stake.phase === "failed" && unit === undefined;
  const resting = failed || stake.phase === "sent" || stake.phase === "hand" || unit !== undefined;

  return (
    <div className="grid gap-5">
      <ol aria-label={text.stake.steps} className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-4">
        {names.map((name, i) => (
          <Step key={name} name={name} number={i + 1} state={steps[i]!} />
        ))}
      </ol>
      {failed && <Notice tone="bad">{stake.error}</Notice>}
      {!failed && <Notice tone={steps[3] === "done" ? "good" : "info"}>{sentence(stake, unit)}</Notice>}
      {txid && (
        <Notice>
          {link(txid) ? <OutLink href={link(txid)!}>{text.stake.broadcasted(txid)}</OutLink> : text.stake.broadcasted(txid)}
        </Notice>
      )}
      {stake.address && (
        <div>
          <p className="mb-2 text-sm text-mist">
            {(txid ? text.stake.sent : text.stake.sending)(formatRunesExact(stake.amount), site.token)}
          </p>
          <CopyButton value={stake.address} label={text.common.copyFull(text.stake.address)} className="w-full justify-between py-2">
            <span className="min-w-0 font-mono text-sm break-all">{stake.address}</span>
          </CopyButton>
          {recovery && <p className="mt-2 text-sm text-mist">{recovery}</p>}
          {kit}
        </div>
      )}
      {resting && (
        <Button kind={failed || steps[2] === "done" ? "primary" : "plain"} onClick={onAgain}>
          {failed ? text.common.retry : text.stake.again}
        </Button>
      )}
    </div>
  );
}

function sentence(stake: Run, unit: Unit | undefined): string {
  if (unit && unit.stage !== "PENDING_STAKE") return text.stake.counted;
  if (unit && stake.phase === "failed") return `${text.stake.rejectedButSeen} ${text.stake.seen(unit.eligibleEpoch)}`;
  if (unit) return text.stake.seen(unit.eligibleEpoch);
  if (stake.phase === "address") return text.stake.preparing;
  if (stake.phase === "sign") return text.stake.confirm;
  if (stake.phase === "hand") return text.stake.hand;
  return stake.hintLost ? text.stake.hintLost : text.stake.waitingSeen;
}

const looks: Record<StepState, string> = {
  waiting: "border-line text-mist",
  running: "border-amber text-amber",
  done: "border-aurora bg-aurora text-ink",
};

function Step({ name, number, state }: { name: string; number: number; state: StepState }) {
  return (
    <li aria-current={state === "running" ? "step" : undefined} className="flex items-center gap-2.5">
      <span className={`grid size-8 shrink-0 place-items-center rounded-full border-2 text-sm font-bold ${looks[state]}`}>
        {state === "done" ? <CheckIcon /> : number}
      </span>
      <span className={state === "waiting" ? "text-mist" : "text-moon"}>
        {name}
        {state !== "waiting" && (
          <span className="sr-only">, {state === "done" ? text.stake.done : text.stake.running}</span>
        )}
      </span>
    </li>
  );
}
