import { useMemo, useState } from "react";
import { useCommunity } from "../api/globals.ts";
import { useActivity, type Entry } from "../api/history.ts";
import { activityURL } from "../api/wallet.ts";
import type { WalletFields } from "../api/client.ts";
import { formatDate, formatRunesExact, formatSats, shortTxid } from "../lib/format.ts";
import { explorerLink } from "../lib/link.ts";
import { site } from "../lib/site.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { OutLink } from "../ui/Link.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { deedsOf, type Deed } from "./activity.ts";

type Kind = "all" | "stakes" | "rewards" | "orders";

/** What an entry is about. */
function kindOf(entry: Entry): Exclude<Kind, "all"> {
  if (entry.orderId !== null || entry.sats !== null) return "orders";
  return entry.epoch !== null || entry.kind === "REWARDED" || entry.kind === "COMPOUND" ? "rewards" : "stakes";
}

/** Everything that happened to this wallet, newest first, by kind, and as a file. */
export function ActivityList({ wallet }: { wallet: WalletFields }) {
  const [kind, setKind] = useState<Kind>("all");
  const activity = useActivity(wallet);
  return (
    <section aria-labelledby="activity">
      <h2 id="activity" className="text-lg font-bold">
        {later.history.activity}
      </h2>
      <p className="text-sm text-mist">{later.history.activityNote}</p>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-3">
        <label className="text-sm text-mist">
          {later.history.show}
          <select className="field mt-1 block" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
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
          className="inline-flex min-h-11 items-center rounded-box border border-edge px-4 font-medium text-moon no-underline transition-colors duration-120 hover:bg-raised"
        >
          {later.history.csv}
          <span className="sr-only">: {later.history.activity}</span>
        </a>
      </div>
      <Loaded query={activity} skeleton={<Lines count={3} className="mt-3 h-12" />}>
        {({ pages }) => <Deeds pages={pages} kind={kind} />}
      </Loaded>
      {activity.hasNextPage && (
        <Button
          className="mt-3 w-full"
          busy={activity.isFetchingNextPage}
          onClick={() => void activity.fetchNextPage()}
        >
          {later.history.more}
        </Button>
      )}
    </section>
  );
}

function Deeds({ pages, kind }: { pages: readonly (readonly Entry[])[]; kind: Kind }) {
  const explorer = useCommunity().data?.explorer_tx;
  const deeds = useMemo(() => deedsOf(pages.flat()), [pages]);
  const shown = kind === "all" ? deeds : deeds.filter((deed) => kindOf(deed) === kind);
  if (shown.length === 0) {
    return <p className="mt-3 text-mist">{deeds.length === 0 ? later.history.noActivity : later.history.noneOfKind}</p>;
  }
  return (
    <ul className="rows mt-3">
      {shown.map((entry) => (
        <li
          key={entry.id}
          className="row-slim flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line py-2.5"
        >
          <span className="min-w-0">
            <span className="text-moon">{later.history.event(entry.kind) ?? entry.text}</span>
            {entry.epoch !== null && <span className="ml-2 text-sm text-mist">{later.history.epoch(entry.epoch)}</span>}
            {entry.units > 1 && <span className="ml-2 text-sm text-mist">{text.action.units(entry.units)}</span>}
          </span>
          <Amount entry={entry} />
          <span className="flex w-full flex-wrap justify-between gap-x-4 text-sm text-mist">
            <span>{formatDate(entry.date)}</span>
            {entry.txid !== null && <Txid txid={entry.txid} link={explorerLink(explorer, entry.txid)} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Amount({ entry }: { entry: Deed }) {
  if (entry.runes === null && entry.sats === null) return null;
  return (
    <span className="num wrap-anywhere">
      {entry.runes === null ? formatSats(entry.sats!) : formatRunesExact(entry.runes)}{" "}
      <span className="text-sm font-normal text-mist">{entry.runes === null ? text.common.sats : site.token}</span>
    </span>
  );
}

function Txid({ txid, link }: { txid: string; link: string | null }) {
  const short = <span className="font-mono">{shortTxid(txid)}</span>;
  return link ? <OutLink href={link}>{short}</OutLink> : <span title={txid}>{short}</span>;
}
