import type { ReactNode } from "react";
import { useGlobals, type Globals } from "../api/globals.ts";
import { useNow } from "../lib/clock.ts";
import { formatDate, formatDateUTC, formatRunesExact, formatRunesShort } from "../lib/format.ts";
import { served } from "../lib/served.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { MoonRing } from "../ui/art/MoonRing.tsx";
import { Button } from "../ui/Button.tsx";
import { CalendarIcon } from "../ui/icons.tsx";

const WEEK_SECONDS = 7 * 86_400;

/** The current and the next epoch, and the fund's totals. */
export function EpochPanel() {
  const { data, shown } = useGlobals();
  return (
    <section aria-labelledby="epoch" className="card p-4 sm:p-5">
      <div className="flex items-center justify-between gap-4">
        <h2 id="epoch" className="text-lg font-bold">
          {text.epoch.title}
        </h2>
        <Ring end={shown?.end ?? Number.NaN} length={site.epochSeconds || WEEK_SECONDS} />
      </div>
      <dl className="mt-3 grid grid-cols-2 gap-4">
        <Fact name={text.epoch.current}>{shown && served("Epoch", shown.epoch)}</Fact>
        <Fact name={text.epoch.next}>{shown && served("NextEpoch", nextEpoch(shown))}</Fact>
        <Fact name={text.epoch.totalStaked} exact={shown && served("StakedExact", formatRunesExact(shown.totalStaked))}>
          {shown && served("Staked", formatRunesShort(shown.totalStaked))}
        </Fact>
        <Fact name={text.epoch.issued} exact={shown && served("IssuedExact", formatRunesExact(shown.totalIssued))}>
          {shown && served("Issued", formatRunesShort(shown.totalIssued))}
        </Fact>
      </dl>
      {/* The server keeps room for two lines. One is enough where the local time is UTC. */}
      <p className={`mt-4 text-sm text-mist ${import.meta.env.SSR ? "min-h-10" : ""}`}>
        {shown && Number.isFinite(shown.end) && !import.meta.env.SSR && <Ends end={shown.end} />}
      </p>
      <Button
        kind="quiet"
        className="mt-1 px-0! text-sm"
        disabled={!data || data.epoch < 0 || !Number.isFinite(data.end)}
        onClick={() =>
          void import("./saveEpochs.ts").then(({ saveEpochs }) => saveEpochs(data!, site.epochSeconds))
        }
      >
        <CalendarIcon /> {text.calendar.epochs}
      </Button>
    </section>
  );
}

/** The end in the user's time zone, which only the browser knows, and in UTC, if that is another time. */
function Ends({ end }: { end: number }) {
  const at = new Date(end);
  const isUTC = at.getTimezoneOffset() === 0;
  return (
    <time dateTime={at.toISOString()}>
      {text.epoch.ends(isUTC ? formatDateUTC(end) : formatDate(end))}
      {!isUTC && (
        <>
          <br />
          {formatDateUTC(end)}
        </>
      )}
    </time>
  );
}

function nextEpoch(globals: Globals): number {
  return globals.epoch + 1;
}

function Ring({ end, length }: { end: number; length: number }) {
  const left = (end - useNow()) / 1000;
  return <MoonRing percent={served("Passed", Number.isFinite(left) ? (1 - left / length) * 100 : 0)} />;
}

function Fact({ name, exact, children }: { name: string; exact?: string | undefined; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-mist">{name}</dt>
      <dd translate="no" className="num mt-0.5 min-h-7 text-lg" title={exact && `${exact} ${site.token}`}>
        {children === undefined ? <span className="skeleton inline-block w-16">0</span> : children}
      </dd>
    </div>
  );
}
