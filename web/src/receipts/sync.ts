import { ApiError, callURL } from "../api/client.ts";
import { text as texts } from "../lib/text.ts";
import { checkReceipts, type Expected } from "./check.ts";
import type { Keep } from "./keep.ts";

/** What the server answered. served: false if the community signs no receipts. */
export interface Synced {
  served: boolean;
  /** Number of receipts that were not kept before. */
  added: number;
  /** Texts of receipts that don't verify. They are not kept. */
  invalid: string[];
}

/** Receipts in one response of the server. */
const PAGE = 100;
const MAX_PAGES = 100;
const TIMEOUT_MS = 15_000;

/**
 * Fetches an owner's receipts, newest first, until it reaches kept receipts. Verifies the new ones and keeps them all
 * at once, so that an interrupted fetch leaves no gap. Throws ApiError if the server can't be reached.
 */
export async function syncReceipts(expected: Expected, keep: Keep, signal?: AbortSignal): Promise<Synced> {
  const known = new Set((await keep.read(expected.owner)).texts);
  const fresh = new Set<string>();
  for (let n = 0; n < MAX_PAGES; n += 1) {
    const page = await fetchPage(expected.owner, n * PAGE, signal);
    if (page === null) return { served: false, added: 0, invalid: [] };
    const unknown = page.filter((text) => !known.has(text));
    for (const text of unknown) fresh.add(text);
    if (page.length < PAGE || unknown.length === 0) break;
  }
  const { valid, invalid } = await checkReceipts([...fresh], expected);
  await keep.write(expected.owner, valid);
  return { served: true, added: valid.length, invalid };
}

/** Returns the text of each receipt; null if the community signs none. */
async function fetchPage(owner: string, skip: number, signal: AbortSignal | undefined): Promise<string[] | null> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let body: string;
  try {
    const url = callURL(`receipts/${encodeURIComponent(owner)}`, skip > 0 ? { skip: String(skip) } : {});
    response = await fetch(url, { signal: signal ? AbortSignal.any([signal, limit]) : limit });
    body = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("unreachable", texts.http.unreachable);
  }
  if (response.status === 404) return null;
  if (!response.ok) throw new ApiError("http", texts.action.unexpected("receipts"), { status: response.status });
  return elementsOf(body);
}

/** Returns the elements of a JSON array. Canonical JSON is what JSON.stringify writes, so their text is unchanged. */
function elementsOf(body: string): string[] {
  let list: unknown;
  try {
    list = JSON.parse(body);
  } catch {
    list = null;
  }
  if (!Array.isArray(list)) throw new ApiError("http", texts.action.unexpected("receipts"));
  return list.map((one) => JSON.stringify(one));
}
