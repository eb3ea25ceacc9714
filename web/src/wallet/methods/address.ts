import { entries, otherwise, unneeded } from "../answer.ts";
import { object, oneOf, text } from "../check.ts";

/** Which addresses may be asked for. */
export const addressPurpose = oneOf("payment", "ordinals", "stacks");

/** An address as wallets hand it out. Purposes and types that we don't know are let through. */
const addressEntry = object({
  address: text({ min: 1 }),
  publicKey: otherwise(text(), ""),
  purpose: text({ min: 1 }),
  addressType: unneeded(text()),
  walletType: unneeded(text()),
});

/** Addresses; those without an address or a purpose are left out. */
export const addressEntries = entries(addressEntry);
