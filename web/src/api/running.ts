import { useMemo } from "react";
import { useNow } from "../lib/clock.ts";
import { likelyEpoch, QUALIFYING, startOf, type Boundary } from "../lib/eligibility.ts";
import { site } from "../lib/site.ts";
import { useEpochs, useGlobals, useServerStatus } from "./globals.ts";

/** The current epoch, as far as it is known. Amounts in base units, times in milliseconds since 1970. */
export interface RunningEpoch extends Boundary {
  /** The current total stake. */
  totalStaked: bigint;
  /** The epoch's rewards for all stakers together; null if not known. */
  budget: bigint | null;
}

/** The server also plans with a week if epochs are ended manually, as on a dev network. */
const WEEK_SECONDS = 7 * 86_400;

/** Returns null until the server has reported the current epoch. */
export function useRunningEpoch(): RunningEpoch | null {
  const { data: globals } = useGlobals();
  const { data: epochs } = useEpochs();
  if (!globals || globals.epoch < 0) return null;
  const { epoch, totalStaked, end } = globals;
  const reserved = epochs?.find((one) => one.epoch === epoch);
  return {
    epoch,
    totalStaked,
    budget: reserved && !reserved.settled ? reserved.amount : null,
    end,
    seconds: site.epochSeconds || WEEK_SECONDS,
    // The server lists an epoch from the block that starts it.
    begun: epochs === undefined || reserved !== undefined,
  };
}

/** Whole epochs that unstaked runes wait after the one in which they are unstaked, as ledger.CooldownEpochs. */
const COOLDOWN_EPOCHS = 1;

/** Returns the last epoch in which runes are locked that are unstaked in an epoch: they unlock when it ends. */
export function lastLockedOf(unstaked: number): number {
  return unstaked + COOLDOWN_EPOCHS;
}

/** Returns when runes unlock that are unstaked in an epoch, by default the running one. */
export function unlockOf(running: RunningEpoch, unstaked = running.epoch): number {
  return startOf(running, lastLockedOf(unstaked) + 1);
}

/** From which epoch deposits are likely to earn. */
export interface Expectation {
  /** By the height of a deposit; null if it is not in a block yet. */
  epochOf(height: number | null): number;
  /** Start of an epoch. */
  startOf(epoch: number): number;
}

/** Returns the same object until the expectation changes; null until the server has reported the current epoch. */
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

/** A block takes this long on average. */
const BLOCK_MINUTES = 10;

/** Returns the confirmations of a transaction, at most the 3 that make it final, and the minutes to the third. */
export function useConfirmations(height: number | null): { count: number; minutes: number } {
  const tip = useServerStatus().data?.tip_height ?? null;
  const count = Math.min(QUALIFYING, confirmationsOf(height, tip));
  return { count, minutes: (QUALIFYING - count) * BLOCK_MINUTES };
}

/** Returns at least 1 for a deposit in a block, even if the chain's tip is unknown or behind. */
export function confirmationsOf(height: number | null, tip: number | null): number {
  return height === null ? 0 : Math.max(1, (tip ?? height) - height + 1);
}
