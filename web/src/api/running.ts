import { useMemo } from "react";
import { useNow } from "../lib/clock.ts";
import { likelyEpoch, QUALIFYING, startOf, type Boundary } from "../lib/eligibility.ts";
import { useCommunity, useEpochs, useGlobals, useServerStatus } from "./globals.ts";

/** The epoch that runs now, as far as it is known. Amounts in base units, moments in milliseconds since 1970. */
export interface RunningEpoch extends Boundary {
  /** Everything that is staked now. */
  totalStaked: bigint;
  /** What the epoch pays all stakers together; null: not known. */
  budget: bigint | null;
}

/** As many as the chart of rewards shows: one answer serves both. */
const COUNT = 8;
/** Also what the server plans with where epochs end by hand, on a dev network. */
const WEEK_SECONDS = 7 * 86_400;

/** null until the server has said which epoch runs. */
export function useRunningEpoch(): RunningEpoch | null {
  const { data: globals } = useGlobals();
  const { data: community } = useCommunity();
  const { data: epochs } = useEpochs(COUNT);
  if (!globals || globals.epoch < 0) return null;
  const { epoch, totalStaked, end } = globals;
  const reserved = epochs?.find((one) => one.epoch === epoch);
  return {
    epoch,
    totalStaked,
    budget: reserved && !reserved.settled ? reserved.amount : null,
    end,
    seconds: community?.epoch_seconds || WEEK_SECONDS,
    // The server lists an epoch from the block on that starts it.
    begun: epochs === undefined || reserved !== undefined,
  };
}

/** The epoch after a running one, at the same stake and budget. */
export function next(running: RunningEpoch): RunningEpoch {
  return { ...running, epoch: running.epoch + 1, end: running.end + running.seconds * 1000 };
}

/** When what is unstaked in an epoch unlocks: at the end of the one after it. */
export function unlockOf({ end, seconds }: RunningEpoch): number {
  return end + seconds * 1000;
}

/** From which epoch deposits are likely to earn, as things stand. */
export interface Expectation {
  /** By the block of a deposit; null: not in a block yet. */
  epochOf(height: number | null): number;
  /** When an epoch starts. */
  startOf(epoch: number): number;
}

/** Stays the same object until an expectation changes. null until the server has said which epoch runs. */
export function useExpectation(): Expectation | null {
  const running = useRunningEpoch();
  const now = useNow();
  const tip = useServerStatus().data?.tip_height ?? null;
  const byConfirmations = running && [0, 1, 2, QUALIFYING].map((count) => likelyEpoch(running, count, now));
  const key = running && JSON.stringify([byConfirmations, running.epoch, running.end, running.seconds, tip]);
  return useMemo(() => {
    if (key === null) return null;
    return {
      epochOf: (height) => byConfirmations![Math.min(QUALIFYING, confirmationsOf(height, tip))]!,
      startOf: (epoch) => startOf(running!, epoch),
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the key holds all that the rest is computed from
  }, [key]);
}

/** At least 1 for a deposit in a block, whatever is known of the chain's tip. */
export function confirmationsOf(height: number | null, tip: number | null): number {
  return height === null ? 0 : Math.max(1, (tip ?? height) - height + 1);
}
