import { useMemo, useState, type ReactNode } from "react";
import { useCommunity } from "../api/globals.ts";
import { useActivity, type Entry } from "../api/history.ts";
import { useOrders, type Refund } from "../api/orders.ts";
import { activityURL } from "../api/wallet.ts";
import type { WalletFields } from "../api/client.ts";
import { cx } from "../lib/cx.ts";
import { formatDate, formatRunesExact, formatSats, shortTxid } from "../lib/format.ts";
import { explorerLink } from "../lib/link.ts";
import { site } from "../lib/site.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { Button, buttonClass } from "../ui/Button.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { activitiesOf, type Activity } from "./activity.ts";
import { SectionHead } from "./SectionHead.tsx";

type Kind = "all" | "stakes" | "rewards" | "orders";

/** Returns the filter that an entry belongs to. */
function kindOf(entry: Entry): Exclude<Kind, "all"> {
  if (entry.orderId !== null || entry.sats !== null) return "orders";
  const isReward = entry.kind === "REWARDED" || entry.kind === "COMPOUND" || entry.kind.startsWith("AUTO_COMPOUND");
  return entry.epoch !== null || isReward ? "rewards" : "stakes";
}

/**
 * The wallet's newest activity, and on request all of it, with a filter and a CSV download. Nothing before the first
 * entry.
 */
export function ActivityList({ wallet }: { wallet: WalletFields }) {
  const [kind, setKind] = useState<Kind | null>(null);
  const activity = useActivity(wallet);
  const older = activity.hasNextPage && (
    <Button className="mt-3 w-full" busy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
      {later.history.more}
    </Button>
  );
  const orders = useOrders(wallet);
  const refunds = useMemo(() => orders.data?.flatMap((order) => order.refunds) ?? [], [orders.data]);
  const any = (activity.data?.pages[0]?.length ?? 0) > 0;
  if (activity.data && !any) return null;
  return (
    <section aria-labelledby="activity">
      <SectionHead
        id="activity"
        title={later.history.activity}
        open={kind !== null}
        onToggle={any ? () => setKind(kind === null ? "all" : null) : undefined}
      />
      {kind !== null && <Controls kind={kind} onKind={setKind} wallet={wallet} />}
      <Loaded query={activity} skeleton={<Lines count={3} className="mt-3 h-12" />}>
        {({ pages }) => <Activities pages={pages} kind={kind} refunds={refunds} older={older} />}
      </Loaded>
    </section>
  );
}

interface ControlsProps {
  kind: Kind;
  onKind: (kind: Kind) => void;
  wallet: WalletFields;
}

function Controls({ kind, onKind, wallet }: ControlsProps) {
  return (
    <div className="mt-1 flex flex-wrap items-end justify-between gap-2">
      <label className="min-w-0 text-sm text-mist">
        <span className="sr-only">{later.history.show}</span>
        <select
          className="field block max-w-36 sm:max-w-none"
          value={kind}
          onChange={(event) => onKind(event.target.value as Kind)}
        >
          {(["all", "stakes", "rewards", "orders"] as const).map((one) => (
            <option key={one} value={one}>
              {later.history[one]}
            </option>
          ))}
        </select>
      </label>
      <a
        href={activityURL(wallet)}
        download
        className={buttonClass("plain", "no-underline")}
      >
        {later.history.csv}
        <span className="sr-only">: {later.history.activity}</span>
      </a>
    </div>
  );
}

/** Entries shown before "show all", and added with each click after it. */
const INITIAL_ROWS = 3;
const STEP = 50;

interface ActivitiesProps {
  pages: readonly (readonly Entry[])[];
  /** Null: only the newest entries. */
  kind: Kind | null;
  refunds: readonly Refund[];
  /** The button that loads older entries. */
  older: ReactNode;
}

