import type { Checked } from "../check";
import { bitcoinMethods } from "./bitcoin";
import { runesMethods } from "./runes";
import { walletMethods } from "./wallet";

/** Every method that can be asked of a wallet. A new one is one entry in its group's file. */
export const catalogue = { ...walletMethods, ...bitcoinMethods, ...runesMethods };

export type Method = keyof typeof catalogue;
export type Params<M extends Method> = Checked<(typeof catalogue)[M]["params"]>;
export type Result<M extends Method> = Checked<(typeof catalogue)[M]["result"]>;
