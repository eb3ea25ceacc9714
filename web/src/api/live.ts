import { Cell } from "../lib/observable.ts";
import { callURL, type WalletFields, type Wire } from "./client.ts";

/** live: the stream tells of changes; polling: it is cut, the page asks every 2 s; opening: not known yet. */
export type LiveState = "opening" | "live" | "polling";

export const liveState = new Cell<LiveState>("opening");

/** A stream that has not opened, or was cut and is not back, after this long is replaced by asking. */
const PATIENCE_MS = 2_000;
const POLL_MS = 2_000;
/** EventSource gives up for good on some answers; then a new one is tried. */
const REOPEN_MS = 5_000;
/**
 * A stream of a machine that slept looks open and is dead: a clock that has jumped tells. A hidden page ticks once a
 * minute.
 */
const TICK_MS = 5_000;
const SLEPT_MS = 20_000;

export type Scope = Wire["Changed"]["scope"];

/**
 * Hears of changes until the returned function is called. `changed(scope)` means: fetch again what is shown of it;
 * without a scope, everything.
 */
export function follow(wallet: WalletFields | null, changed: (scope?: Scope) => void): () => void {
  const url = callURL("events", wallet ? { ...wallet } : undefined);
  let source: EventSource | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let opened = false;
  let awake = Date.now();

  function open(): void {
    source = new EventSource(url);
    source.addEventListener("open", up);
    source.addEventListener("error", down);
    source.addEventListener("changed", (event) => changed(scopeOf(event)));
    patience ??= setTimeout(startPolling, PATIENCE_MS);
  }

  function up(): void {
    stopPolling();
    liveState.set("live");
    // Whatever happened while nobody listened is missing here.
    if (opened) changed();
    opened = true;
  }

  function down(): void {
    patience ??= setTimeout(startPolling, PATIENCE_MS);
    if (source?.readyState !== EventSource.CLOSED) return;
    source.close();
    clearTimeout(reopen);
    reopen = setTimeout(open, REOPEN_MS);
  }

  function startPolling(): void {
    if (poll !== undefined) return;
    liveState.set("polling");
    changed();
    poll = setInterval(() => changed(), POLL_MS);
  }

  function stopPolling(): void {
    clearTimeout(patience);
    clearInterval(poll);
    patience = poll = undefined;
  }

  /** Nobody looks at a hidden page: it catches up when somebody does. */
  function look(): void {
    if (document.hidden) return;
    const slept = Date.now() - awake > SLEPT_MS;
    awake = Date.now();
    if (slept) renew();
  }

  /** A new stream in place of one that may be dead, and everything fetched again. */
  function renew(): void {
    source?.close();
    clearTimeout(reopen);
    open();
    changed();
  }

  open();
  const ticks = setInterval(look, TICK_MS);
  document.addEventListener("visibilitychange", look);
  window.addEventListener("online", renew);
  return () => {
    clearInterval(ticks);
    document.removeEventListener("visibilitychange", look);
    window.removeEventListener("online", renew);
    source?.close();
    clearTimeout(reopen);
    stopPolling();
    liveState.set("opening");
  };
}

function scopeOf(event: MessageEvent<string>): Scope | undefined {
  try {
    return (JSON.parse(event.data) as Wire["Changed"]).scope;
  } catch {
    return undefined;
  }
}
