import { useState, type ReactNode } from "react";
import { focusOnMount } from "../lib/focus.ts";
import { formatDate, formatSats } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { Button } from "../ui/Button.tsx";
import { FailureText } from "../ui/FailureText.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Notice } from "../ui/Notice.tsx";
import { paymentStateOf, type Tracked } from "./attempts.ts";

interface AttemptNoticesProps {
  /** The attempts of one order, oldest first. */
  tracked: readonly Tracked[];
  /** Returns the link of a transaction; null without an explorer. */
  link(txid: string): string | null;
}

/** The state of the payments that the wallet was asked for. */
export function AttemptNotices({ tracked, link }: AttemptNoticesProps) {
  // Attempts that arrived have the same message: show it once.
  const isLast = (one: Tracked): boolean =>
    tracked.findLast((other) => other.search === "found" && isSent(other) === isSent(one)) === one;
  return tracked
    .filter((one) => one.search !== "found" || isLast(one))
    .map((one) => <AttemptNotice key={one.id} attempt={one} link={link} />);
}

const isSent = ({ state }: Tracked): boolean => state === "sent";

function AttemptNotice({ attempt, link }: { attempt: Tracked; link: AttemptNoticesProps["link"] }) {
  const { state, search, txid, error, pending, unsaved } = attempt;
  const words = later.payment;
  if (search === "found") {
    return <Notice tone="good">{state === "sent" ? later.order.paidWallet : words.arrived}</Notice>;
  }
  if (state === "sent") {
    return (
      <Notice tone="good">
        <p>{later.order.paidWallet}</p>
        <p>{link(txid) ? <OutLink href={link(txid)!}>{words.sent(txid)}</OutLink> : words.sent(txid)}</p>
        {unsaved && <p className="text-amber">{words.unsaved}</p>}
      </Notice>
    );
  }
  if (pending) return unsaved ? <Notice tone="warn">{words.unsaved}</Notice> : null;
  if (search === "searching") return <Notice>{words.searching}</Notice>;
  if (state === "refused" && search === "notFound") {
    return (
      <Notice tone="bad">
        <FailureText failure={error}>
          <p className="text-fur">{words.notFound}</p>
        </FailureText>
      </Notice>
    );
  }
  const warning = search === "unreachable" ? words.unreachable : words.unclear;
  return (
    <Notice tone="warn">
      <FailureText failure={error}>
        <p>{warning(formatSats(BigInt(attempt.sats)), formatDate(attempt.at))}</p>
      </FailureText>
    </Notice>
  );
}

interface PayControlsProps {
  tracked: readonly Tracked[];
  ready: boolean;
  /** What the pay button says. */
  label?: string;
  /** Whether the payment is prepared, before the wallet is asked. */
  busy?: boolean;
  /** Whether it is in the content, anchored at its top, instead of at the bottom of the dialog's footer. */
  inPlace?: boolean;
  /** Asks the wallet to pay. */
  onPay(): void;
  /** Stops waiting for a wallet that shows no prompt. */
  onGiveUp(): void;
  onSearch(): void;
}

/** The pay button or, while an earlier payment may still arrive, the alternatives. */
export function PayControls(props: PayControlsProps) {
  const { tracked, ready, label = later.order.payWallet, busy = false, inPlace = false, onPay, onGiveUp } = props;
  const paymentState = paymentStateOf(tracked);
  const words = later.payment;
  if (paymentState === "free" || paymentState === "searching") {
    return (
      <Button
        kind="primary"
        className="w-full text-lg"
        busy={busy || paymentState === "searching"}
        disabled={!ready}
        onClick={onPay}
      >
        {paymentState === "searching" ? words.checking : label}
      </Button>
    );
  }
  if (paymentState === "pending") {
    const stop = (
      <Button kind="quiet" onClick={onGiveUp}>
        {words.giveUp}
      </Button>
    );
    return (
      <div className="grid gap-1">
        {/* The second press of a double click hits the busy button, which takes the place of the pressed one. */}
        {!inPlace && stop}
        <Button kind="primary" className="w-full" busy>
          {later.order.paying}
        </Button>
        {inPlace && stop}
      </div>
    );
  }
  return <PayAgain unclear={paymentState === "unclear"} onPay={onPay} onSearch={props.onSearch} />;
}

/** A second payment needs a confirmation, after its risk was stated. */
function PayAgain({ unclear, onPay, onSearch }: { unclear: boolean; onPay(): void; onSearch(): void }) {
  const words = later.payment;
  return (
    <div className="grid justify-items-start gap-3">
      {/* In a row above: in a footer, a second row below would put the confirmation where the first press was. */}
      {unclear && <Button onClick={onSearch}>{words.checkAgain}</Button>}
      <Risky words={{ ask: words.again, risk: words.risk, yes: words.againYes }} onYes={onPay} />
    </div>
  );
}

interface RiskyProps {
  words: { ask: string; risk: string; yes: string };
  onYes(): void;
  /** Shown beside the button. */
  children?: ReactNode;
}

/** A button that states its risk and asks for confirmation. */
export function Risky({ words, onYes, children }: RiskyProps) {
  const [confirming, setConfirming] = useState(false);
  if (!confirming) {
    return (
      <div className="flex flex-wrap gap-3">
        {/* First: the second press of a double click hits the safe answer. */}
        <Button kind="quiet" onClick={() => setConfirming(true)}>
          {words.ask}
        </Button>
        {children}
      </div>
    );
  }
  return (
    <div className="grid gap-3 rounded-box border border-amber p-4">
      <p role="status">{words.risk}</p>
      <div className="flex flex-wrap-reverse gap-3">
        <Button ref={focusOnMount} kind="primary" onClick={() => setConfirming(false)}>
          {later.payment.againNo}
        </Button>
        <Button kind="danger" onClick={onYes}>
          {words.yes}
        </Button>
      </div>
    </div>
  );
}
