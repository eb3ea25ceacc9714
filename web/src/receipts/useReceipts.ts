import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import type { WalletFields } from "../api/client.ts";
import { useCommunity } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { useOrders } from "../api/orders.ts";
import { useTotals } from "../api/wallet.ts";
import { site } from "../lib/site.ts";
import { contradictions, newestFirst, readKept } from "./check.ts";
import { kept } from "./keep.ts";
import { syncReceipts, type Synced } from "./sync.ts";

/** Delays after a change: the server signs receipts about a second later, or when its signer answers. */
const SOON_MS = 2_000;
const LATER_MS = 8_000;
/** Intervals without a change: for receipts that were signed late, and while the server can't be reached. */
const QUIET_MS = 5 * 60_000;
const FAILED_MS = 15_000;

/** The wallet's kept receipts, newest first, and which of them contradict each other. */
export function useKept(wallet: WalletFields) {
  const owner = wallet.w_wallet_code_ord;
  const { data } = useQuery({
    queryKey: keys.keptReceipts(owner),
    queryFn: async () => {
      const { texts, lasts } = await kept.read(owner);
      return { texts: texts.toSorted(), lasts };
    },
    gcTime: 0, // a disconnected wallet's receipts leave the page's memory
    retry: false,
  });
  return useMemo(() => {
    if (!data) return undefined;
    const receipts = newestFirst(data.texts.map(readKept));
    return { receipts, lasts: data.lasts, contradicting: contradictions(receipts) };
  }, [data]);
}

/** Fetches, verifies and keeps the wallet's receipts. Each component with this hook shares the result. */
export function useSync(wallet: WalletFields) {
  const client = useQueryClient();
  const key = useCommunity().data?.statement_key;
  const owner = wallet.w_wallet_code_ord;
  const query = useQuery({
    queryKey: keys.receipts(owner),
    enabled: key !== undefined && key !== "",
    queryFn: async ({ signal }) => {
      const expected = { network: site.network, community: site.prefix, owner, key: key! };
      const result = await syncReceipts(expected, kept, signal);
      // Also if nothing was added here: another tab may have kept something.
      void client.invalidateQueries({ queryKey: keys.keptReceipts(owner) });
      return result;
    },
    gcTime: 0,
    refetchInterval: ({ state }) => (state.status === "error" ? FAILED_MS : QUIET_MS),
  });
  /** The community publishes a key, so it signs receipts. */
  const signs = key === undefined ? undefined : key !== "" && query.data?.served !== false;
  return { ...query, signs };
}

/** Fetches receipts again after each change of the wallet's figures or orders. Used once in a page. */
export function useFollow(wallet: WalletFields): void {
  const client = useQueryClient();
  const owner = wallet.w_wallet_code_ord;
  const totals = useTotals(wallet).data;
  const orders = useOrders(wallet).data;
  const seen = useRef({ owner, totals, orders });
  useEffect(() => {
    const before = seen.current;
    seen.current = { owner, totals, orders };
    // The first figures of an owner are not a change.
    const isSame = (a: unknown, b: unknown): boolean => a === b || a === undefined;
    if (before.owner !== owner || (isSame(before.totals, totals) && isSame(before.orders, orders))) return;
    const queryKey = keys.receipts(owner);
    const again = (): void => void client.invalidateQueries({ queryKey });
    const soon = setTimeout(again, SOON_MS);
    const later = setTimeout(() => {
      if (client.getQueryData<Synced>(queryKey)?.added === 0) again();
    }, LATER_MS);
    return () => {
      clearTimeout(soon);
      clearTimeout(later);
    };
  }, [client, owner, totals, orders]);
}
