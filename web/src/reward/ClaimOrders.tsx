import { useDeferredValue, useMemo, useState } from "react";
import type { WalletFields } from "../api/client.ts";
import { isActive, isOpen, needsChoice, statusText, useOrders, type Order } from "../api/orders.ts";
import { cx } from "../lib/cx.ts";
import { formatDate, formatRunesExact } from "../lib/format.ts";
import { later } from "../lib/laterText.ts";
import { useQueryState } from "../lib/query.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { Button } from "../ui/Button.tsx";
import { ArrowIcon } from "../ui/icons.tsx";
import { Lines, Loaded } from "../ui/Loaded.tsx";
import { SortSelect } from "../ui/SelectList.tsx";
import { Until } from "../ui/Until.tsx";
import { SectionHead } from "./SectionHead.tsx";

const PAGE = 100;
/** Orders shown before "show all". */
const INITIAL_ROWS = 2;

interface OrdersProps {
  wallet: WalletFields;
  onOpen(id: string): void;
}

export function ClaimOrders(props: OrdersProps) {
  return <Orders type="CLAIM" title={text.rewards.orders} {...props} />;
}

export function WithdrawalOrders(props: OrdersProps) {
  return <Orders type="WITHDRAW" title={later.withdrawals} {...props} />;
}

interface OrdersOfType extends OrdersProps {
  type: Order["type"];
  title: string;
}

/**
 * Orders, searchable by status text: the current ones, else the newest, and all of them on request. Nothing before the
 * first order.
 */
function Orders({ type, title, wallet, onOpen }: OrdersOfType) {
  const result = useOrders(wallet);
  const [open, setOpen] = useState(false);
  const orders = useMemo(() => result.data?.filter((order) => order.type === type) ?? [], [result.data, type]);
  const first = useMemo(() => firstOf(orders), [orders]);
  if (orders.length === 0 && result.error === null) return null;
  return (
    <section aria-labelledby="orders">
      <SectionHead
        id="orders"
        title={title}
        count={orders.length}
        open={open}
        onToggle={orders.length > first.length ? () => setOpen(!open) : undefined}
      />
      <Loaded query={result} skeleton={<Lines count={2} />}>
        {() => <OrderList orders={orders} first={open ? orders : first} onOpen={onOpen} />}
      </Loaded>
    </section>
  );
}

/** Returns the orders that are not finished, or the newest order if all are. */
function firstOf(orders: readonly Order[]): readonly Order[] {
  const current = orders.filter(({ status }) => isActive(status) || status === "AUDIT");
  return current.length > 0 ? current.slice(0, INITIAL_ROWS) : orders.slice(0, 1);
}

interface ListProps {
  orders: readonly Order[];
  onOpen: (id: string) => void;
}

/**
 * `first`, until the user searches or sorts: then all orders that match. The search and the sort order are stored in
 * the URL.
 */
function OrderList({ orders, first, onOpen }: ListProps & { first: readonly Order[] }) {
  const [saved, save] = useQueryState("status");
  const [sort, setSort] = useQueryState("sort");
  const [search, setSearch] = useState(saved ?? "");
  const [most, setMost] = useState(PAGE);
  const query = useDeferredValue(search).trim().toLowerCase();
  const shown = useMemo(() => {
    if (query === "" && sort === null) return first;
    const matching = orders.filter((order) => statusText(order).toLowerCase().includes(query));
    return sort === "runes" ? matching.toSorted((a, b) => Number(b.runes - a.runes)) : matching;
  }, [orders, first, query, sort]);
  return (
    <>
      <div className="my-1 flex flex-wrap gap-2">
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
          value={sort === "runes" ? "runes" : "date"}
          onChange={(order) => setSort(order === "runes" ? order : null)}
        />
      </div>
      {shown.length === 0 && <p className="text-mist">{text.common.noMatch}</p>}
      <Rows orders={shown.slice(0, most)} onOpen={onOpen} />
      {shown.length > most && (
        <Button className="mt-3 w-full" onClick={() => setMost(most + PAGE)}>
          {text.common.showMore(Math.min(PAGE, shown.length - most))}
        </Button>
      )}
    </>
  );
}

function Rows({ orders, onOpen }: ListProps) {
  return (
    <ul className="rows mt-1 gap-2">
      {orders.map((order) => (
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
              <span translate="no" className="num block wrap-anywhere">
                {formatRunesExact(order.runes)} <span className="font-normal text-mist">{site.token}</span>
              </span>
              <span className="flex flex-wrap gap-x-2 text-sm text-mist">
                <span className={isOpen(order.status) || needsChoice(order) ? "text-amber" : ""}>
                  {statusText(order)}
                </span>
                {order.deadline !== null && isOpen(order.status) && <Until at={order.deadline} />}
                <span>{formatDate(order.date)}</span>
              </span>
            </span>
            {isOpen(order.status) && order.due > 0n && (
              <span className="hidden text-sm text-ice sm:inline">{later.order.continue}</span>
            )}
            <ArrowIcon className="size-4 text-ice" />
          </button>
        </li>
      ))}
    </ul>
  );
}
