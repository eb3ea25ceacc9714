import type { ProviderDescriptor } from "../wallet/index.ts";

/** Where this browser gets a wallet: its own store, else the wallet's site; null when neither is known. */
export function storeLink(wallet: ProviderDescriptor, agent: string): string | null {
  const store = /Android/.test(agent)
    ? wallet.googlePlayStoreUrl
    : /iPhone|iPad|iPod/.test(agent)
      ? wallet.iOSAppStoreUrl
      : /Firefox\//.test(agent)
        ? wallet.mozillaAddOnsUrl
        : /Chrome\//.test(agent)
          ? wallet.chromeWebStoreUrl
          : undefined;
  return store ?? wallet.webUrl ?? null;
}
