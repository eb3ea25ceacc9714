import { callTexts } from "./callTexts.ts";
import { logged, PageError } from "../lib/failure.ts";
import { site } from "../lib/site.ts";
import { text } from "../lib/text.ts";
import { loadSentences, translate, type Sentence } from "../lib/translate.ts";
import type { components } from "./schema.gen.ts";

export type Wire = components["schemas"];

/** The two addresses in every wallet call. */
export interface WalletFields {
  w_wallet_code: string;
  w_wallet_code_ord: string;
}

/**
 * A failed call. `message` can be displayed; `code` is the server's error code, or empty. refused: the server refused
 * the request (success=false); http: another status; unreachable: no response. `details` is what a program's client
 * throws in this case (callTexts.ts); null if it is the server's own message, or there is no response.
 */
export class ApiError extends PageError {
  override readonly name = "ApiError";
  readonly kind: "refused" | "http" | "unreachable";
  readonly status: number;
  readonly code: string;
  readonly details: string | null;

  constructor(
    kind: ApiError["kind"],
    fallback: string,
    { status = 0, sent, details }: { status?: number; sent?: Sentence | null; details?: string } = {},
  ) {
    super(sent?.message ? translate(sent) : fallback);
    this.details = sent?.message ? null : (details ?? null);
    this.kind = kind;
    this.status = status;
    this.code = sent?.code ?? "";
  }
}

/** The query key while no wallet is connected; the query is disabled then. */
export const NO_WALLET: WalletFields = { w_wallet_code: "", w_wallet_code_ord: "" };

const UNKNOWN_WALLET = "WALLET_DOES_NOT_EXIST";

/** Converts the refusal of a wallet that the server has never seen into an empty result. */
export function emptyIfUnknown<T>(empty: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof ApiError && error.kind === "refused" && error.code === UNKNOWN_WALLET) return empty;
    throw error;
  };
}

/** Reads a response's data. Unreadable data is an ApiError with a displayable message, not an exception of the page. */
export function decode<W, T>(call: string, read: (wire: W) => T): (wire: W) => T {
  return (wire) => {
    try {
      return read(wire);
    } catch {
      throw logged(new ApiError("http", text.action.unexpected(call), { details: callTexts.unexpected(call) }));
    }
  };
}

const TIMEOUT_MS = 15_000;

/** Returns the URL of a call of this community. */
export function callURL(call: string, query?: Record<string, string>): string {
  const search = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : "";
  const parts = [site.apiBase.replace(/\/$/, ""), site.prefix, call];
  return `${parts.filter((part, i) => i === 0 || part !== "").join("/")}${search}`;
}

export function get<T>(call: string, query?: Record<string, string>, signal?: AbortSignal): Promise<T> {
  return send<T>(call, callURL(call, query), {}, signal);
}

export function post<T>(call: string, body: object, signal?: AbortSignal): Promise<T> {
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return send<T>(call, callURL(call), init, signal);
}

async function send<T>(call: string, url: string, init: RequestInit, signal?: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  try {
    response = await fetch(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError("unreachable", navigator.onLine === false ? text.http.offline : text.http.unreachable);
  }
  const envelope = await readEnvelope<T>(response);
  const { ok, status } = response;
  const details = callTexts.status(status, response.statusText);
  if (envelope?.success === false) await loadSentences();
  if (!ok) throw logged(new ApiError("http", statusText(response), { status, sent: envelope, details }));
  const noBody = { status, details: callTexts.noBody };
  if (!envelope) throw logged(new ApiError("http", text.http.nullBody, noBody));
  if (!envelope.success)
    throw logged(
      new ApiError("refused", text.action.unexpected(call), { sent: envelope, details: callTexts.unexpected(call) }),
    );
  if (envelope.data === null || envelope.data === undefined)
    throw logged(new ApiError("http", text.http.nullBody, noBody));
  return envelope.data;
}

interface Envelope<T> extends Sentence {
  success: boolean;
  data: T | null;
}

async function readEnvelope<T>(response: Response): Promise<Envelope<T> | null> {
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "success" in body ? (body as Envelope<T>) : null;
  } catch {
    return null;
  }
}

function statusText(response: Response): string {
  if (response.status === 404) return text.http.notFound;
  if (response.status === 500) return text.http.internal;
  return callTexts.status(response.status, response.statusText);
}
