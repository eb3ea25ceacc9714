import type { KindName } from "../settings";
import type { Kind } from "./kind";
import { leather } from "./leather";
import { magicEden } from "./magicEden";
import { okx } from "./okx";
import { phantom } from "./phantom";
import { unisat } from "./unisat";
import { xverse } from "./xverse";

/** Every kind except the dev wallet itself, which follows the standard. */
export const kinds: Record<Exclude<KindName, "standard">, Kind> = { xverse, unisat, leather, okx, magicEden, phantom };

/** Returns the kind of this name, or undefined for the dev wallet itself. */
export const kindOf = (name: KindName): Kind | undefined => (name === "standard" ? undefined : kinds[name]);
