import type { Proof } from "../api/push.ts";
import { Cell } from "../lib/observable.ts";

/** The last action that was signed on this page, and its owner's ordinals address. */
export const lastSigned = new Cell<(Proof & { owner: string }) | null>(null);
