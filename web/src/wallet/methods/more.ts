import { orderMethods } from "./orders.ts";
import { ordinalsMethods } from "./ordinals.ts";
import { stacksMethods } from "./stacks.ts";

/** Rarely used methods, loaded at the first call of one of them. */
export const more = { ...orderMethods, ...ordinalsMethods, ...stacksMethods };
