import type { ReactNode } from "react";
import { Risky } from "../action/AttemptNotices.tsx";
import { useCommunity } from "../api/globals.ts";
import { useConfirmations, useExpectation, type Expectation } from "../api/running.ts";
import type { Unit } from "../api/wallet.ts";
import { cx } from "../lib/cx.ts";
import { formatDate, formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/Copy.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { CheckIcon } from "../ui/icons.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Notice } from "../ui/Notice.tsx";
import { progressOf, stepsOf, unitOf, type StakeProgress, type StepState } from "./run.ts";
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
  const steps = stepsOf(stake, unit);
  const names = [text.stake.stepSign, text.stake.stepBroadcast, text.stake.stepSeen, text.stake.stepCounted];
  const progress = progressOf(stake, unit);
  const txid = stake.txid ?? unit?.txid ?? null;
  const canStakeMore = stake.phase === "sent" || stake.phase === "manual" || unit !== undefined;

  return (
    <div className="grid gap-5">
      <ol aria-label={text.stake.steps} className="grid grid-cols-2 gap-x-3 gap-y-4 sm:grid-cols-4">
        {names.map((name, i) => (
          <Step key={name} name={name} number={i + 1} state={steps[i]!} />
        ))}
      </ol>
      <ProgressNotice stake={stake} unit={unit} />
      {stake.unsaved && unit === undefined && <Notice tone="warn">{later.stake.unsaved}</Notice>}
      {txid && <TransactionNotice txid={txid} href={link(txid)} />}
      {stake.address && progress !== "failed" && (
        <div>
          <p className="mb-2 text-sm text-mist">{addressLine(stake, txid !== null)}</p>
          <StakeAddress address={stake.address} />
          {stake.phase === "manual" && <RuneToSend />}
          {recovery && <p className="mt-2 text-sm text-mist">{recovery}</p>}
          {kit}
        </div>
      )}
      {stake.phase === "sign" && unit === undefined && (
        <Button kind="quiet" className="justify-self-start" onClick={() => void stake.flow?.giveUp()}>
          {later.payment.giveUp}
        </Button>
      )}
      <RetryControls progress={progress} onAgain={onAgain} onSearch={onSearch} />
      {canStakeMore && (
        <Button kind={steps[2] === "done" ? "primary" : "plain"} onClick={onMore}>
          {text.stake.again}
        </Button>
      )}
    </div>
  );
}

// The keys make each state a new element, so that screen readers announce it.
function ProgressNotice({ stake, unit }: { stake: Run; unit: Unit | undefined }) {
  const expected = useExpectation();
  const confirmations = useConfirmations(unit?.height ?? null);
  switch (progressOf(stake, unit)) {
    case "searching":
      return <Notice key="searching">{later.stake.searching}</Notice>;
    case "failed":
      return (
        <Notice key="failed" tone="bad">
          <FailureText failure={stake.error}>
            {stake.address && <p className="text-fur">{later.stake.notFound}</p>}
          </FailureText>
        </Notice>
      );
    case "unclear":
      return (
        <Notice key="unclear" tone="warn">
          <FailureText failure={stake.error}>
            <p>{stake.search === "unreachable" ? later.stake.unreachable : later.stake.unclear}</p>
          </FailureText>
        </Notice>
      );
    case "running": {
      const isCounted = unit !== undefined && unit.stage !== "PENDING_STAKE";
      return <Notice tone={isCounted ? "good" : "info"}>{sentence(stake, unit, expected, confirmations)}</Notice>;
    }
  }
}

function TransactionNotice({ txid, href }: { txid: string; href: string | null }) {
  const words = text.stake.broadcasted(txid);
  return <Notice>{href ? <OutLink href={href}>{words}</OutLink> : words}</Notice>;
}

function StakeAddress({ address }: { address: string }) {
  return (
    <CopyButton
      value={address}
      label={text.common.copyFull(text.stake.address)}
      className="w-full justify-between py-2"
    >
      <span translate="no" className="min-w-0 font-mono text-sm break-all">{address}</span>
    </CopyButton>
  );
}

/** Another wallet may hold runes with similar names. */
function RuneToSend() {
  const { data: community } = useCommunity();
  if (!community) return null;
  return <p className="mt-2 text-sm text-fur">{later.start.rune(community.rune_name, community.rune_id)}</p>;
}

interface RetryControlsProps extends Pick<StakeStepsProps, "onAgain" | "onSearch"> {
  progress: StakeProgress;
}

function RetryControls({ progress, onAgain, onSearch }: RetryControlsProps) {
  if (progress === "failed") {
    return (
      <Button kind="primary" onClick={onAgain}>
        {text.common.retry}
      </Button>
    );
  }
  if (progress !== "unclear") return null;
  const words = later.stake;
  return (
    <Risky words={{ ask: words.again, risk: words.risk, yes: words.againYes }} onYes={onAgain}>
      <Button onClick={onSearch}>{later.payment.checkAgain}</Button>
    </Risky>
  );
}

type Confirmations = ReturnType<typeof useConfirmations>;

function sentence(
  stake: Run,
  unit: Unit | undefined,
  expected: Expectation | null,
  confirmations: Confirmations,
): string {
  if (unit && unit.stage !== "PENDING_STAKE") return text.stake.counted;
  if (unit && stake.txid === null && (stake.phase === "failed" || stake.phase === "unclear"))
    return `${text.stake.rejectedButSeen} ${seenText(unit, expected, confirmations)}`;
  if (unit) return seenText(unit, expected, confirmations);
  if (stake.phase === "address") return text.stake.preparing;
  if (stake.phase === "sign") return text.stake.confirm;
  if (stake.phase === "manual") return text.stake.manual;
  return stake.hintLost ? text.stake.hintLost : text.stake.waitingSeen;
}

function seenText(unit: Unit, expected: Expectation | null, confirmations: Confirmations): string {
  if (unit.eligibleEpoch !== null || expected === null) return text.stake.seen(unit.eligibleEpoch);
  const epoch = expected.epochOf(unit.height);
  const start = formatDate(expected.startOf(epoch));
  const { count, minutes } = confirmations;
  return minutes === 0 ? later.start.final(epoch, start) : later.start.seen(epoch, start, count, minutes);
}

/** Returns the sentence above the stake address. It mentions a transfer only if one was requested or is known. */
function addressLine({ phase, amount }: Run, sent: boolean): string {
  if (!sent && (phase === "failed" || phase === "unclear")) return text.stake.address;
  return (sent ? text.stake.sent : text.stake.sending)(formatRunesExact(amount), site.token);
}

const stateClass: Record<StepState, string> = {
  waiting: "border-line text-mist",
  running: "border-amber text-amber",
  done: "border-aurora bg-aurora text-ink",
};

function Step({ name, number, state }: { name: string; number: number; state: StepState }) {
  return (
    <li aria-current={state === "running" ? "step" : undefined} className="flex items-center gap-2.5">
      <span
        className={cx(
          "grid size-8 shrink-0 place-items-center rounded-full border-2 text-sm font-bold",
          stateClass[state],
        )}
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
