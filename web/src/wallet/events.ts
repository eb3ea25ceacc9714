import { adapterFor } from "./adapters/choose.ts";
import type { WalletEventName } from "./adapters/adapter.ts";
import { defaultProvider, findProvider } from "./providers.ts";
import { walletTexts } from "./texts.ts";

export type { WalletEventName };

/** Extensions inject after the page has begun: looked for so often (ms), so many times. */
const LOOK_EVERY = 250;
const LOOKS = 40;

/**
 * Hears an event of the connected wallet: another account, another network, or the wallet ending the
 * connection. What the event carries is not handed on: ask the wallet again. Gives the function that
 * stops listening. A wallet that injects late is waited for, 10 seconds long. Does nothing without a
 * wallet, or with one that has no events.
 */
export function onWalletEvent(event: WalletEventName, heard: () => void): () => void {
  const provider = defaultProvider();
  if (!provider) return () => {};
  let stop = (): void => {};
  let over = false;
  const listen = (): void => {
    adapterFor(provider).then(
      (adapter) => {
        if (!over) stop = adapter.listen(event, () => heard());
      },
      (fault: unknown) => console.error(walletTexts.noListener, fault),
    );
  };
  const forget = whenThere(provider, listen);
  return () => {
    over = true;
    forget();
    stop();
  };
}

/** Waits until the wallet is on the page, 10 seconds at most. Says whether it is. */
export function isThere(provider: string): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), LOOK_EVERY * LOOKS);
    whenThere(provider, () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Calls back once the wallet is on the page; gives the function that no longer waits for it. */
function whenThere(provider: string, there: () => void): () => void {
  if (findProvider(provider)) {
    there();
    return () => {};
  }
  let looks = 0;
  const timer = setInterval(() => {
    const found = findProvider(provider) !== undefined;
    if (found || ++looks === LOOKS) clearInterval(timer);
    if (found) there();
  }, LOOK_EVERY);
  return () => clearInterval(timer);
}
