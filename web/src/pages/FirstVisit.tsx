import type { ReactNode } from "react";
import { useGlobals } from "../api/globals.ts";
import { formatDuration, formatNumber, formatRunesShort } from "../lib/format.ts";
import { proofsLink } from "../lib/link.ts";
import { served } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Maybe } from "../ui/Maybe.tsx";

const { visit } = text;

/** Introduction for visitors without a wallet: the token, the stake, its cost, the withdrawal and the keys. */
export function FirstVisit() {
  const { shown } = useGlobals();
  const token = served("Token", site.token);
  return (
    <section aria-label={visit.title}>
      <dl className="card grid gap-x-8 gap-y-3 p-4 sm:grid-cols-2 sm:gap-y-5 sm:p-6">
        <Fact title={visit.token.title(token)}>
          {visit.token.text(token, served("RuneName", site.runeName))}{" "}
          {shown && visit.token.issued(served("Issued", formatRunesShort(shown.totalIssued)), token)}
        </Fact>
        <Fact title={visit.stake.title}>
          <Maybe
            name="EpochLength"
            value={formatDuration(site.epochSeconds)}
            no={visit.stake.text(token, "")}
          >
            {(length) => visit.stake.text(token, length)}
          </Maybe>
        </Fact>
        <Fact title={visit.cost.title}>
          {visit.cost.text(served("ServiceFee", formatNumber(site.serviceFee, 0)))}
        </Fact>
        <Fact title={visit.leave.title}>{visit.leave.text(token)}</Fact>
        <Fact title={visit.keys.title} className="sm:col-span-2">
          {visit.keys.text(served("Recovery", formatDuration(site.recoverySeconds)))}{" "}
          <a href={proofsLink(site)} className="underline">
            {visit.keys.proofs}
          </a>
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ title, className = "", children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <div className={className}>
      <dt className="font-display text-[0.9375rem] font-bold text-moon sm:text-base">{title}</dt>
      <dd className="text-sm leading-snug sm:mt-1 sm:text-[0.9375rem] sm:leading-relaxed">{children}</dd>
    </div>
  );
}
