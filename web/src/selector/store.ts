import { isAndroid, isApple, type Device } from "../lib/device.ts";
import type { ProviderDescriptor } from "../wallet/index.ts";

/** Where a wallet can be installed from: the store of a browser or a phone, else the wallet's own site. */
export type Store = "chrome" | "mozilla" | "play" | "apple" | "site";

export interface InstallLink {
  store: Store;
  url: string;
}

type StoreField = "chromeWebStoreUrl" | "mozillaAddOnsUrl" | "googlePlayStoreUrl" | "iOSAppStoreUrl";

const fields: Record<Exclude<Store, "site">, StoreField> = {
  chrome: "chromeWebStoreUrl",
  mozilla: "mozillaAddOnsUrl",
  play: "googlePlayStoreUrl",
  apple: "iOSAppStoreUrl",
};

/** Returns the store of this browser. The phone's store takes precedence, because phones install no extensions. */
export function storeOf(device: Device): Store {
  if (isAndroid(device)) return "play";
  if (isApple(device)) return "apple";
  if (device.userAgent.includes("Firefox/")) return "mozilla";
  // Edge, Opera and Brave also contain "Chrome" and install from its store.
  return device.userAgent.includes("Chrome/") ? "chrome" : "site";
}

/** Returns this device's install link: its store, else the wallet's site; null if neither is known. */
export function installLink(wallet: ProviderDescriptor, device: Device): InstallLink | null {
  const store = storeOf(device);
  const own = store === "site" ? null : secure(wallet[fields[store]]);
  if (own !== null) return { store, url: own };
  const site = secure(wallet.webUrl);
  return site === null ? null : { store: "site", url: site };
}

/** Returns an https URL, else null: the addresses come from whichever script registered the wallet. */
function secure(url: unknown): string | null {
  return typeof url === "string" && url.startsWith("https://") ? url : null;
}
