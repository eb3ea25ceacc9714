import { base64, digits, flag, integer, list, map, nothing, object, oneOf, optional, text, txid } from "../check.ts";
import { addressEntry, addressPurpose } from "./address.ts";
import { call } from "./call.ts";
import { network } from "./names.ts";

/** Every satoshi there can be. */
const MAX_SATS = 21_000_000_00000000;

const purposes = object({ purposes: list(addressPurpose, 1), message: optional(text()) });

/** Addresses, payments and signatures. */
export const bitcoinMethods = {
  getAccounts: call(purposes, list(addressEntry)),
  getAddresses: call(purposes, object({ addresses: list(addressEntry), network: optional(network) })),
  getBalance: call(nothing, object({ confirmed: digits, unconfirmed: text(), total: digits })),
  sendTransfer: call(
    object({ recipients: list(object({ address: text({ min: 1 }), amount: integer(1, MAX_SATS) }), 1) }),
    object({ txid }),
    { named: ({ recipients }) => ({ addresses: recipients.map(({ address }) => address) }) },
  ),
  signMessage: call(
    object({ address: text({ min: 1 }), message: text(), protocol: optional(oneOf("ECDSA", "BIP322")) }),
    object({ signature: text({ min: 1 }), messageHash: text(), address: text({ min: 1 }), protocol: oneOf("ECDSA", "BIP322") }),
    { named: ({ address }) => ({ addresses: [address] }), answers: (asked, { address }) => address === asked.address },
  ),
  signPsbt: call(
    object({ psbt: base64, signInputs: optional(map(list(integer(0)))), broadcast: optional(flag) }),
    object({ psbt: base64, txid: optional(txid) }),
    {
      named: ({ signInputs = {} }) => ({ addresses: Object.keys(signInputs) }),
      // Who asks for a broadcast needs to know what was sent.
      answers: ({ broadcast }, { txid }) => !broadcast || txid !== undefined,
    },
  ),
};