function Activities({ pages, kind, refunds, older }: ActivitiesProps) {
  const explorer = useCommunity().data?.explorer_tx;
  const activities = useMemo(() => activitiesOf(pages.flat()), [pages]);
  const [steps, setSteps] = useState(1);
  const whole = kind === null || kind === "all";
  const shown = whole ? activities : activities.filter((entry) => kindOf(entry) === kind);
  const waiting = whole || kind === "orders" ? refunds.filter(({ txid }) => txid === null) : [];
  const due = kind === null ? waiting.slice(0, INITIAL_ROWS) : waiting;
  const most = kind === null ? INITIAL_ROWS - due.length : steps * STEP;
  if (shown.length === 0 && due.length === 0) {
    return <p className="mt-1 text-mist">{later.history.noneOfKind}</p>;
  }
  return (
    <>
      <ul className="rows">
        {due.map((refund, i) => (
          <DueRefund key={i} refund={refund} />
        ))}
        {shown.slice(0, most).map((entry) => (
          <li
            key={entry.id}
            className={cx(
              "relative row-slim flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2.5",
              "transition-colors duration-120 has-[a]:hover:border-edge",
            )}
          >
            <span className="min-w-0">
              <span className="text-moon">{later.history.event(entry.kind) ?? entry.text}</span>
              {entry.epoch !== null && (
                <span className="ml-2 text-sm text-mist">{later.history.epoch(entry.epoch)}</span>
              )}
              {entry.units > 1 && <span className="ml-2 text-sm text-mist">{text.action.units(entry.units)}</span>}
            </span>
            <Amount entry={entry} />
            <span className="flex w-full flex-wrap justify-between gap-x-4 text-sm text-mist">
              <span>{formatDate(entry.date)}</span>
              {entry.txid !== null && <Txid txid={entry.txid} link={explorerLink(explorer, entry.txid)} />}
            </span>
            {entry.txid !== null && <RefundDetail refund={refunds.find(({ txid }) => txid === entry.txid)} />}
          </li>
        ))}
      </ul>
      {kind !== null && shown.length <= most && older}
      {kind !== null && shown.length > most && (
        <Button className="mt-3 w-full" onClick={() => setSteps(steps + 1)}>
          {text.common.showMore(Math.min(STEP, shown.length - most))}
        </Button>
      )}
    </>
  );
}

/** A refund without a transaction. The journal has no entry for it. */
function DueRefund({ refund }: { refund: Refund }) {
  return (
    <li className="row-slim flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2.5">
      <span className="text-moon">{later.refund.title}</span>
      <span translate="no" className="num">
        {formatSats(refund.amount)} <span className="text-sm font-normal text-mist">{text.common.sats}</span>
      </span>
      <RefundDetail refund={refund} />
    </li>
  );
}

/** State, cost and destination of a refund. */
function RefundDetail({ refund }: { refund: Refund | undefined }) {
  if (!refund) return null;
  const state = later.refund.state[refund.state];
  return (
    <span className="w-full text-sm wrap-anywhere text-mist">
      {later.refund.detail(state, formatSats(refund.cost), refund.address)}
    </span>
  );
}

function Amount({ entry }: { entry: Activity }) {
  if (entry.runes === null && entry.sats === null) return null;
  return (
    <span translate="no" className="num wrap-anywhere">
      {entry.runes === null ? formatSats(entry.sats!) : formatRunesExact(entry.runes)}{" "}
      <span className="text-sm font-normal text-mist">{entry.runes === null ? text.common.sats : site.token}</span>
    </span>
  );
}

function Txid({ txid, link }: { txid: string; link: string | null }) {
  const short = (
    <span translate="no" className="inline-block truncate align-bottom font-mono max-sm:max-w-20">
      {shortTxid(txid)}
    </span>
  );
  return link ? (
    <OutLink href={link} className="after:absolute after:inset-0">
      {short}
    </OutLink>
  ) : (
    <span title={txid}>{short}</span>
  );
}
