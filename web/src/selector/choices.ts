import { icons } from "virtual:wallet-icons";
import { inReactNative, isPhone, type Device } from "../lib/device.ts";
import { listProviders, type ProviderDescriptor } from "../wallet/index.ts";
import { safeIcon, XVERSE } from "../wallet/providers.ts";
import { announcedIcon } from "./announced.ts";
import { installLink, type InstallLink } from "./store.ts";
import { walletBrowserLink } from "./walletBrowser.ts";

/** A wallet of the list. A wallet that is not installed always has an install link. */
export interface Choice extends ProviderDescriptor {
  installed: boolean;
  link: InstallLink | null;
  /** On a phone, the link that opens this page in the wallet's own browser, if the wallet has one. */
  browserLink: string | null;
}

const UNISAT = "unisat";

/**
 * Returns the current list: installed wallets, then wallets that can open this page in their own browser, then wallets
 * to install. Xverse is the first of each. Unisat follows it if it is installed, is the last to install, and is left
 * out inside a React Native app. Wallets can inject late, so call this again before relying on it.
 */
export function listChoices(device: Device = navigator, page = globalThis.location?.href): Choice[] {
  return listProviders()
    .map((wallet) => ({
      ...wallet,
      name: readableName(wallet.name),
      icon: wallet.icon || safeIcon(announcedIcon(wallet.name)) || (icons[wallet.id] ?? ""),
      link: installLink(wallet, device),
      browserLink: isPhone(device) && !wallet.installed ? walletBrowserLink(wallet.id, page) : null,
    }))
    .filter(isOffered)
    .sort((a, b) => rank(a) - rank(b));
}

/** Maximum length of a name, in characters. The tile shows two lines of it. */
const MAX_NAME = 60;

/**
 * Returns a name that fits its tile: without invisible characters, such as the ones that reverse the direction of all
 * that follows, and with at most two marks on a letter, since a stack of marks covers the lines above.
 */
function readableName(name: string): string {
  const visible = name.replace(/\s+/gu, " ").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "");
  const letters = [...visible.replace(/(\p{M}{2})\p{M}+/gu, "$1")];
  return letters.slice(0, MAX_NAME).join("").trim();
}

function isOffered(choice: Choice): boolean {
  if (choice.name === "" || (choice.id === UNISAT && inReactNative())) return false;
  return choice.installed || choice.link !== null;
}

function rank({ id, installed, browserLink }: Choice): number {
  if (installed) return id === XVERSE ? 0 : id === UNISAT ? 1 : 2;
  if (browserLink !== null) return id === XVERSE ? 3 : 4;
  return id === XVERSE ? 5 : id === UNISAT ? 7 : 6;
}
