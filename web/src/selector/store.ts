import type { ProviderDescriptor } from "../wallet/index.ts";

/** Where a wallet is to be had: a browser's or a phone's store, else the wallet's own site. */
export type Store = "chrome" | "mozilla" | "play" | "apple" | "site";

export interface InstallLink {
  store: Store;
  url: string;
}

/** What tells browsers and phones apart. */
export interface Device {
  userAgent: string;
  /** More than one on a tablet that calls itself a Mac. */
  maxTouchPoints: number;
}

type StoreField = "chromeWebStoreUrl" | "mozillaAddOnsUrl" | "googlePlayStoreUrl" | "iOSAppStoreUrl";

const fields: Record<Exclude<Store, "site">, StoreField> = {
  chrome: "chromeWebStoreUrl",
  mozilla: "mozillaAddOnsUrl",
  play: "googlePlayStoreUrl",
  apple: "iOSAppStoreUrl",
};

/** The store of this browser. The phone decides before the browser: no phone installs extensions. */
export function storeOf({ userAgent, maxTouchPoints }: Device): Store {
  if (userAgent.includes("Android")) return "play";
  if (/iPhone|iPad|iPod/.test(userAgent)) return "apple";
  if (userAgent.includes("Macintosh") && maxTouchPoints > 1) return "apple";
  if (userAgent.includes("Firefox/")) return "mozilla";
  // Edge, Opera and Brave name Chrome too, and install from its store.
  return userAgent.includes("Chrome/") ? "chrome" : "site";
}

/** Where this device gets the wallet: its own store, else the wallet's site; null when neither is known. */
export function installLink(wallet: ProviderDescriptor, device: Device): InstallLink | null {
  const store = storeOf(device);
  const own = store === "site" ? null : secure(wallet[fields[store]]);
  if (own !== null) return { store, url: own };
  const site = secure(wallet.webUrl);
  return site === null ? null : { store: "site", url: site };
}

/** Addresses come from whatever registered itself: anything but https is no address here. */
function secure(url: unknown): string | null {
  return typeof url === "string" && url.startsWith("https://") ? url : null;
}
