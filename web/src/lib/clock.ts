import { useSyncExternalStore } from "react";

/**
 * The page's clock: the device's time corrected by the server's time. It ticks once a second for all countdowns. A tick
 * comes 15 ms after the full second, because a timer that fires early would show one second twice.
 */
const LATE_MS = 15;
/** The server's dates are whole seconds, and responses take time: smaller differences are not corrected. */
const TOLERANCE_MS = 1500;
const SECOND_MS = 1000;

let offset = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let current = 0;
const listeners = new Set<() => void>();

export function now(): number {
  return Date.now() + offset;
}

/** Corrects the clock by the server's time in a response. `sent` and `received` are times of the device. */
export function correctClock(server: number, sent: number, received: number): void {
  if (!Number.isFinite(server)) return;
  const measured = server - (sent + received) / 2;
  offset = Math.abs(measured) < TOLERANCE_MS ? 0 : measured;
}

function tick(): void {
  // Round down to the second: a countdown must not depend on the delay of the tick.
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
  // There are no subscribers during the first render. If a second ends meanwhile, the value must stay: React would
  // render everything again without interruption. The first subscriber updates it.
  const running = Math.floor(now() / SECOND_MS) * SECOND_MS;
  if (listeners.size === 0 && Math.abs(running - current) > SECOND_MS) current = running;
  return current;
}

/** Returns the current second in milliseconds since 1970, and rerenders at every tick. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot, snapshot);
}
