import { useQuery } from "@tanstack/react-query";
import { fromWire } from "../lib/amount.ts";
import { get, decode, type Wire } from "./client.ts";
import { keys } from "./keys.ts";

/** The network's current fee rates, and the cost of typical orders at them, in sats. */
export interface FeeRates {
  /** sat/vB, fastest first. */
  rates: { blocks: number; rate: number }[];
  /** A claim of rewards. */
  claim: bigint;
  /** A withdrawal of one stake. */
  withdrawal: bigint;
}

export function useFeeRates() {
  return useQuery({
    queryKey: keys.feeRates,
    queryFn: ({ signal }) =>
      get<Wire["FeeRateList"]>("feeRates", undefined, signal).then(
        decode("feeRates", ({ rates, claim, withdrawal }): FeeRates => ({
          rates: rates.map(({ blocks, feerate }) => ({ blocks, rate: Number(feerate) })),
          claim: fromWire(claim),
          withdrawal: fromWire(withdrawal),
        })),
      ),
    refetchInterval: 30_000,
  });
}
