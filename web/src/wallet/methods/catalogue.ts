import type { Checked } from "../check.ts";
import { bitcoinMethods } from "./bitcoin.ts";
import type { Call } from "./call.ts";
import type { more } from "./more.ts";
import { runesMethods } from "./runes.ts";
import { walletMethods } from "./wallet.ts";

/** Methods that every page needs. */
const common = { ...walletMethods, ...bitcoinMethods, ...runesMethods };

/** Every method that can be requested. To add one, add an entry to the file of its group. */
type Catalogue = typeof common & typeof more;

export type Method = keyof Catalogue;
export type Params<M extends Method> = Checked<Catalogue[M]["params"]>;
export type Result<M extends Method> = Checked<Catalogue[M]["result"]>;

/** Returns the entry of a method, or undefined for an unknown method. */
export async function callOf<M extends Method>(method: M): Promise<Call<Params<M>, Result<M>> | undefined> {
  const group: object = Object.hasOwn(common, method) ? common : (await import("./more.ts")).more;
  return Object.hasOwn(group, method) ? (group as Record<M, Call<Params<M>, Result<M>>>)[method] : undefined;
}
