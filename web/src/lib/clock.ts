import { useSyncExternalStore } from "react";

/**
 * The page's one clock: the machine's time corrected by the server's, ticking once a second for everything that
 * counts down. A tick comes 15 ms after the second, or a timer that fires early would show one second twice.
 */
const LATE_MS = 15;
/** Server dates are whole seconds and answers travel: below this the machine's own clock is as good. */
const TOLERANCE_MS = 1500;
const SECOND_MS = 1000;

let offset = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let current = 0;
const listeners = new Set<() => void>();

export function now(): number {
  return Date.now() + offset;
}

/** Takes the server's time of a request sent at `sent` and answered at `received` (both of this machine). */
export function correctClock(server: number, sent: number, received: number): void {
  if (!Number.isFinite(server)) return;
  const measured = server - (sent + received) / 2;
  offset = Math.abs(measured) < TOLERANCE_MS ? 0 : measured;
}

function tick(): void {
  // The second that has just begun: a countdown must not depend on the milliseconds that the tick came late.
  current = Math.floor(now() / SECOND_MS) * SECOND_MS;
  for (const listener of listeners) listener();
  schedule();
}

function schedule(): void {
  timer = setTimeout(tick, SECOND_MS - (((now() % SECOND_MS) + SECOND_MS) % SECOND_MS) + LATE_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    current = Math.floor(now() / SECOND_MS) * SECOND_MS;
    schedule();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearTimeout(timer);
  };
}

function snapshot(): number {
  // Nobody listens while a page is drawn for the first time. A second that ends meanwhile must not show:
  // React would draw all of it anew, and in one piece. Whoever listens then sees the right one.
  const running = Math.floor(now() / SECOND_MS) * SECOND_MS;
  if (listeners.size === 0 && Math.abs(running - current) > SECOND_MS) current = running;
  return current;
}

/** Milliseconds since 1970 of the running second; renders again at every tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
