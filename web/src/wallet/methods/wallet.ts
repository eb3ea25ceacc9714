import { anything, flag, list, nothing, nullable, object, oneOf, optional, text } from "../check";
import { walletTexts } from "../texts";
import { addressEntry, addressPurpose } from "./address";
import { call, quietCall } from "./call";

export const networkName = oneOf("Mainnet", "Testnet", "Testnet4", "Signet", "Regtest");
export const walletType = oneOf("software", "ledger", "keystone");

const network = object({ bitcoin: object({ name: networkName }) });
const account = object({ id: text(), addresses: list(addressEntry), network: optional(network) });
const permission = object({
  type: oneOf("account", "wallet"),
  resourceId: text(),
  actions: object({ read: optional(flag), readNetwork: optional(flag) }),
});

/** Wallet administration: permissions, network, account. */
export const walletMethods = {
  getInfo: quietCall(
    nothing,
    object({
      version: text(),
      platform: optional(text()),
      methods: optional(list(text())),
      supports: optional(list(text())),
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
  // Xverse answers −32603 when any params are sent.
  wallet_requestPermissions: call(nothing, oneOf(true)),
  wallet_renouncePermissions: quietCall(nothing, anything),
  wallet_disconnect: quietCall(nothing, anything),
  wallet_getWalletType: quietCall(nothing, walletType),
  wallet_getCurrentPermissions: quietCall(nothing, list(permission)),
  wallet_getNetwork: quietCall(nothing, network),
  wallet_changeNetwork: call(object({ name: networkName }), anything),
  wallet_getAccount: call(nothing, account),
};
