import { useGlobals } from "../api/globals.ts";
import { formatRunesExact, formatRunesShort } from "../lib/format.ts";
import { served } from "../lib/served.ts";
import { text } from "../lib/text.ts";
import { Countdown } from "./Countdown.tsx";

/** The footer's figures: the countdown, total staked, total issued. */
export function EpochFooter() {
  const { shown } = useGlobals();
  return (
    <>
      <div className="flex items-baseline gap-2">
        <span className="text-mist">
          {shown && shown.epoch >= 0 ? text.epoch.endsIn(served("Epoch", shown.epoch)) : text.epoch.unknown}
        </span>
        <Countdown end={shown?.end ?? Number.NaN} size="small" />
      </div>
      <Total name={text.epoch.totalStaked} amount={shown?.totalStaked} slot="Staked" />
      <Total name={text.epoch.totalIssued} amount={shown?.totalIssued} slot="Issued" />
    </>
  );
}

function Total({ name, amount, slot }: { name: string; amount: bigint | undefined; slot: string }) {
  return (
    <p className="text-mist">
      {name}{" "}
      <span
        translate="no"
        className="num"
        title={amount === undefined ? undefined : served(`${slot}Exact`, formatRunesExact(amount))}
      >
        {amount === undefined ? text.figures.none : served(slot, formatRunesShort(amount))}
      </span>
    </p>
  );
}
