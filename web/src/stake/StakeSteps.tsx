import type { ReactNode } from "react";
import { Risky } from "../action/AttemptNotices.tsx";
import { useExpectation, type Expectation } from "../api/running.ts";
import type { Unit } from "../api/wallet.ts";
import { formatDate, formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/Copy.tsx";
import { CheckIcon } from "../ui/icons.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Notice } from "../ui/Notice.tsx";
import { stepsOf, unitOf, type StepState } from "./run.ts";
import type { Run } from "./runs.ts";

export interface StakeStepsProps {
  stake: Run;
  units: readonly Unit[];
  /** Text about the recovery of a stake. */
  recovery: string | null;
  /** The buttons of the recovery kit. */
  kit: ReactNode;
  /** Returns the link of a transaction; null without an explorer. */
  link(txid: string): string | null;
  /** Starts another stake; this one continues in the background. */
  onMore(): void;
  /** After a failure: returns to the amount. */
  onAgain(): void;
  onSearch(): void;
}

/** The steps of a stake and its current state. */
export function StakeSteps({ stake, units, recovery, kit, link, onMore, onAgain, onSearch }: StakeStepsProps) {
  const unit = unitOf(stake, units);
  const expected = useExpectation();
  const steps = stepsOf(stake, unit);
  const names = [text.stake.stepSign, text.stake.stepBroadcast, text.stake.stepSeen, text.stake.stepCounted];
  const txid = stake.txid ?? unit?.txid ?? null;
  const broken = unit === undefined && stake.txid === null && (stake.phase === "failed" || stake.phase === "unclear");
  const looking = broken && stake.look === "looking";
  // If the wallet refused and the server has no deposit, no runes can be lost.
  const failed = broken && stake.phase === "failed" && stake.look === "unseen";
  const unclear = broken && !looking && !failed;
  const resting = stake.phase === "sent" || stake.phase === "hand" || unit !== undefined;

  return (
    <div className="grid gap-5">
      <ol aria-label={text.stake.steps} className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-4">
        {names.map((name, i) => (
          <Step key={name} name={name} number={i + 1} state={steps[i]!} />
        ))}
      </ol>
      {failed && (
        <Notice tone="bad">
          <p>{stake.error}</p>
          {stake.address && <p className="text-fur">{later.stake.unseen}</p>}
        </Notice>
      )}
      {looking && <Notice>{later.stake.looking}</Notice>}
      {unclear && (
        <Notice tone="warn">
          {stake.error && <p>{stake.error}</p>}
          <p>{stake.look === "away" ? later.stake.away : later.stake.unclear}</p>
        </Notice>
      )}
      {!broken && <Notice tone={steps[3] === "done" ? "good" : "info"}>{sentence(stake, unit, expected)}</Notice>}
      {stake.fragile && unit === undefined && <Notice tone="warn">{later.stake.fragile}</Notice>}
      {txid && (
        <Notice>
          {link(txid) ? (
            <OutLink href={link(txid)!}>{text.stake.broadcasted(txid)}</OutLink>
          ) : (
            text.stake.broadcasted(txid)
          )}
        </Notice>
      )}
      {stake.address && !failed && (
        <div>
          <p className="mb-2 text-sm text-mist">{addressLine(stake, txid !== null)}</p>
          <CopyButton
            value={stake.address}
            label={text.common.copyFull(text.stake.address)}
            className="w-full justify-between py-2"
          >
            <span className="min-w-0 font-mono text-sm break-all">{stake.address}</span>
          </CopyButton>
          {recovery && <p className="mt-2 text-sm text-mist">{recovery}</p>}
          {kit}
        </div>
      )}
      {stake.phase === "sign" && unit === undefined && (
        <Button kind="quiet" className="justify-self-start" onClick={() => void stake.flow?.giveUp()}>
          {later.payment.giveUp}
        </Button>
      )}
      {unclear && (
        <Risky words={{ ask: later.stake.again, risk: later.stake.risk, yes: later.stake.againYes }} onYes={onAgain}>
          <Button onClick={onSearch}>{later.payment.lookAgain}</Button>
        </Risky>
      )}
      {failed && (
        <Button kind="primary" onClick={onAgain}>
          {text.common.retry}
        </Button>
      )}
      {resting && (
        <Button kind={steps[2] === "done" ? "primary" : "plain"} onClick={onMore}>
          {text.stake.again}
        </Button>
      )}
    </div>
  );
}

function sentence(stake: Run, unit: Unit | undefined, expected: Expectation | null): string {
  if (unit && unit.stage !== "PENDING_STAKE") return text.stake.counted;
  if (unit && stake.txid === null && (stake.phase === "failed" || stake.phase === "unclear"))
    return `${text.stake.rejectedButSeen} ${seenText(unit, expected)}`;
  if (unit) return seenText(unit, expected);
  if (stake.phase === "address") return text.stake.preparing;
  if (stake.phase === "sign") return text.stake.confirm;
  if (stake.phase === "hand") return text.stake.hand;
  return stake.hintLost ? text.stake.hintLost : text.stake.waitingSeen;
}

function seenText(unit: Unit, expected: Expectation | null): string {
  if (unit.eligibleEpoch !== null || expected === null) return text.stake.seen(unit.eligibleEpoch);
  const epoch = expected.epochOf(unit.height);
  return later.start.seen(epoch, formatDate(expected.startOf(epoch)));
}

/** Returns the sentence above the stake address. It mentions a transfer only if one was requested or is known. */
function addressLine({ phase, amount }: Run, sent: boolean): string {
  if (!sent && (phase === "failed" || phase === "unclear")) return text.stake.address;
  return (sent ? text.stake.sent : text.stake.sending)(formatRunesExact(amount), site.token);
}

const looks: Record<StepState, string> = {
  waiting: "border-line text-mist",
  running: "border-amber text-amber",
  done: "border-aurora bg-aurora text-ink",
};

function Step({ name, number, state }: { name: string; number: number; state: StepState }) {
  return (
    <li aria-current={state === "running" ? "step" : undefined} className="flex items-center gap-2.5">
      <span
        className={`grid size-8 shrink-0 place-items-center rounded-full border-2 text-sm font-bold ${looks[state]}`}
      >
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
