import { unreachable, useGlobals } from "../api/globals.ts";
import { formatRunesExact, formatRunesShort } from "../lib/format.ts";
import { text } from "../lib/text.ts";
import { Countdown } from "./Countdown.tsx";

/** The footer's figures: the countdown, total staked, total issued. */
export function EpochFooter() {
  const { data, error } = useGlobals();
  const shown = data ?? (error ? unreachable : undefined);
  return (
    <>
      <div className="flex items-baseline gap-2">
        <span className="text-mist">
          {shown && shown.epoch >= 0 ? text.epoch.endsIn(shown.epoch) : text.epoch.unknown}
        </span>
        <Countdown end={shown?.end ?? Number.NaN} size="small" />
      </div>
      <Total name={text.epoch.totalStaked} amount={shown?.totalStaked} />
      <Total name={text.epoch.totalIssued} amount={shown?.totalIssued} />
    </>
  );
}

function Total({ name, amount }: { name: string; amount: bigint | undefined }) {
  return (
    <p className="text-mist">
      {name}{" "}
      <span className="num" title={amount === undefined ? undefined : formatRunesExact(amount)}>
        {amount === undefined ? text.figures.none : formatRunesShort(amount)}
      </span>
    </p>
  );
}
