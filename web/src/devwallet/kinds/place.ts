import type { KindName } from "../settings";
import type { DevWallet } from "../wallet";
import { kindOf } from "./catalogue";
import type { Kind } from "./kind";

/**
 * Returns the function that puts a kind of wallet on the page, in place of the kind that it put there before.
 * Anything that somebody else has put at that path, such as a real extension, stays.
 */
export function placer(page: any, opening: Promise<DevWallet>, icon: string): (name: KindName) => void {
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

/** Puts a kind's object on the page as its extension does; returns the function that removes it. */
function put(page: any, kind: Kind, provider: object, icon: string): () => void {
  const parts = kind.path.split(".");
  const last = parts.pop()!;
  const parent = parts.reduce((at, part) => (at[part] ??= {}), page);
  if (parent[last] !== undefined) return () => {};
  // Not enumerable, as window.unisat is.
  Object.defineProperty(parent, last, { value: provider, configurable: true });
  const entry = kind.registers && { id: kind.path, icon, ...kind.registers };
  if (entry) (page.btc_providers ??= []).push(entry);
  if (kind.event) page.dispatchEvent(new Event(kind.event));
  return () => {
    if (parent[last] === provider) delete parent[last];
    if (entry) page.btc_providers = page.btc_providers.filter((one: unknown) => one !== entry);
  };
}
