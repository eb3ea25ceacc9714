import { queryOptions, useQuery } from "@tanstack/react-query";
import { fromWire } from "../lib/amount.ts";
import { correctClock, now } from "../lib/clock.ts";
import { text } from "../lib/text.ts";
import { get, understood, type Wire } from "./client.ts";
import { keys } from "./keys.ts";

/** The fund's figures; amounts in base units, `end` in milliseconds since 1970. */
export interface Globals {
  totalStaked: bigint;
  totalIssued: bigint;
  /** −1: not known. */
  epoch: number;
  /** End of the running epoch; NaN: not known. */
  end: number;
  notice: string;
}

/** What is shown while the server has never answered. */
export const unreachable: Globals = {
  totalStaked: 0n,
  totalIssued: 2_100_000_000_000_000n,
  epoch: -1,
  end: Number.NaN,
  notice: text.epoch.unreachable,
};

export function readGlobals(wire: Wire["InfoGlobals"]): Globals {
  if (!Number.isSafeInteger(wire.epoch) || typeof wire.frontNotice !== "string") throw new TypeError("no figures");
  return {
    totalStaked: fromWire(wire.total_staked),
    totalIssued: fromWire(wire.total_issued),
    epoch: wire.epoch,
    end: Date.parse(wire.end_next_epoch_UTC),
    notice: wire.frontNotice,
  };
}

/**
 * The figures that the server wrote into the page, and its clock then. Nothing needs to be asked for before the first
 * picture. undefined where it wrote none.
 */
function inlined(): Globals | undefined {
  const block = document.getElementById("globals")?.textContent;
  if (!block) return undefined;
  try {
    const wire = JSON.parse(block) as Wire["InfoGlobals"] & { time: string };
    const page = performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined;
    if (page) {
      correctClock(
        Date.parse(wire.time),
        performance.timeOrigin + page.requestStart,
        performance.timeOrigin + page.responseStart,
      );
    }
    return readGlobals(wire);
  } catch {
    return undefined;
  }
}

const QUIET_MS = 60_000;
const ENDED_MS = 3_000;

const globalsQuery = queryOptions({
  queryKey: keys.globals,
  queryFn: ({ signal }) =>
    get<Wire["InfoGlobals"]>("infoGlobals", { w_wallet_code: "-", w_wallet_code_ord: "-" }, signal).then(
      understood("infoGlobals", readGlobals),
    ),
  initialData: inlined,
  // Once the epoch's end has passed, ask again, not in step with all other pages, until its number changes.
  refetchInterval: ({ state }) =>
    state.data && state.data.end <= now() ? ENDED_MS + Math.random() * ENDED_MS : QUIET_MS,
});

/**
 * The figures. `shown` is what stands on the page: the last good ones; the fallback once asking has failed,
 * and as long as it fails (a query that never had an answer forgets its error whenever it asks again: the
 * page would flicker); undefined before.
 */
export function useGlobals() {
  const query = useQuery(globalsQuery);
  return { ...query, shown: query.data ?? (query.errorUpdateCount > 0 ? unreachable : undefined) };
}

/** What the page needs to know about the community. Changes with a restart of the server only. */
/** The community's settings; a page of no community asks for none. */
export function useCommunity(enabled = true) {
  return useQuery({
    queryKey: keys.community,
    enabled,
    queryFn: ({ signal }) => get<Wire["Community"]>("community", undefined, signal),
    staleTime: 10 * 60_000,
  });
}

/** The server's state. Each answer also sets the page's clock. */
export function useServerStatus() {
  return useQuery({
    queryKey: keys.status,
    queryFn: async ({ signal }) => {
      const sent = Date.now();
      const status = await get<Wire["Status"]>("status", undefined, signal);
      correctClock(Date.parse(status.time), sent, Date.now());
      return status;
    },
    refetchInterval: QUIET_MS,
  });
}

export interface EpochReward {
  epoch: number;
  settled: boolean;
  /** What was paid out; for a running epoch its budget. Base units. */
  amount: bigint;
  owners: number;
  /** What earned in it; 0 for a running one. */
  totalStaked: bigint;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
}

function readEpoch(wire: Wire["Epoch"]): EpochReward {
  return {
    epoch: wire.epoch,
    settled: wire.settled,
    amount: fromWire(wire.settled ? wire.rewarded : wire.budget),
    owners: wire.owners,
    totalStaked: fromWire(wire.total_staked),
    start: Date.parse(wire.start),
    end: Date.parse(wire.end),
  };
}

/** The last epochs, oldest first. */
export function useEpochs(count: number) {
  return useQuery({
    queryKey: [...keys.epochs, count],
    queryFn: ({ signal }) =>
      get<Wire["EpochList"]>("epochs", { limit: String(count) }, signal).then(
        understood("epochs", ({ epochs }) => epochs.map(readEpoch).reverse()),
      ),
  });
}
