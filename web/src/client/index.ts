// A client of the staking calls for other programs: Node, Deno or a browser. Its calls, queries, bodies and answers are
// the types that openapi-typescript generates from api/openapi.yaml (../api/schema.gen.ts), so it has every call and no
// dependency at run time.
import type { paths } from "../api/schema.gen.ts";
import { callTexts } from "../api/callTexts.ts";

export type { components } from "../api/schema.gen.ts";

type Method = "get" | "post";

/** The calls with a method. */
export type CallOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: { 200: unknown } }> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P][M];
type Query<O> = O extends { parameters: { query?: infer Q } } ? Exclude<Q, undefined> : never;
type Segments<O> = O extends { parameters: { path: infer S } } ? S : never;
type Body<O> = O extends { requestBody?: { content: { "application/json": infer B } } } ? B : never;
type Json<O> = O extends { responses: { 200: { content: { "application/json": infer A } } } } ? A : never;

/** The answer's data, without the envelope. */
export type Data<P extends keyof paths, M extends Method> =
  Json<Operation<P, M>> extends { data: infer D } ? Exclude<D, null> : Json<Operation<P, M>>;

/** Values of the path's segments and of the query, and the request body, if the call has these. */
export interface Request<O> {
  path?: Segments<O>;
  query?: Query<O>;
  body?: Body<O>;
  signal?: AbortSignal;
}

/**
 * A call that the server refused or could not answer. `message` is the server's, else one of `callTexts`; `code` is the
 * server's error code, or empty.
 */
export class CallError extends Error {
  override readonly name = "CallError";
  readonly status: number;
  readonly code: string;

  constructor(message: string, status: number, code: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface ClientOptions {
  /** Address of the server, such as https://example.org. */
  origin: string;
  /** The community's prefix, such as lobo. */
  community: string;
  fetch?: typeof fetch;
}

export interface Client {
  get<P extends CallOf<"get">>(call: P, request?: Request<Operation<P, "get">>): Promise<Data<P, "get">>;
  post<P extends CallOf<"post">>(call: P, request?: Request<Operation<P, "post">>): Promise<Data<P, "post">>;
}

/** Returns a client of one community. */
export function createClient(options: ClientOptions): Client {
  const send = async (method: string, call: string, request: Request<unknown> = {}) => {
    const init: RequestInit = { method, signal: request.signal ?? null };
    if (request.body !== undefined) {
      init.headers = { "Content-Type": "application/json" };
      init.body = JSON.stringify(request.body);
    }
    const response = await (options.fetch ?? fetch)(urlOf(options, call, request), init);
    return dataOf(call, response);
  };
  return {
    get: (call, request) => send("GET", call, request) as Promise<never>,
    post: (call, request) => send("POST", call, request) as Promise<never>,
  };
}

function urlOf({ origin, community }: ClientOptions, call: string, { path, query }: Request<unknown>): URL {
  const filled = call.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((path as Record<string, unknown> | undefined)?.[name] ?? "")),
  );
  const url = new URL(`/${community}${filled}`, origin);
  for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

interface Envelope {
  success?: boolean;
  data?: unknown;
  message?: string;
  code?: string;
}

async function dataOf(call: string, response: Response): Promise<unknown> {
  const { ok, status, statusText } = response;
  const answer = (await response.json().catch(() => null)) as Envelope | null;
  if (!ok) throw new CallError(answer?.message || callTexts.status(status, statusText), status, answer?.code ?? "");
  if (answer === null) throw new CallError(callTexts.noBody, status, "");
  if (answer.success === false)
    throw new CallError(answer.message || callTexts.unexpected(call), status, answer.code ?? "");
  return "data" in answer ? answer.data : answer;
}
