import { queryOptions, useQuery } from "@tanstack/react-query";
import { fromWire } from "../lib/amount.ts";
import { correctClock, now } from "../lib/clock.ts";
import { get, decode, type Wire } from "./client.ts";
import { keys } from "./keys.ts";

/** The fund's figures. Amounts in base units, `end` in milliseconds since 1970. */
export interface Globals {
  totalStaked: bigint;
  totalIssued: bigint;
  /** −1 if not known. */
  epoch: number;
  /** End of the current epoch; NaN if not known. */
  end: number;
  notice: string;
}

/** Shown while the server has never responded. */
export const unreachable: Globals = {
  totalStaked: 0n,
  totalIssued: 2_100_000_000_000_000n,
  epoch: -1,
  end: Number.NaN,
  notice: "",
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
 * Returns the figures and the server time from the page, so that the first render needs no request; undefined if the
 * server wrote none.
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
      decode("infoGlobals", readGlobals),
    ),
  initialData: inlined,
  // After a failure, and after the epoch's end until the epoch changes, refetch with random delays.
  refetchInterval: ({ state }) =>
    state.data && (state.error || state.data.end <= now()) ? ENDED_MS + Math.random() * ENDED_MS : QUIET_MS,
});

/**
 * Returns the figures. `shown` is the last good response; the fallback while requests fail; undefined before the first
 * result. A query without data clears its error on every refetch, which would make the page flicker.
 */
export function useGlobals() {
  const query = useQuery(globalsQuery);
  return { ...query, shown: query.data ?? (query.errorUpdateCount > 0 ? unreachable : undefined) };
}

/** The community's settings, which change only with a restart of the server. Disabled on pages without a community. */
export function useCommunity(enabled = true) {
  return useQuery({
    queryKey: keys.community,
    enabled,
    queryFn: ({ signal }) => get<Wire["Community"]>("community", undefined, signal),
    staleTime: 10 * 60_000,
  });
}

/** The server's state. Each response also corrects the page's clock. */
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
  /** The rewards paid; for the current epoch its budget. Base units. */
  amount: bigint;
  owners: number;
  /** The stake that earned; 0 for the current epoch. */
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

/** Number of epochs in the chart of rewards. The figures use the same ones, so that one request serves all. */
const CHART_EPOCHS = 8;

/** The last epochs, oldest first. */
export function useEpochs(count = CHART_EPOCHS) {
  return useQuery({
    queryKey: [...keys.epochs, count],
    queryFn: ({ signal }) =>
      get<Wire["EpochList"]>("epochs", { limit: String(count) }, signal).then(
        decode("epochs", ({ epochs }) => epochs.map(readEpoch).reverse()),
      ),
  });
}
