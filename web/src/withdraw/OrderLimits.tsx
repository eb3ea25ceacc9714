import { TooMany } from "../action/TooMany.tsx";
import type { Unit } from "../api/wallet.ts";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import type { Selection } from "../ui/selection.ts";
import type { Row } from "../ui/SelectList.tsx";

/** Maximum units of one order if one of them is in self-custody, whose signatures are larger (ADR 68). */
const MAX_SELF = 80;

/** What one order can hold of the selected units. */
export interface Limits {
  units: readonly Unit[];
  max: number;
  /** Two orders are needed: the treasury delivers rewards, the owner signs stakes in self-custody. */
  isApart: boolean;
  exceeded: boolean;
}

/** Returns the limits of the selected units. `limit` holds for any order. */
export function limitsOf(all: readonly Unit[], selection: Selection, limit: number): Limits {
  const units = all.filter(({ id }) => selection.has(id));
  const hasSelf = units.some(({ custody }) => custody === "self");
  const isApart = hasSelf && units.some(({ virtual }) => virtual);
  const max = hasSelf ? Math.min(limit, MAX_SELF) : limit;
  return { units, max, isApart, exceeded: isApart || selection.ids.length > max };
}

/** Says why one order can't hold the selection, and offers what it can; else, what withdrawing means. */
export function OrderLimits({
  limits: { units, max, isApart, exceeded },
  rows,
  selection,
}: {
  limits: Limits;
  rows: readonly Row[];
  selection: Selection;
}) {
  if (isApart) return <TwoOrders units={units} selection={selection} />;
  if (!exceeded) return <p className="text-sm text-mist">{text.withdraw.warning}</p>;
  const sentence = max === MAX_SELF ? later.oneTx.tooManySelf(max) : text.withdraw.tooMany(max);
  return <TooMany sentence={sentence} limit={max} rows={rows} selection={selection} />;
}

function TwoOrders({ units, selection }: { units: readonly Unit[]; selection: Selection }) {
  const words = later.oneTx;
  const only = (isVirtual: boolean) =>
    selection.only(units.filter(({ virtual }) => virtual === isVirtual).map(({ id }) => id));
  return (
    <p className="flex flex-wrap items-center gap-x-4 text-sm text-amber">
      {words.apart}
      <Button kind="quiet" className="px-0!" onClick={() => only(false)}>
        {words.onlyStakes}
      </Button>
      <Button kind="quiet" className="px-0!" onClick={() => only(true)}>
        {words.onlyRewards}
      </Button>
    </p>
  );
}
