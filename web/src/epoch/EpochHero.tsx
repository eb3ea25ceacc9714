import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useGlobals } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { served } from "../lib/served.ts";
import { text } from "../lib/text.ts";
import { Countdown } from "./Countdown.tsx";

/** Maximum random delay: all pages reach zero together and must not send their requests at once. */
const JITTER_MS = 1_000;

/** The large countdown to the next epoch. It refetches once when it reaches zero. */
export function EpochHero({ small = false }: { small?: boolean }) {
  const client = useQueryClient();
  const { data } = useGlobals();
  const refetch = useCallback(() => {
    setTimeout(() => void client.invalidateQueries({ queryKey: keys.live }), Math.random() * JITTER_MS);
  }, [client]);
  return (
    <div className={small ? "max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:gap-x-2" : ""}>
      <p className="text-fur sm:mb-1">
        {data && data.epoch >= 0 ? text.epoch.endsIn(served("Epoch", data.epoch)) : text.epoch.unknown}
      </p>
      <Countdown end={data?.end ?? Number.NaN} onZero={refetch} announce size={small ? "first" : "large"} />
    </div>
  );
}
