import { useQuery } from "@tanstack/react-query";
import { get, decode, type WalletFields, type Wire } from "./client.ts";
import { keys } from "./keys.ts";

/** The instruction to compound automatically that a wallet signed last. Times in milliseconds since 1970. */
export interface Compounding {
  state: "NONE" | "ACTIVE" | "ENDED";
  /** The first epoch that an instruction signed now would cover. */
  nextEpoch: number;
  firstEpoch: number | null;
  lastEpoch: number | null;
  endedAt: number | null;
}

export function readCompounding(wire: Wire["AutoCompound"]): Compounding {
  return {
    state: wire.state,
    nextEpoch: wire.next_epoch,
    firstEpoch: wire.first_epoch,
    lastEpoch: wire.last_epoch,
    endedAt: wire.ended_at === null ? null : Date.parse(wire.ended_at),
  };
}

export function useCompounding(wallet: WalletFields) {
  return useQuery({
    queryKey: keys.compounding(wallet),
    queryFn: ({ signal }) =>
      get<Wire["AutoCompound"]>("autoCompound", { ...wallet }, signal).then(decode("autoCompound", readCompounding)),
  });
}
