import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { fromWire } from "../lib/amount.ts";
import { get, NO_WALLET, decode, type WalletFields, type Wire } from "./client.ts";
import { keys } from "./keys.ts";

/** A wallet in one settled epoch. Amounts in base units, times in milliseconds since 1970. */
export interface Earning {
  epoch: number;
  start: number;
  end: number;
  /** The total stake of all owners. */
  totalStaked: bigint;
  rewarded: bigint;
  stake: bigint;
  reward: bigint;
  /** What became of the reward. */
  use: Wire["Earning"]["use"];
}

export function readEarning(wire: Wire["Earning"]): Earning {
  return {
    epoch: wire.epoch,
    start: Date.parse(wire.start),
    end: Date.parse(wire.end),
    totalStaked: fromWire(wire.total_staked),
    rewarded: fromWire(wire.rewarded),
    stake: fromWire(wire.stake),
    reward: fromWire(wire.reward),
    use: wire.use,
  };
}

/** Maximum epochs per call: more than nine years of weekly epochs. */
const MAX_EPOCHS = 500;

/** A wallet's earnings in its last epochs, newest first. */
export function useEarnings(wallet: WalletFields | null) {
  return useQuery({
    queryKey: keys.earnings(wallet ?? NO_WALLET),
    queryFn: ({ signal }) =>
      get<Wire["EarningList"]>("earnings", { ...wallet!, limit: String(MAX_EPOCHS) }, signal).then(
        decode("earnings", ({ earnings }) => earnings.map(readEarning)),
      ),
    enabled: wallet !== null,
  });
}

/** A journal entry of a wallet. Runes in base units. */
export interface Entry {
  id: number;
  date: number;
  kind: string;
  runes: bigint | null;
  sats: bigint | null;
  txid: string | null;
  orderId: string | null;
  epoch: number | null;
  /** The server's sentence. */
  text: string;
}

export function readEntry(wire: Wire["Activity"]): Entry {
  return {
    id: wire.id,
    date: Date.parse(wire.date),
    kind: wire.kind,
    runes: wire.amount === null ? null : fromWire(wire.amount),
    sats: wire.sats === null ? null : fromWire(wire.sats),
    txid: wire.txid,
    orderId: wire.order_id,
    epoch: wire.epoch,
    text: wire.text,
  };
}

const PAGE = 100;

/** A wallet's journal, newest first, loaded page by page. */
export function useActivity(wallet: WalletFields) {
  return useInfiniteQuery({
    queryKey: keys.activity(wallet),
    queryFn: ({ signal, pageParam }) => {
      const query = { ...wallet, limit: String(PAGE), ...(pageParam > 0 ? { before: String(pageParam) } : {}) };
      return get<Wire["ActivityList"]>("activity", query, signal).then(
        decode("activity", ({ activity }) => activity.map(readEntry)),
      );
    },
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
  });
}
