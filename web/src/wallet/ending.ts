import type { WalletError } from "./errors.ts";
import { stored } from "./storage.ts";

const endings = new EventTarget();
const ENDED = "ended";

/** Deletes the session because the wallet no longer shares an account with this page, and calls the listeners. */
export function endSession(error: WalletError): void {
  if (stored.session.read() === null) return;
  stored.session.remove();
  endings.dispatchEvent(new CustomEvent(ENDED, { detail: error }));
}

/**
 * Subscribes to the end of the session by the wallet: the user disconnected this page in the wallet, or locked it.
 * `error.message` says what to do next. Returns the function that unsubscribes.
 */
export function onSessionEnd(listener: (error: WalletError) => void): () => void {
  const forward = (event: Event): void => listener((event as CustomEvent<WalletError>).detail);
  endings.addEventListener(ENDED, forward);
  return () => endings.removeEventListener(ENDED, forward);
}
