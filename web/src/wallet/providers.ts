import { stored } from "./storage.ts";

/** How a wallet describes itself in `window.btc_providers`. */
export interface ProviderDescriptor {
  /** Dotted path of the provider object below `window`, e.g. "XverseProviders.BitcoinProvider". */
  id: string;
  name: string;
  /** A data: URL; empty when the wallet brings none. */
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

/** What a wallet puts below `window`. Everything is as the wallet made it: nothing is promised. */
export interface WindowProvider {
  /** Not there in a wallet with an API of its own. */
  request?(method: string, params: unknown): Promise<unknown>;
  addListener?: Listen;
}

/** Starts listening, in one of the two forms that are in use; gives a function that stops, or nothing. */
export interface Listen {
  (name: string, callback: (event: unknown) => void): unknown;
  (listener: { eventName: string; cb: (event: unknown) => void }): unknown;
}

export const XVERSE = "XverseProviders.BitcoinProvider";

/**
 * Wallets known by their window path, so that one that is not installed can be offered, and one
 * that is installed but does not register itself is found all the same. In the order of the list.
 * Only stores' pages that are certain: a wrong one would lead to a stranger's wallet. Where one is missing
 * the wallet's own site leads on.
 */
const KNOWN: readonly ProviderDescriptor[] = [
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

/** Wallets with an API of their own: the call that tells that it is there. Their adapters are in adapters/. */
const OWN_API: Record<string, string> = {
  unisat: "requestAccounts",
  LeatherProvider: "request",
  "magicEden.bitcoin": "connect",
  "okxwallet.bitcoin": "connect",
  "phantom.bitcoin": "requestAccounts",
};

/** Whether the wallet with this id is spoken to by its own API; by the standard where it is not there. */
export function speaksOwn(id: string, provider: WindowProvider): boolean {
  const mark = Object.hasOwn(OWN_API, id) ? OWN_API[id] : undefined;
  return mark !== undefined && typeof (provider as Record<string, unknown>)[mark] === "function";
}

/**
 * The object that a wallet put at this path, or undefined. Looked up at every call: wallets inject
 * late, and an id kept in storage may name a wallet that is gone.
 */
export function findProvider(id: string): WindowProvider | undefined {
  try {
    let at: unknown = globalThis;
    for (const part of id.split(".")) {
      if ((typeof at !== "object" && typeof at !== "function") || at === null) return undefined;
      at = (at as Record<string, unknown>)[part];
    }
    const found = at as WindowProvider | null | undefined;
    return found && (typeof found.request === "function" || speaksOwn(id, found)) ? found : undefined;
  } catch {
    return undefined; // a property that throws is no wallet
  }
}

/**
 * Every wallet that is known or has registered itself. Installed ones first, Xverse before all
 * others, then in the order of registration; each id once.
 */
export function listProviders(): WalletChoice[] {
  const choices = new Map<string, WalletChoice>();
  for (const descriptor of [...KNOWN, ...registered()]) {
    // A wallet names and pictures itself; where a known one is to be had is not for whoever registers its id to say.
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

/** `window.btc_providers` is written by strangers: entries without an id and a name are left out. */
function registered(): ProviderDescriptor[] {
  const list: unknown = (globalThis as { btc_providers?: unknown }).btc_providers;
  if (!Array.isArray(list)) return [];
  return list.flatMap((raw: Partial<ProviderDescriptor> | null) =>
    raw && typeof raw.id === "string" && raw.id !== "" && typeof raw.name === "string"
      ? [{ ...raw, id: raw.id, name: raw.name, icon: safeIcon(raw.icon) }]
      : [],
  );
}

/** Longest icon that is shown, in characters of its data: URL. */
const MAX_ICON = 300_000;

/** Only pictures that carry themselves: no wallet makes the page load something from elsewhere. */
function safeIcon(icon: unknown): string {
  return typeof icon === "string" && icon.length <= MAX_ICON && /^data:image\/[a-z0-9.+-]+[;,]/i.test(icon) ? icon : "";
}

/** Id of the wallet that is used when none is named; null when none was connected. */
export function defaultProvider(): string | null {
  return stored.provider.read();
}

export function setDefaultProvider(id: string): void {
  stored.provider.write(id);
}

export function removeDefaultProvider(): void {
  stored.provider.remove();
}
