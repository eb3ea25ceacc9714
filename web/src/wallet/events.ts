import { adapterFor } from "./adapters/choose.ts";
import type { WalletEventName } from "./adapters/adapter.ts";
import { defaultProvider, findProvider } from "./providers.ts";
import { walletTexts } from "./texts.ts";

export type { WalletEventName };

/** Extensions may inject their object after the page has loaded, usually within 10 seconds. */
const POLL_INTERVAL_MS = 250;
const USUAL_POLLS = 40;
/** After that, only each eighth poll looks. */
const RARE = 8;

/**
 * Subscribes to an event of a wallet, by default the connected one: a change of account, a change of network, or a
 * disconnect by the wallet. The event's data is not passed on: query the wallet instead. Returns the function that
 * unsubscribes.
 *
 * Waits for a wallet that injects late. Does nothing if no wallet is connected, or if the wallet has no events.
 */
export function onWalletEvent(
  event: WalletEventName,
  listener: () => void,
  provider: string | null = defaultProvider(),
): () => void {
  if (!provider) return () => {};
  let stop = (): void => {};
  let stopped = false;
  const listen = (): void => {
    adapterFor(provider).then(
      (adapter) => {
        if (!stopped) stop = adapter.listen(event, () => listener());
      },
      (error: unknown) => console.error(walletTexts.noListener, error),
    );
  };
  const stopWaiting = onceInjected(provider, listen);
  return () => {
    stopped = true;
    stopWaiting();
    stop();
  };
}

/** Waits at most 10 seconds for the wallet to appear on the page. Returns whether it did. */
export function waitForProvider(provider: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      stop();
      resolve(false);
    }, POLL_INTERVAL_MS * USUAL_POLLS);
    const stop = onceInjected(provider, () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Calls back once the wallet is on the page. Returns the function that stops waiting. */
function onceInjected(provider: string, onFound: () => void): () => void {
  if (findProvider(provider)) {
    onFound();
    return () => {};
  }
  let polls = 0;
  const timer = setInterval(() => {
    if (++polls > USUAL_POLLS && polls % RARE !== 0) return;
    if (findProvider(provider) === undefined) return;
    clearInterval(timer);
    onFound();
  }, POLL_INTERVAL_MS);
  return () => clearInterval(timer);
}
