import { callURL, type WalletFields, type Wire } from "./client.ts";

/** Time after which polling replaces a stream that has not opened or has not reconnected. */
const POLL_DELAY_MS = 2_000;
const POLL_MS = 2_000;
/** EventSource stops for good after some responses; then open a new one. */
const REOPEN_MS = 5_000;
/**
 * Interval of the check for sleep: after the device slept, a dead stream looks open, but the time has jumped. Browsers
 * throttle timers of hidden pages to one per minute.
 */
const TICK_MS = 5_000;
const SLEPT_MS = 20_000;

export type Scope = Wire["Changed"]["scope"];

/**
 * Follows changes until the returned function is called. `changed(scope)` refetches the data of that scope; without a
 * scope, all data.
 */
export function follow(wallet: WalletFields | null, changed: (scope?: Scope) => void): () => void {
  const url = callURL("events", wallet ? { ...wallet } : undefined);
  let source: EventSource | undefined;
  let pollDelay: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let reopen: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    source = new EventSource(url);
    source.addEventListener("open", onOpen);
    source.addEventListener("error", onError);
    source.addEventListener("changed", (event) => changed(scopeOf(event)));
    pollDelay ??= setTimeout(startPolling, POLL_DELAY_MS);
  }

  function onOpen(): void {
    stopPolling();
    // The stream does not report changes from before it opened, and the first fetches may have missed them.
    changed();
  }

  function onError(): void {
    pollDelay ??= setTimeout(startPolling, POLL_DELAY_MS);
    if (source?.readyState !== EventSource.CLOSED) return;
    source.close();
    clearTimeout(reopen);
    reopen = setTimeout(open, REOPEN_MS);
  }

  function startPolling(): void {
    if (poll !== undefined) return;
    changed();
    poll = setInterval(() => changed(), POLL_MS);
  }

  function stopPolling(): void {
    clearTimeout(pollDelay);
    clearInterval(poll);
    pollDelay = poll = undefined;
  }

  /** Replaces a stream that may be dead, and refetches everything. */
  function reconnect(): void {
    source?.close();
    clearTimeout(reopen);
    open();
    changed();
  }

  open();
  const stopWatching = watchSleep(reconnect);
  window.addEventListener("online", reconnect);
  return () => {
    stopWatching();
    window.removeEventListener("online", reconnect);
    source?.close();
    clearTimeout(reopen);
    stopPolling();
  };
}

/** Calls back after the device slept. A hidden page waits until it becomes visible. Returns the function that stops. */
function watchSleep(onWake: () => void): () => void {
  let lastTick = Date.now();
  const check = (): void => {
    if (document.hidden) return;
    const slept = Date.now() - lastTick > SLEPT_MS;
    lastTick = Date.now();
    if (slept) onWake();
  };
  const timer = setInterval(check, TICK_MS);
  document.addEventListener("visibilitychange", check);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", check);
  };
}

function scopeOf(event: MessageEvent<string>): Scope | undefined {
  try {
    return (JSON.parse(event.data) as Wire["Changed"]).scope;
  } catch {
    return undefined;
  }
}
