import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { estimateAction, type EconomyEstimate, type Estimate, type SignedAction, type Speed } from "../api/actions.ts";
import type { Fees } from "../api/orders.ts";
import { later } from "../lib/laterText.ts";
import { useWallet } from "../session/session.ts";
import { readRate, writeRate } from "./rate.ts";

/** Economy delivery as it is entered. */
export interface SpeedForm {
  /** The text in the field for the rate. */
  typed: string;
  days: number;
}

/** The limit that the server uses by default, in days. */
const DEFAULT_DAYS = 14;

/** Returns the form with the server's suggestions. */
export function suggestedForm({ fees, maxDays }: EconomyEstimate): SpeedForm {
  return { typed: writeRate(Math.round(fees.rate * 1000)), days: Math.min(DEFAULT_DAYS, maxDays) };
}

/** Reads the form: the chosen speed, or what is wrong with the rate. `normal` is the network's rate in sat/vB. */
export function readForm(
  { typed, days }: SpeedForm,
  { minRate, maxRate, maxDays }: EconomyEstimate,
  normal: number,
): { speed: Speed; error: null } | { speed: null; error: string } {
  const rate = readRate(typed);
  const words = later.economy;
  const invalid = (error: string) => ({ speed: null, error });
  if (rate === null) return invalid(words.unreadable(writeRate(minRate + Math.floor((maxRate - minRate) / 2))));
  if (rate < minRate) return invalid(words.tooLow(writeRate(minRate)));
  if (rate > maxRate) return invalid(words.tooHigh(writeRate(maxRate), writeRate(Math.round(normal * 1000))));
  return { speed: { rate, days: Math.min(days, maxDays) }, error: null };
}

const SETTLE_MS = 250;

/** Returns a value once it has stayed the same for a quarter of a second. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Prices of an action at both speeds. */
export interface Prices {
  /** The newest estimate. */
  estimate: Estimate;
  /** The price at the chosen speed; null until it is known. */
  fees: Fees | null;
  /** The chosen economy delivery; null at normal speed, or if the form has an error. */
  speed: Speed | null;
  error: string | null;
}

/**
 * Estimates an action at normal speed and at the entered speed, or the suggested one if `form` is null. The server
 * replaces an unavailable rate or limit by the nearest available one, so every answer has the current bounds.
 */
export function useEstimate(type: SignedAction, units: readonly string[], form: SpeedForm | null) {
  const wallet = useWallet();
  const rate = form && readRate(form.typed);
  const entered = form && rate ? `${rate} ${form.days}` : "";
  const settled = useSettled(entered);
  const query = useQuery({
    queryKey: ["estimate", wallet, type, units, settled],
    queryFn: ({ signal }) => {
      const [rate, days] = settled.split(" ").map(Number);
      return estimateAction(wallet!, type, units, settled ? { rate: rate!, days: days! } : undefined, signal);
    },
    enabled: wallet !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const isCurrent = entered === settled && !query.isPlaceholderData;
  return { query, prices: query.data ? pricesOf(query.data, form, isCurrent) : null };
}

/** `isCurrent` reports whether the estimate is about the form. */
function pricesOf(estimate: Estimate, form: SpeedForm | null, isCurrent: boolean): Prices {
  const { economy, fees } = estimate;
  if (!form) return { estimate, fees, speed: null, error: null };
  if (!economy) return { estimate, fees: null, speed: null, error: null };
  const reading = readForm(form, economy, fees.rate);
  return { estimate, fees: reading.speed && isCurrent ? economy.fees : null, ...reading };
}
