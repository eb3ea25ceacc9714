import { entries, withDefault, lenient } from "../answer.ts";
import { object, oneOf, text } from "../check.ts";

/** The purposes for which addresses can be requested. */
export const addressPurpose = oneOf("payment", "ordinals", "stacks");

/** An address as wallets return it. Unknown purposes and types are accepted. */
const addressEntry = object({
  address: text({ min: 1 }),
  publicKey: withDefault(text(), ""),
  purpose: text({ min: 1 }),
  addressType: lenient(text()),
  walletType: lenient(text()),
});

/** A list of addresses. Entries without an address or a purpose are dropped. */
export const addressEntries = entries(addressEntry);
