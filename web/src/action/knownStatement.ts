import { ApiError, callURL } from "../api/client.ts";
import { conflict } from "../lib/conflictText.ts";
import { site } from "../lib/site.ts";
import { text as texts } from "../lib/text.ts";
import { verifySuccessor } from "../verify/chain.ts";
import { readSigned, type Signed } from "../verify/statement.ts";
import { integer, object, pattern, text } from "../wallet/check.ts";
import { keptEntry } from "../wallet/storage.ts";
import { StatementConflict, type Evidence } from "./conflict.ts";

const hash = pattern(/^[0-9a-f]{64}$/, "64 hex digits");
/** The last statement that this browser saw, of one community and origin. */
const remembered = keptEntry(
  `statement.${site.network}.${site.prefix}`,
  object({ sequence: integer(0), id: hash, key: hash, text: text() }),
);

/** Maximum length of a remembered text: local storage has 5 MB for everything. */
const MAX_TEXT = 500_000;
const TIMEOUT_MS = 15_000;

interface Shown extends Evidence {
  signed: Signed;
}

/**
 * Returns the id of the server's newest statement for the message to sign, and remembers it; undefined if the community
 * publishes none. Throws StatementConflict unless the server's chain continues the statement that this browser saw
 * last.
 */
export async function checkedStatement(): Promise<string | undefined> {
  const last = remembered.read();
  const head = await load("head", last);
  if (!head) {
    if (last) throw new StatementConflict("missing", conflict.missing, last);
    return undefined;
  }
  if (last) await continues(last, head);
  remember(head);
  return head.id;
}

/** Returns the server's newest statement after verifying it; null if there is none. Remembers nothing. */
export async function newestStatement(): Promise<Signed | null> {
  return (await load("head", null))?.signed ?? null;
}

/** Throws unless the chain up to `head` contains the statement that was seen last, with the same key. */
async function continues(last: Evidence & { key: string }, head: Shown): Promise<void> {
  if (head.signed.key !== last.key) throw new StatementConflict("fork", conflict.fork(last.sequence), last, head);
  if (head.sequence < last.sequence) {
    throw new StatementConflict("behind", conflict.behind(last.sequence, head.sequence), last, head);
  }
  const at = head.sequence === last.sequence ? head : await load(String(last.sequence), last);
  if (!at || at.id !== last.id) throw new StatementConflict("fork", conflict.fork(last.sequence), last, at ?? head);
  let before = at.signed;
  for (let sequence = last.sequence + 1; sequence <= head.sequence; sequence += 1) {
    const next = sequence === head.sequence ? head : await load(String(sequence), last);
    if (!next || !isSuccessor(next.signed, before)) {
      throw new StatementConflict("fork", conflict.fork(sequence), last, next ?? head);
    }
    before = next.signed;
  }
}

function isSuccessor(next: Signed, before: Signed): boolean {
  try {
    verifySuccessor(next, before);
    return true;
  } catch {
    return false;
  }
}

/** Loads a statement and verifies its form, its signature, its place and its community. Null if there is none. */
async function load(which: string, seen: Evidence | null): Promise<Shown | null> {
  let response: Response;
  let body: string;
  try {
    response = await fetch(callURL(`statements/${which}`), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    body = await response.text();
  } catch {
    throw new ApiError("unreachable", texts.http.unreachable);
  }
  if (response.status === 404) return null;
  if (!response.ok) throw new ApiError("http", texts.action.unexpected("statements"), { status: response.status });
  try {
    const signed = readSigned(body);
    if (signed.community !== site.prefix || signed.network !== site.network) throw new TypeError("another community");
    if (which !== "head" && signed.sequence !== Number(which)) throw new RangeError("another statement");
    return { signed, sequence: signed.sequence, id: signed.id, text: body };
  } catch {
    throw new StatementConflict("unreadable", conflict.unreadable, seen, { sequence: 0, id: "", text: body });
  }
}

function remember({ signed, text }: Shown): void {
  const { sequence, id, key } = signed;
  remembered.write({ sequence, id, key, text: text.length > MAX_TEXT ? "" : text });
}

/**
 * Throws unless the message to sign names the statement on a line of its own. If there was none, the message can name
 * the first one, published since: that is checked here.
 */
export async function requireNamed(message: string, id: string | undefined): Promise<void> {
  const named = message.split("\n").filter((line) => line.startsWith("Statement: "));
  const wanted = id ?? (named.length > 0 ? await checkedStatement() : undefined);
  if (named.join("\n") !== (wanted === undefined ? "" : `Statement: ${wanted}`)) {
    throw new StatementConflict("unnamed", conflict.unnamed);
  }
}

/** Forgets the last statement at the user's request: the next action remembers what the server shows then. */
export function forgetStatement(): void {
  remembered.remove();
}
