import { stored } from "./storage.ts";

/** How a wallet describes itself in `window.btc_providers` (WBIP-004). */
export interface ProviderDescriptor {
  /** Dotted path of the provider object below `window`, e.g. "XverseProviders.BitcoinProvider". */
  id: string;
  name: string;
  /** A data: URL; empty if the wallet provides none. */
  icon: string;
  webUrl?: string;
  chromeWebStoreUrl?: string;
  mozillaAddOnsUrl?: string;
  googlePlayStoreUrl?: string;
  iOSAppStoreUrl?: string;
  methods?: string[];
}

/** An entry of the list of wallets, installed or not. */
export interface WalletChoice extends ProviderDescriptor {
  installed: boolean;
}

/** The object that a wallet injects below `window`. It is untrusted: any property may have any type. */
export interface WindowProvider {
  /** Undefined in a wallet with an API of its own. */
  request?(method: string, params: unknown): Promise<unknown>;
  addListener?: Listen;
}

/** Subscribes, in one of the two forms in use. May return a function that unsubscribes. */
export interface Listen {
  (name: string, callback: (event: unknown) => void): unknown;
  (listener: { eventName: string; cb: (event: unknown) => void }): unknown;
}

export const XVERSE = "XverseProviders.BitcoinProvider";

/**
 * Wallets that are listed even if they are not installed, and found even if they do not register themselves. They are
 * in the order of the list, which begins with Xverse and Unisat; rank in selector/choices.ts moves Unisat. Phantom
 * stays last, because its vendor calls its API deprecated. An icon is empty: an installed wallet announces its own.
 * Store links are present only where they are certain, because a wrong one would lead to another party's extension;
 * where a link is missing, the wallet's own site is used.
 */
export const KNOWN: readonly ProviderDescriptor[] = [
  {
    id: XVERSE,
    name: "Xverse",
    icon: "",
    webUrl: "https://www.xverse.app/",
    chromeWebStoreUrl: "https://chromewebstore.google.com/detail/xverse-wallet/idnnbdplmphpflfnlkomgpfbpcgelopg",
    googlePlayStoreUrl: "https://play.google.com/store/apps/details?id=com.secretkeylabs.xverse",
    iOSAppStoreUrl: "https://apps.apple.com/app/xverse-bitcoin-web3-wallet/id1552272513",
  },
  {
    id: "unisat",
    name: "Unisat",
    icon: "",
    webUrl: "https://unisat.io/download",
    chromeWebStoreUrl: "https://chromewebstore.google.com/detail/unisat-wallet/ppbibelpcjmhbdihakflkdcoccbgbkpo",
  },
  {
    id: "LeatherProvider",
    name: "Leather",
    icon: "",
    webUrl: "https://leather.io/",
    chromeWebStoreUrl: "https://chromewebstore.google.com/detail/leather/ldinpeekobnhjjdofggfgjlcehhmanlj",
    googlePlayStoreUrl: "https://play.google.com/store/apps/details?id=io.leather.mobilewallet",
    iOSAppStoreUrl: "https://apps.apple.com/app/id6499127775",
  },
  {
    id: "okxwallet.bitcoin",
    name: "OKX Wallet",
    icon: "",
    webUrl: "https://web3.okx.com/",
    chromeWebStoreUrl: "https://chromewebstore.google.com/detail/okx-wallet/mcohilncbfahbmgdjkbpemcciiolgcge",
    googlePlayStoreUrl: "https://play.google.com/store/apps/details?id=com.okinc.okex.gp",
  },
  {
    id: "magicEden.bitcoin",
    name: "Magic Eden",
    icon: "",
    webUrl: "https://wallet.magiceden.io/",
    chromeWebStoreUrl: "https://chromewebstore.google.com/detail/magic-eden-wallet/mkpegjkblkkefacfnmkajcjmabijhclg",
  },
  {
    id: "phantom.bitcoin",
    name: "Phantom",
    icon: "",
    webUrl: "https://phantom.com/",
    chromeWebStoreUrl: "https://chromewebstore.google.com/detail/phantom/bfnaelmomeimhlpmgjnjophhpkkoljpa",
    googlePlayStoreUrl: "https://play.google.com/store/apps/details?id=app.phantom",
  },
];

