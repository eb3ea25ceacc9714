import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useGlobals } from "../api/globals.ts";
import { keys } from "../api/keys.ts";
import { served } from "../lib/served.ts";
import { text } from "../lib/text.ts";
import { Countdown } from "./Countdown.tsx";

/** All pages reach zero together: each asks a little later than the others. */
const JITTER_MS = 1_000;

/** The countdown to the next epoch, large. It fetches once when it reaches zero. */
export function EpochHero({ small = false }: { small?: boolean }) {
  const client = useQueryClient();
  const { data } = useGlobals();
  const refetch = useCallback(() => {
    setTimeout(() => void client.invalidateQueries({ queryKey: keys.live }), Math.random() * JITTER_MS);
  }, [client]);
  return (
    <div className={small ? "max-sm:flex max-sm:items-baseline max-sm:gap-2" : ""}>
      <p className="text-fur sm:mb-1">
        {data && data.epoch >= 0 ? text.epoch.endsIn(served("Epoch", data.epoch)) : text.epoch.unknown}
      </p>
      <Countdown end={data?.end ?? Number.NaN} onZero={refetch} announce size={small ? "first" : "large"} />
    </div>
  );
}
