import { orderMethods } from "./orders.ts";
import { ordinalsMethods } from "./ordinals.ts";
import { stacksMethods } from "./stacks.ts";

/** Methods that a page needs rarely: loaded when the first of them is called. */
export const more = { ...orderMethods, ...ordinalsMethods, ...stacksMethods };
