import { adapterFor } from "./adapters/choose.ts";
import type { WalletEventName } from "./adapters/adapter.ts";
import { defaultProvider, findProvider } from "./providers.ts";
import { walletTexts } from "./texts.ts";

export type { WalletEventName };

/**
 * Hears an event of the connected wallet: another account, another network, or the wallet ending the
 * connection. What the event carries is not handed on: ask the wallet again. Gives the function that
 * stops listening. Does nothing without a wallet, or with one that has no events.
 */
export function onWalletEvent(event: WalletEventName, heard: () => void): () => void {
  const provider = defaultProvider();
  if (!provider || !findProvider(provider)) return () => {};
  let stop = (): void => {};
  let over = false;
  adapterFor(provider).then(
    (adapter) => {
      if (!over) stop = adapter.listen(event, () => heard());
    },
    (fault: unknown) => console.error(walletTexts.noListener, fault),
  );
  return () => {
    over = true;
    stop();
  };
}
