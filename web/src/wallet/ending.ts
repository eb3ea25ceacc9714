import type { WalletError } from "./errors.ts";
import { stored } from "./storage.ts";

const endings = new EventTarget();
const ENDED = "ended";

/** Deletes the session because the wallet no longer shares an account with this page, and calls the listeners. */
export function endSession(fault: WalletError): void {
  if (stored.session.read() === null) return;
  stored.session.remove();
  endings.dispatchEvent(new CustomEvent(ENDED, { detail: fault }));
}

/**
 * Subscribes to the end of the session by the wallet: the user disconnected this page in the wallet, or locked it.
 * `fault.message` says what to do next. Returns the function that unsubscribes.
 */
export function onSessionEnd(listener: (fault: WalletError) => void): () => void {
  const forward = (event: Event): void => listener((event as CustomEvent<WalletError>).detail);
  endings.addEventListener(ENDED, forward);
  return () => endings.removeEventListener(ENDED, forward);
}
