import { entries, withDefault, lenient } from "../answer.ts";
import { anything, union, flag, list, noParams, nullable, object, oneOf, optional, text } from "../check.ts";
import { walletTexts } from "../texts.ts";
import { addressEntries, addressPurpose } from "./address.ts";
import { call, promptlessCall } from "./call.ts";
import { answeredNetwork, networkName, walletType } from "./names.ts";

const account = object({
  id: withDefault(text(), ""),
  addresses: addressEntries,
  walletType: lenient(walletType),
  network: lenient(answeredNetwork),
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
const permission = union(accountPermission, walletPermission);

/** Wallet administration: permissions, network, account. */
export const walletMethods = {
  getInfo: promptlessCall(
    noParams,
    object({
      version: withDefault(text(), ""),
      platform: lenient(text()),
      methods: lenient(entries(text())),
      supports: lenient(entries(text())),
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
  wallet_requestPermissions: call(nullable(list(permission, 1)), union(oneOf(true), account)),
  wallet_renouncePermissions: promptlessCall(noParams, anything),
  wallet_disconnect: promptlessCall(noParams, anything),
  wallet_getWalletType: promptlessCall(noParams, walletType),
  wallet_getCurrentPermissions: promptlessCall(noParams, entries(permission)),
  wallet_getNetwork: promptlessCall(noParams, answeredNetwork),
  wallet_changeNetwork: call(object({ name: networkName }), anything),
  wallet_getAccount: promptlessCall(noParams, account),
};
