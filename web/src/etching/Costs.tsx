import { FeeItem, FeeTotal } from "../action/FeeTable.tsx";
import { etchingText } from "../lib/etchingText.ts";
import { formatNumber } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { Lines } from "../ui/Loaded.tsx";
import { Notice } from "../ui/Notice.tsx";
import { useCost, type OrderRequest } from "./orders.ts";

/** The cost of a request, item by item, from the transactions that the service would build. */
export function Costs({ request }: { request: OrderRequest | null }) {
  const cost = useCost(request);
  if (request === null) return <p className="text-mist">{etchingText.costLater}</p>;
  if (cost.error) return <Notice tone="bad">{cost.error.message}</Notice>;
  if (!cost.data) return <Lines count={4} className="h-7" />;
  const { costBreakdown: items, totalCost, totalSize } = cost.data;
  return (
    <dl className="grid gap-1.5" aria-label={later.fees.title}>
      <FeeItem name={etchingText.postage} note={etchingText.postageNote} sats={BigInt(items.postage)} />
      <FeeItem
        name={later.fees.network}
        note={etchingText.size(formatNumber(totalSize, 0))}
        sats={BigInt(items.networkFee)}
      />
      <FeeItem name={later.fees.service} sats={BigInt(items.serviceFee)} />
      {items.appServiceFee > 0 && <FeeItem name={etchingText.appFee} sats={BigInt(items.appServiceFee)} />}
      <FeeTotal sats={BigInt(totalCost)} className="border-t border-line pt-2" />
    </dl>
  );
}
