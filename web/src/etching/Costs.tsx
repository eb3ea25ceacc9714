import { etchingText } from "../lib/etchingText.ts";
import { formatNumber, formatSats } from "../lib/format.ts";
import { text } from "../lib/text.ts";
import { Lines } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import { useCost, type Wish } from "./orders.ts";

/** What a wish costs, item by item, by the service's built transactions. */
export function Costs({ wish }: { wish: Wish | null }) {
  const cost = useCost(wish);
  if (wish === null) return <p className="text-mist">{etchingText.costLater}</p>;
  if (cost.error) return <Notice tone="bad">{cost.error.message}</Notice>;
  if (!cost.data) return <Lines count={4} className="h-7" />;
  const { costBreakdown: items, totalCost, totalSize } = cost.data;
  return (
    <dl className="grid gap-1.5" aria-label={text.fees.title}>
      <Item name={etchingText.postage} note={etchingText.postageNote} sats={items.postage} />
      <Item name={text.fees.network} note={etchingText.size(formatNumber(totalSize, 0))} sats={items.networkFee} />
      <Item name={text.fees.service} sats={items.serviceFee} />
      {items.appServiceFee > 0 && <Item name={etchingText.appFee} sats={items.appServiceFee} />}
      <div className="flex items-baseline justify-between gap-4 border-t border-line pt-2">
        <dt className="font-semibold text-moon">{text.fees.total}</dt>
        <dd className="num text-lg">
          {formatSats(BigInt(totalCost))} <span className="text-sm font-normal text-mist">{text.common.sats}</span>
        </dd>
      </div>
    </dl>
  );
}

function Item({ name, note, sats }: { name: string; note?: string; sats: number }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-fur">
        {name}
        {note && <span className="ml-2 text-sm text-mist">{note}</span>}
      </dt>
      <dd className="whitespace-nowrap text-moon">
        {formatSats(BigInt(sats))} <span className="text-sm text-mist">{text.common.sats}</span>
      </dd>
    </div>
  );
}
