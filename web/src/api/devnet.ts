import { useQuery } from "@tanstack/react-query";
import { UNIT } from "../lib/amount.ts";
import { later } from "../lib/laterText.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { ApiError, decode } from "./client.ts";

/** Runes in base units with their decimals; `name` is empty if the rune is not known. */
export interface MovedRune {
  id: string;
  name: string;
  divisibility: number;
  amount: string;
}

/** A transaction of a dev network (internal/devnet/transaction.go). Values in sats. */
export interface Transaction {
  txid: string;
  confirmations: number;
  height: number | null;
  time: string | null;
  vbytes: number;
  fee: number | null;
  inputs: { txid: string; vout: number; value: number; address: string | null }[];
  outputs: { value: number; address: string | null; spent: boolean; runes: MovedRune[] }[];
  runestone: {
    cenotaph: boolean;
    etches: boolean;
    mints: string | null;
    pointer: number | null;
    edicts: (MovedRune & { output: number })[];
  } | null;
}

/** The token source that a dev network's community is configured with. */
export const FAUCET_PATH = "/dev/faucet";
const FAUCET_SATS = 1_000_000;
/** One million whole tokens, in base units. */
const FAUCET_RUNES = 1_000_000n * UNIT;

/** Requests sats and this community's runes from a dev network's faucet. */
export async function requestTestFunds(payment: string, ordinals: string): Promise<void> {
  await requestFaucet({ address: payment, sats: FAUCET_SATS });
  await requestFaucet({ address: ordinals, sats: 0, runes: FAUCET_RUNES.toString(), prefix: site.prefix });
}

async function requestFaucet(body: { address: string; sats: number; runes?: string; prefix?: string }): Promise<void> {
  const answer = await fetch(FAUCET_PATH, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new ApiError("http", `${FAUCET_PATH}: ${answer.status}`, { status: answer.status });
}

const POLL_MS = 3_000;

/** Fetches a transaction from the dev network's node, and refetches for new confirmations. */
export function useTransaction(txid: string) {
  return useQuery({
    queryKey: ["transaction", txid],
    queryFn: ({ signal }) => fetchTransaction(txid, signal),
    refetchInterval: POLL_MS,
    retry: false,
  });
}

async function fetchTransaction(txid: string, signal: AbortSignal): Promise<Transaction> {
  const answer = await fetch(`/dev/transaction?txid=${encodeURIComponent(txid)}`, { signal }).catch(() => null);
  if (answer === null) throw new ApiError("unreachable", text.http.unreachable);
  if (!answer.ok) throw new ApiError("http", later.transaction.unknown, { status: answer.status });
  return decode("transaction", (body: Transaction) => {
    if (!Array.isArray(body.inputs) || !Array.isArray(body.outputs)) throw new TypeError("no transaction");
    return body;
  })((await answer.json().catch(() => ({}))) as Transaction);
}
