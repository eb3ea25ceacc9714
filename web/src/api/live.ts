import { callURL, type WalletFields, type Wire } from "./client.ts";

/** Time after which polling replaces a stream that has sent no event since it was opened, or has not reconnected. */
const POLL_DELAY_MS = 2_000;
const POLL_MS = 2_000;
/**
 * The server sends an event at least every 15 s. A stream that is silent for longer is dead although it may look open:
 * a proxy holds its body, or the device slept.
 */
const SILENT_MS = 45_000;
const CHECK_MS = 5_000;

export type Scope = Wire["Changed"]["scope"];
type Changed = (scope?: Scope) => void;

/**
 * Follows changes until the returned function is called. `changed(scope)` refetches the data of that scope; without a
 * scope, all data. A hidden page follows nothing, and refetches all data when it becomes visible: over HTTP/1.1 all
 * tabs of a browser share six connections to a host, and a stream holds one of them.
 */
export function follow(wallet: WalletFields | null, changed: Changed): () => void {
  const url = callURL("events", wallet ? { ...wallet } : undefined);
  let stop = document.hidden ? undefined : followVisible(url, changed);
  const onVisibility = (): void => {
    if (document.hidden) {
      stop?.();
      stop = undefined;
    } else if (!stop) {
      stop = followVisible(url, changed);
      changed();
    }
  };
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    stop?.();
  };
}

/**
 * Follows changes in a visible page. Of all visible pages with the same URL, the one that holds the lock opens the
 * stream and tells the others what it receives. In a browser without such locks or channels, each page opens a stream.
 */
function followVisible(url: string, changed: Changed): () => void {
  let channel: BroadcastChannel;
  try {
    if (!navigator.locks) throw new Error("no locks");
    channel = new BroadcastChannel(url);
  } catch {
    return lead(url, changed); // the browser has no such thing, or forbids it as it forbids storage
  }
  const ended = new AbortController();
  let isLeader = false;
  let heardAt = Date.now();
  let stopLeading = (): void => {};
  const startLeading = (): void => {
    isLeader = true;
    stopLeading = lead(url, (scope) => {
      changed(scope);
      channel.postMessage(scope ?? "all");
    }, () => channel.postMessage("alive"));
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Scope | "all" | "alive">) => {
    heardAt = Date.now();
    if (data !== "alive") changed(data === "all" ? undefined : data);
  });
  // The browser may have stopped the page that leads.
  const watch = setInterval(() => {
    if (!isLeader && Date.now() - heardAt > SILENT_MS) changed();
  }, CHECK_MS);
  navigator.locks
    .request(url, { signal: ended.signal }, () => {
      startLeading();
      return new Promise<void>((release) => ended.signal.addEventListener("abort", () => release()));
    })
    .catch(() => {
      if (!ended.signal.aborted) startLeading(); // the browser refuses locks, as in a damaged profile
    });
  return () => {
    ended.abort();
    clearInterval(watch);
    stopLeading();
    channel.close();
  };
}

/** Opens a stream and replaces it by polling while it sends nothing. `alive` is called with each sign of life. */
function lead(url: string, changed: Changed, alive = (): void => {}): () => void {
  let source: EventSource;
  let heardAt = Date.now();
  let pollDelay: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  function open(): void {
    heardAt = Date.now();
    source = new EventSource(url);
    source.addEventListener("error", pollSoon);
    source.addEventListener("alive", hear);
    source.addEventListener("changed", (event) => {
      hear();
      changed(scopeOf(event));
    });
    pollSoon();
  }

  /** Only an event shows that the stream works: a proxy may pass its headers and hold its body. */
  function hear(): void {
    heardAt = Date.now();
    stopPolling();
    alive();
  }

  function pollSoon(): void {
    pollDelay ??= setTimeout(() => {
      changed();
      poll = setInterval(changed, POLL_MS);
    }, POLL_DELAY_MS);
  }

  function stopPolling(): void {
    clearTimeout(pollDelay);
    clearInterval(poll);
    pollDelay = poll = undefined;
  }

  /** Replaces a stream that may be dead, and refetches everything. */
  function reconnect(): void {
    source.close();
    open();
    changed();
  }

  open();
  const watch = setInterval(() => {
    // EventSource stops for good after some responses.
    if (source.readyState === EventSource.CLOSED || Date.now() - heardAt > SILENT_MS) reconnect();
  }, CHECK_MS);
  window.addEventListener("online", reconnect);
  window.addEventListener("offline", pollSoon); // the requests show whether it is true
  return () => {
    clearInterval(watch);
    window.removeEventListener("online", reconnect);
    window.removeEventListener("offline", pollSoon);
    source.close();
    stopPolling();
  };
}

function scopeOf(event: MessageEvent<string>): Scope | undefined {
  try {
    return (JSON.parse(event.data) as Wire["Changed"]).scope;
  } catch {
    return undefined;
  }
}
