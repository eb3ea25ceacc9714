import { hex } from "@scure/base";
import leather from "./answers/leather.json" with { type: "json" };
import magicEden from "./answers/magicEden.json" with { type: "json" };
import okx from "./answers/okx.json" with { type: "json" };
import phantom from "./answers/phantom.json" with { type: "json" };
import unisat from "./answers/unisat-1.7.13.json" with { type: "json" };
import xverse from "./answers/xverse-0.49.0.json" with { type: "json" };
import { putOnPage } from "./provider.ts";

/** One recorded call: `answer` is what it returned, `thrown` what it threw; neither if the wallet gave no response. */
export interface Recorded {
  method: string;
  params?: unknown;
  answer?: unknown;
  thrown?: unknown;
  note: string;
}

/**
 * How a kind of wallet is called: by `request`, which resolves to an error's response or throws it, or by a function
 * per method.
 */
type Form = "request" | "request, errors thrown" | "methods";

/** A kind of wallet: its form, the path of its object below `window`, and its recorded calls (answers/README.md). */
const kindOf = (form: Form, path: string, { entries }: { entries: object[] }) =>
  ({ form, path, entries: entries as Recorded[] });

const files = {
  xverse: kindOf("request", "XverseProviders.BitcoinProvider", xverse),
  unisat: kindOf("methods", "unisat", unisat),
  leather: kindOf("request, errors thrown", "LeatherProvider", leather),
  okx: kindOf("methods", "okxwallet.bitcoin", okx),
  magicEden: kindOf("methods", "magicEden.bitcoin", magicEden),
  phantom: kindOf("methods", "phantom.bitcoin", phantom),
};

export type Kind = keyof typeof files;
export const kinds = Object.keys(files) as Kind[];
export const pathOf = (kind: Kind): string => files[kind].path;

/** The recorded calls of a kind that got a response. */
export const entriesOf = (kind: Kind): Recorded[] =>
  files[kind].entries.filter((entry) => "answer" in entry || "thrown" in entry).map((entry) => withBytes(entry));

/** The first recorded success of each method while the page was connected. */
export function successesOf(kind: Kind): Map<string, Recorded> {
  const connected = entriesOf(kind).filter(
    (entry) => "answer" in entry && !entry.note.startsWith("never connected") && !isError(entry.answer),
  );
  return new Map(connected.reverse().map((entry) => [entry.method, entry]));
}

const isError = (answer: unknown): boolean => typeof answer === "object" && answer !== null && "error" in answer;

/** JSON has no bytes: `{"bytes": hex}` stands for them. */
function withBytes<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if ("bytes" in value) return hex.decode(value.bytes as string) as T;
  if (Array.isArray(value)) return value.map(withBytes) as T;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBytes(item)])) as T;
}

/** Returns a function that throws `value`, to be a changed method of `installRecorded`. */
export const throws = (value: unknown) => () => {
  throw value;
};

/**
 * Puts a wallet on the page that answers each method with its first recorded success. `changes` replaces methods: by a
 * function, by another answer, or by undefined for a method that the wallet lacks. Returns the calls that the wallet
 * receives, and the function that emits one of its events.
 */
export function installRecorded(kind: Kind, changes: Record<string, unknown> = {}) {
  const { form, path } = files[kind];
  const recorded = [...successesOf(kind)].map(([method, { answer }]) => [method, answer]);
  const answers: Record<string, unknown> = { ...Object.fromEntries(recorded), ...changes };
  const calls: unknown[][] = [];
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  const call = async (method: string, ...args: unknown[]): Promise<unknown> => {
    calls.push([method, ...args]);
    const answer = answers[method];
    return typeof answer === "function" ? answer(...args) : answer;
  };
  const missing = { jsonrpc: "2.0", id: "1", error: { code: -32601, message: "not supported" } };
  const request = async (method: string, ...args: unknown[]): Promise<unknown> => {
    const answer = answers[method] === undefined ? missing : await call(method, ...args);
    if (form === "request, errors thrown" && isError(answer)) throw answer;
    return answer;
  };
  const methods = Object.keys(answers).filter((method) => answers[method] !== undefined);
  const own = Object.fromEntries(methods.map((method) => [method, call.bind(undefined, method)]));
  const on = (event: string, listener: (data: unknown) => void) =>
    void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
  const removeListener = (event: string, listener: (data: unknown) => void) =>
    void listeners.get(event)?.delete(listener);
  putOnPage(path, form === "methods" ? { ...own, on, removeListener } : { request });
  const emit = (event: string, data: unknown) => listeners.get(event)?.forEach((listener) => listener(data));
  return { calls, emit };
}
