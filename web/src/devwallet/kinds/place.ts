import type { KindName } from "../settings";
import type { DevWallet } from "../wallet";
import { kindOf } from "./catalogue";
import type { Kind } from "./kind";

/**
 * Returns the function that puts a kind of wallet on the page and removes the previous kind. An object of other code at
 * that path, such as a real extension's, is not replaced.
 */
export function createInstaller(page: any, opening: Promise<DevWallet>, icon: string): (name: KindName) => void {
  let current: KindName = "standard";
  let remove = (): void => {};
  return (name) => {
    if (name === current) return;
    remove();
    current = name;
    const kind = kindOf(name);
    remove = kind ? put(page, kind, kind.create(opening), icon) : () => {};
  };
}

/** Puts a kind's object on the page as its extension does. Returns the function that removes it. */
function put(page: any, kind: Kind, provider: object, icon: string): () => void {
  const parts = kind.path.split(".");
  const last = parts.pop()!;
  const parent = parts.reduce((at, part) => (at[part] ??= {}), page);
  if (parent[last] !== undefined) return () => {};
  // Not enumerable, like window.unisat.
  Object.defineProperty(parent, last, { value: provider, configurable: true });
  const entry = kind.registers && { id: kind.path, icon, ...kind.registers };
  if (entry) (page.btc_providers ??= []).push(entry);
  if (kind.event) page.dispatchEvent(new Event(kind.event));
  return () => {
    if (parent[last] === provider) delete parent[last];
    if (entry) page.btc_providers = page.btc_providers.filter((one: unknown) => one !== entry);
  };
}
