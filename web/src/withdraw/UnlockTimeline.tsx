import type { Unit } from "../api/wallet.ts";
import { calendarFile } from "../lib/calendar.ts";
import { now, useNow } from "../lib/clock.ts";
import { saveFile } from "../lib/file.ts";
import {
  formatDate,
  formatDay,
  formatRemaining,
  formatRunesExact,
  formatRunesShort,
  remaining,
} from "../lib/format.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { CalendarIcon } from "../ui/icons.tsx";
import { unlocksOf, type Unlock } from "./unlocks.ts";

/** When unstaked runes unlock: a line from now to the last unlock, a table for screen readers, and a calendar file. */
export function UnlockTimeline({ units }: { units: readonly Unit[] }) {
  const unlocks = unlocksOf(units);
  if (unlocks.length === 0) return null;
  return (
    <section aria-labelledby="unlocks" className="rounded-box bg-night p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="unlocks" className="font-bold">
          {text.withdraw.timeline}
        </h2>
        <Button kind="quiet" className="px-0! text-sm" onClick={() => save(unlocks)}>
          <CalendarIcon /> {text.calendar.unlocks}
        </Button>
      </div>
      <Line unlocks={unlocks} />
      <div className="sr-only">
        <table>
          <caption>{text.withdraw.timeline}</caption>
          <thead>
            <tr>
              <th scope="col">{text.withdraw.when}</th>
              <th scope="col">{text.withdraw.amount}</th>
            </tr>
          </thead>
          <tbody>
            {unlocks.map(({ at, runes }) => (
              <tr key={at}>
                <th scope="row">{formatDate(at)}</th>
                <td>
                  {formatRunesExact(runes)} {site.token}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Unlocks with a label in the picture; the others are dots. */
const LABELED = 3;
/** Position of the last dot, in percent of the line's width. */
const END = 88;

function Line({ unlocks }: { unlocks: readonly Unlock[] }) {
  const current = useNow();
  const span = Math.max(1, unlocks.at(-1)!.at - current);
  const place = (at: number): number => (Math.max(0, at - current) / span) * END;
  const named = new Set(unlocks.length <= LABELED ? unlocks : [unlocks[0], unlocks.at(-1)]);
  return (
    <div aria-hidden="true" className="relative mx-1 mt-2 h-22">
      <div className="absolute inset-x-0 top-10 h-0.5 rounded-full bg-line" />
      <div className="absolute top-8 left-0 h-4.5 w-1 rounded-full bg-amber" />
      <span className="absolute top-14 left-0 text-sm text-mist">{text.withdraw.now}</span>
      {unlocks.map((unlock) => (
        <div key={unlock.at} className="absolute top-0 h-full" style={{ left: `${place(unlock.at)}%` }}>
          {named.has(unlock) && (
            <span className="absolute top-0 -translate-x-1/2 text-sm font-semibold whitespace-nowrap text-moon">
              {formatRunesShort(unlock.runes)}
            </span>
          )}
          <span className="absolute top-8 size-4.5 -translate-x-1/2 rounded-full border-2 border-ice bg-night" />
          {named.has(unlock) && place(unlock.at) > END / 4 && (
            <span className="absolute top-14 -translate-x-1/2 text-center text-sm whitespace-nowrap text-mist">
              {formatDay(unlock.at)}
              <br />
              {formatRemaining(remaining(unlock.at, current)).split(" ").slice(0, 2).join(" ")}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

function save(unlocks: readonly Unlock[]): void {
  const moments = unlocks.map(({ at, runes }) => ({
    id: `${site.prefix}-unlock-${at}`,
    at,
    title: text.calendar.unlockTitle(formatRunesExact(runes), site.token),
    note: text.calendar.unlockNote,
  }));
  saveFile(`${site.prefix}-unlocks.ics`, "text/calendar", calendarFile(window.location.hostname, moments, now()));
}
