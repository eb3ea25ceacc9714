import type { WalletError } from "./errors.ts";
import { stored } from "./storage.ts";

const endings = new EventTarget();
const ENDED = "ended";

/** Forgets the session because the wallet shares no account with this page any more, and tells who listens. */
export function endSession(fault: WalletError): void {
  if (stored.session.read() === null) return;
  stored.session.remove();
  endings.dispatchEvent(new CustomEvent(ENDED, { detail: fault }));
}

/**
 * Calls back when the session ends because the wallet says so: the person ended the connection in the wallet, or locked
 * it. `fault.message` says what to do. Gives the function that stops listening.
 */
export function onSessionEnd(heard: (fault: WalletError) => void): () => void {
  const forward = (event: Event): void => heard((event as CustomEvent<WalletError>).detail);
  endings.addEventListener(ENDED, forward);
  return () => endings.removeEventListener(ENDED, forward);
}
