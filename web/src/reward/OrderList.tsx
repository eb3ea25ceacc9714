import { useDeferredValue, useMemo, useState } from "react";
import { isOpen, statusText, type Order } from "../api/orders.ts";
import { cx } from "../lib/cx.ts";
import { formatDate, formatRunesExact } from "../lib/format.ts";
import { useQueryState } from "../lib/query.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { ArrowIcon } from "../ui/icons.tsx";
import { SortSelect } from "../ui/SelectList.tsx";
import { Until } from "../ui/Until.tsx";

const PAGE = 100;

/** Orders, sorted and searchable by status text. The search and the order are stored in the URL. */
export function OrderList({ orders, onOpen }: { orders: readonly Order[]; onOpen: (id: string) => void }) {
  const [saved, save] = useQueryState("status");
  const [sort, setSort] = useQueryState("sort");
  const [search, setSearch] = useState(saved ?? "");
  const [most, setMost] = useState(PAGE);
  const query = useDeferredValue(search).trim().toLowerCase();
  const shown = useMemo(() => {
    const matching = orders.filter((order) => statusText(order).toLowerCase().includes(query));
    return sort === "runes" ? matching.toSorted((a, b) => Number(b.runes - a.runes)) : matching;
  }, [orders, query, sort]);

  if (orders.length === 0) return <p className="text-mist">{text.rewards.noOrders}</p>;
  return (
    <>
      <div className="mb-3 flex flex-wrap gap-2">
        <input
          type="search"
          className="field min-w-40 flex-1"
          aria-label={text.rewards.searchOrders}
          placeholder={text.rewards.searchOrders}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            save(event.target.value);
          }}
        />
        <SortSelect
          value={sort === "runes" ? "weight" : "date"}
          onChange={(order) => setSort(order === "weight" ? "runes" : null)}
        />
      </div>
      {shown.length === 0 && <p className="text-mist">{text.common.noMatch}</p>}
      <ul className="rows gap-2">
        {shown.slice(0, most).map((order) => (
          <li key={order.id} className="row">
            <button
              type="button"
              onClick={() => onOpen(order.id)}
              className={cx(
                "flex min-h-17 w-full items-center gap-3 rounded-box border border-line bg-night px-4 py-3 text-left",
                "transition-colors duration-120 hover:border-edge",
              )}
            >
              <span className="min-w-0 flex-1">
                <span className="num block wrap-anywhere">
                  {formatRunesExact(order.runes)} <span className="font-normal text-mist">{site.token}</span>
                </span>
                <span className="flex flex-wrap gap-x-2 text-sm text-mist">
                  <span className={isOpen(order.status) ? "text-amber" : ""}>{statusText(order)}</span>
                  {order.deadline !== null && isOpen(order.status) && <Until at={order.deadline} />}
                  <span>{formatDate(order.date)}</span>
                </span>
              </span>
              {isOpen(order.status) && order.due > 0n && (
                <span className="hidden text-sm text-ice sm:inline">{text.order.continue}</span>
              )}
              <ArrowIcon className="size-4 text-ice" />
            </button>
          </li>
        ))}
      </ul>
      {shown.length > most && (
        <Button className="mt-3 w-full" onClick={() => setMost(most + PAGE)}>
          {text.common.showMore(Math.min(PAGE, shown.length - most))}
        </Button>
      )}
    </>
  );
}
