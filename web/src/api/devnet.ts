import { useQuery } from "@tanstack/react-query";
import { later } from "../lib/laterText.ts";
import { text } from "../lib/text.ts";
import { ApiError, understood } from "./client.ts";

/** Runes as base units with their decimals; `name` is empty where the rune is not known. */
export interface MovedRune {
  id: string;
  name: string;
  divisibility: number;
  amount: string;
}

/** A transaction of a dev network (devnet/transaction.go). Values in sats. */
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

const POLL_MS = 3_000;

/** A transaction as the dev network's own node has it; its confirmations grow while one looks. */
export function useTransaction(txid: string) {
  return useQuery({
    queryKey: ["transaction", txid],
    queryFn: ({ signal }) => ask(txid, signal),
    refetchInterval: POLL_MS,
    retry: false,
  });
}

async function ask(txid: string, signal: AbortSignal): Promise<Transaction> {
  const answer = await fetch(`/dev/transaction?txid=${encodeURIComponent(txid)}`, { signal }).catch(() => null);
  if (answer === null) throw new ApiError("away", text.http.unreachable);
  if (!answer.ok) throw new ApiError("http", later.transaction.unknown, { status: answer.status });
  return understood("transaction", (body: Transaction) => {
    if (!Array.isArray(body.inputs) || !Array.isArray(body.outputs)) throw new TypeError("no transaction");
    return body;
  })((await answer.json().catch(() => ({}))) as Transaction);
}
