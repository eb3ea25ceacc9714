import { entries, otherwise, unneeded } from "../answer.ts";
import { anything, either, flag, list, nothing, nullable, object, oneOf, optional, text } from "../check.ts";
import { walletTexts } from "../texts.ts";
import { addressEntries, addressPurpose } from "./address.ts";
import { call, quietCall } from "./call.ts";
import { answeredNetwork, networkName, walletType } from "./names.ts";

const account = object({
  id: otherwise(text(), ""),
  addresses: addressEntries,
  walletType: unneeded(walletType),
  network: unneeded(answeredNetwork),
});
/** The origin that a permission was granted to. It appears in results only. */
const clientId = optional(text());
/** Permission to read an account: addresses, public keys, balances. */
const accountPermission = object({
  type: oneOf("account"),
  resourceId: text(),
  clientId,
  actions: object({ read: optional(flag) }),
});
/** Permission to read the wallet's network. */
const walletPermission = object({
  type: oneOf("wallet"),
  resourceId: text(),
  clientId,
  actions: object({ readNetwork: optional(flag) }),
});
const permission = either(accountPermission, walletPermission);

/** Wallet administration: permissions, network, account. */
export const walletMethods = {
  getInfo: quietCall(
    nothing,
    object({
      version: otherwise(text(), ""),
      platform: unneeded(text()),
      methods: unneeded(entries(text())),
      supports: unneeded(entries(text())),
    }),
  ),
  wallet_connect: call(
    nullable(
      object({
        permissions: optional(list(permission)),
        addresses: optional(list(addressPurpose)),
        message: optional(text({ max: 80, tooLong: walletTexts.messageTooLong })),
        network: optional(networkName),
      }),
    ),
    account,
  ),
  // Omit the params: Xverse returns −32603 for any. The standard promises true, Xverse returns the account.
  wallet_requestPermissions: call(nullable(list(permission, 1)), either(oneOf(true), account)),
  wallet_renouncePermissions: quietCall(nothing, anything),
  wallet_disconnect: quietCall(nothing, anything),
  wallet_getWalletType: quietCall(nothing, walletType),
  wallet_getCurrentPermissions: quietCall(nothing, entries(permission)),
  wallet_getNetwork: quietCall(nothing, answeredNetwork),
  wallet_changeNetwork: call(object({ name: networkName }), anything),
  wallet_getAccount: quietCall(nothing, account),
};
