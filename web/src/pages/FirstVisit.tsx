import type { ReactNode } from "react";
import { useGlobals } from "../api/globals.ts";
import { unlockOf, useRunningEpoch } from "../api/running.ts";
import { formatDay, formatDuration, formatNumber, formatRunesShort } from "../lib/format.ts";
import { proofsLink } from "../lib/link.ts";
import { served } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Maybe } from "../ui/Maybe.tsx";

const { visit } = text;

/**
 * Introduction for visitors without a wallet: what it costs, how to leave and who holds the runes, which the first
 * screen has to answer; then the token and the stake.
 */
export function FirstVisit() {
  const { shown } = useGlobals();
  const running = useRunningEpoch();
  const unlocks = running === null || import.meta.env.SSR ? Number.NaN : unlockOf(running);
  const unlockDay = Number.isFinite(unlocks) ? formatDay(unlocks) : "";
  const token = served("Token", site.token);
  return (
    <section aria-label={visit.title}>
      <dl className="card grid gap-x-8 gap-y-1.5 px-4 py-3 sm:grid-cols-2 sm:gap-y-4 sm:p-5">
        <Fact title={visit.cost.title}>
          {visit.cost.text(served("ServiceFee", formatNumber(site.serviceFee, 0)))}
        </Fact>
        <Fact title={visit.leave.title}>{visit.leave.text(token, unlockDay)}</Fact>
        <Fact title={visit.keys.title} className="sm:col-span-2">
          {visit.keys.text(served("Recovery", formatDuration(site.recoverySeconds)))}{" "}
          <a href={proofsLink(site)} className="underline">
            {visit.keys.proofs}
          </a>
        </Fact>
        <Fact title={visit.token.title(token)}>
          {visit.token.text(token, served("RuneName", site.runeName))}{" "}
          {shown && visit.token.issued(served("Issued", formatRunesShort(shown.totalIssued)), token)}
        </Fact>
        <Fact title={visit.stake.title}>
          <Maybe
            name="EpochLength"
            value={formatDuration(site.epochSeconds)}
            no={visit.stake.text("")}
          >
            {visit.stake.text}
          </Maybe>
        </Fact>
      </dl>
    </section>
  );
}

/** On a phone the title begins the first line, so that the first screen has room. */
function Fact({ title, className = "", children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <div className={`text-sm leading-snug sm:text-[0.9375rem] ${className}`}>
      <dt className="mr-1 inline font-display font-bold text-moon sm:block sm:text-base">{title}</dt>
      <dd className="inline sm:mt-1 sm:block">{children}</dd>
    </div>
  );
}
