import { adapterFor } from "./adapters/choose";
import type { WalletEventName } from "./adapters/adapter";
import { defaultProvider, findProvider } from "./providers";

export type { WalletEventName };

/**
 * Hears an event of the connected wallet: another account, another network, or the wallet ending the
 * connection. What the event carries is not handed on: ask the wallet again. Gives the function that
 * stops listening. Does nothing without a wallet, or with one that has no events.
 */
export function onWalletEvent(event: WalletEventName, heard: () => void): () => void {
  const provider = defaultProvider();
  if (!provider || !findProvider(provider)) return () => {};
  return adapterFor(provider).listen(event, () => heard());
}
