import { listProviders, type ProviderDescriptor } from "../wallet/index.ts";
import { XVERSE } from "../wallet/providers.ts";
import { installLink, type Device, type InstallLink } from "./store.ts";

/** A wallet of the list. A wallet that is not installed always has an install link. */
export interface Choice extends ProviderDescriptor {
  installed: boolean;
  link: InstallLink | null;
}

const UNISAT = "unisat";

/**
 * Returns the current list: Xverse first, then installed wallets with Unisat before the others, then wallets that can
 * be installed with Unisat after the others. Unisat is left out inside a React Native app. Wallets can inject late, so
 * call this again before relying on it.
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
  if (choice.id === UNISAT) return choice.installed ? 1 : 4;
  return choice.installed ? 2 : 3;
}

/** Whether the page runs in React Native's web view, which injects this object. */
function inReactNative(): boolean {
  return (globalThis as { ReactNativeWebView?: unknown }).ReactNativeWebView !== undefined;
}
