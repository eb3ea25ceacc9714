import { object, oneOf, optional, text } from "../check.ts";

/** Which addresses may be asked for. */
export const addressPurpose = oneOf("payment", "ordinals", "stacks");

/** An address as wallets hand it out. Purposes and types that we don't know are let through. */
export const addressEntry = object({
  address: text({ min: 1 }),
  publicKey: text(),
  purpose: text(),
  addressType: optional(text()),
  walletType: optional(text()),
});
