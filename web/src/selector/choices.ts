import { listProviders, type ProviderDescriptor } from "../wallet/index.ts";
import { XVERSE } from "../wallet/providers.ts";
import { installLink, type Device, type InstallLink } from "./store.ts";

/** A wallet of the list. One that is not installed has a link: without it there would be nothing to do with it. */
export interface Choice extends ProviderDescriptor {
  installed: boolean;
  link: InstallLink | null;
}

const UNISAT = "unisat";

/**
 * The list as it is now: Xverse first, then the wallets that are installed, Unisat before all others, then those that
 * can be had. Unisat is left out inside a React Native app. Wallets inject late: ask again before relying on it.
 */
export function listChoices(device: Device = navigator): Choice[] {
  return listProviders()
    .map((wallet) => ({ ...wallet, link: installLink(wallet, device) }))
    .filter(isOffered)
    .sort((a, b) => rank(a) - rank(b));
}

function isOffered(choice: Choice): boolean {
  if (choice.id === UNISAT && inReactNative()) return false;
  return choice.installed || choice.link !== null;
}

function rank(choice: Choice): number {
  if (choice.id === XVERSE) return 0;
  if (!choice.installed) return 3;
  return choice.id === UNISAT ? 1 : 2;
}

/** Whether an app shows this page in React Native's web view, which puts this object there. */
function inReactNative(): boolean {
  return (globalThis as { ReactNativeWebView?: unknown }).ReactNativeWebView !== undefined;
}