/** Wallets with an API of their own, each with a method that identifies it. choose.ts in adapters/ has the adapters. */
const OWN_API = {
  unisat: "requestAccounts",
  LeatherProvider: "request",
  "magicEden.bitcoin": "connect",
  "okxwallet.bitcoin": "connect",
  "phantom.bitcoin": "requestAccounts",
};

/** The id of a wallet with an API of its own. */
export type OwnId = keyof typeof OWN_API;

/** Whether the wallet with this id has an API of its own and that API is present. If not, the standard is used. */
export function hasOwnApi(id: string, provider: WindowProvider): id is OwnId {
  const mark = Object.hasOwn(OWN_API, id) ? OWN_API[id as OwnId] : undefined;
  return mark !== undefined && typeof (provider as Record<string, unknown>)[mark] === "function";
}

/**
 * Returns the object at this window path, or undefined. Resolved at every call: wallets inject late, and a stored id
 * may name a wallet that was removed.
 */
export function findProvider(id: string): WindowProvider | undefined {
  try {
    let at: unknown = globalThis;
    for (const part of id.split(".")) {
      if ((typeof at !== "object" && typeof at !== "function") || at === null) return undefined;
      at = (at as Record<string, unknown>)[part];
    }
    const found = at as WindowProvider | null | undefined;
    return found && (typeof found.request === "function" || hasOwnApi(id, found)) ? found : undefined;
  } catch {
    return undefined; // a property that throws is not a wallet
  }
}

/**
 * Lists every known or registered wallet: installed ones first, Xverse before all others, then in the order of
 * registration; each id once.
 */
export function listProviders(): WalletChoice[] {
  const choices = new Map<string, WalletChoice>();
  for (const descriptor of [...KNOWN, ...registered()]) {
    // A wallet sets its own name and icon. The store links of a known wallet cannot be overridden by registering its
    // id.
    const { name, icon } = descriptor;
    choices.set(descriptor.id, {
      ...descriptor,
      ...choices.get(descriptor.id),
      name,
      icon,
      installed: findProvider(descriptor.id) !== undefined,
    });
  }
  return [...choices.values()].sort((a, b) => rank(a) - rank(b));
}

function rank(choice: WalletChoice): number {
  return (choice.installed ? 0 : 2) + (choice.id === XVERSE ? 0 : 1);
}

/** `window.btc_providers` is untrusted: entries without an id and a name are dropped. */
function registered(): ProviderDescriptor[] {
  const list: unknown = (globalThis as { btc_providers?: unknown }).btc_providers;
  if (!Array.isArray(list)) return [];
  return list.flatMap((raw: Partial<ProviderDescriptor> | null) =>
    raw && typeof raw.id === "string" && raw.id !== "" && typeof raw.name === "string"
      ? [{ ...raw, id: raw.id, name: raw.name, icon: safeIcon(raw.icon) }]
      : [],
  );
}

/** Maximum length of an icon, in characters of its data: URL. */
const MAX_ICON = 300_000;

/** Accepts data: URLs only, so that no wallet makes the page load something from another origin. */
export function safeIcon(icon: unknown): string {
  return typeof icon === "string" && icon.length <= MAX_ICON && /^data:image\/[a-z0-9.+-]+[;,]/i.test(icon) ? icon : "";
}

/** Id of the wallet that is used when none is named; null if none was connected. */
export function defaultProvider(): string | null {
  return stored.provider.read();
}

export function setDefaultProvider(id: string): void {
  stored.provider.write(id);
}

export function removeDefaultProvider(): void {
  stored.provider.remove();
}
