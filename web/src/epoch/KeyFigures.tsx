import type { ReactNode } from "react";
import { useEpochs, useGlobals, type EpochReward } from "../api/globals.ts";
import { UNIT } from "../lib/amount.ts";
import { cx } from "../lib/cx.ts";
import { formatDay, formatNumber, formatRunesExact, formatRunesShort } from "../lib/format.ts";
import { rewardOf } from "../lib/rewards.ts";
import { served } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";

const THOUSAND = 1_000n * UNIT;
const { glance } = text.visit;

/** What a visitor compares first: who stakes, and what that paid last. A figure that is not known yet is not there. */
export function KeyFigures() {
  const { shown } = useGlobals();
  const { data: epochs, isPending } = useEpochs();
  const last = epochs?.findLast(({ settled, amount }) => settled && amount > 0n);
  return (
    <dl
      aria-label={glance.title}
      className={cx(
        "card grid min-h-33 grid-cols-2 content-center gap-x-4 gap-y-2 px-4 py-3",
        "sm:min-h-24 sm:grid-cols-4 sm:px-6",
      )}
    >
      <Figure
        name={text.figures.totalStaked}
        exact={shown && served("StakedExact", formatRunesExact(shown.totalStaked))}
      >
        {shown ? served("Staked", formatRunesShort(shown.totalStaked)) : <Blank />} <Token />
      </Figure>
      {last ? <Last epoch={last} /> : isPending ? <Waiting /> : shown && <Next start={shown.end} />}
    </dl>
  );
}

/** The last epoch that paid rewards. */
function Last({ epoch: { epoch, owners, amount, totalStaked } }: { epoch: EpochReward }) {
  const each = rewardOf(amount, THOUSAND, totalStaked);
  return (
    <>
      <Figure name={glance.stakers}>{formatNumber(owners)}</Figure>
      <Figure name={glance.reward(epoch)} exact={formatRunesExact(amount)}>
        {formatRunesShort(amount)} <Token />
      </Figure>
      {/* Of a smaller stake, 1,000 would be all: that says nothing about the next epoch. */}
      {totalStaked > THOUSAND && (
        <Figure name={glance.thousand(site.token)} exact={formatRunesExact(each)}>
          {formatRunesShort(each)} <Token />
        </Figure>
      )}
    </>
  );
}

/** The start of the next epoch, while none has paid rewards. */
function Next({ start }: { start: number }) {
  return Number.isFinite(start) && <Figure name={glance.first}>{formatDay(start)}</Figure>;
}

function Waiting() {
  return [glance.stakers, glance.lastReward, glance.thousand(served("Token", site.token))].map((name) => (
    <Figure key={name} name={name}>
      <Blank />
    </Figure>
  ));
}

function Figure({ name, exact, children }: { name: string; exact?: string | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-mist">{name}</dt>
      <dd translate="no" className="num text-xl sm:text-2xl" title={exact}>
        {children}
      </dd>
    </div>
  );
}

function Token() {
  return <span className="text-sm font-normal text-mist">{served("Token", site.token)}</span>;
}

function Blank() {
  return (
    <span aria-hidden="true" className="skeleton inline-block w-16">
      0
    </span>
  );
}
