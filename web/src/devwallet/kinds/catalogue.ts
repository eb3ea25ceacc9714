import type { KindName } from "../settings";
import type { Kind } from "./kind";
import { unisat } from "./unisat";
import { xverse } from "./xverse";

/** Every kind but the dev wallet itself. */
export const kinds: Partial<Record<KindName, Kind>> = { xverse, unisat };
