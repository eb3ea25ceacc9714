import { absentOr, withDefault, sent, lenient, wholeNumber } from "../answer.ts";
import {
  base64,
  type Check,
  flag,
  integer,
  list,
  map,
  Mismatch,
  noParams,
  object,
  oneOf,
  optional,
  text,
  txid,
} from "../check.ts";
import { addressEntries, addressPurpose } from "./address.ts";
import { call, promptlessCall } from "./call.ts";
import { answeredNetwork } from "./names.ts";

/** The maximum supply in sats: 21 million BTC. */
const MAX_SATS = 21_000_000_00000000;

const purposes = object({ purposes: list(addressPurpose, 1), message: optional(text()) });
const protocol = oneOf("ECDSA", "BIP322");
const signedMessage = object({
  signature: base64,
  messageHash: withDefault(text(), ""),
  address: absentOr(text()),
  protocol: lenient(protocol),
});

/** Methods for addresses, payments and signatures. */
export const bitcoinMethods = {
  getAccounts: call(purposes, addressEntries),
  getAddresses: call(purposes, object({ addresses: addressEntries, network: lenient(answeredNetwork) })),
  getBalance: promptlessCall(
    noParams,
    object({ confirmed: wholeNumber, unconfirmed: withDefault(text(), ""), total: wholeNumber }),
  ),
  sendTransfer: call(
    object({ recipients: list(object({ address: text({ min: 1 }), amount: integer(1, MAX_SATS) }), 1) }),
    sent,
    { named: ({ recipients }) => ({ addresses: recipients.map(({ address }) => address) }), sends: () => true },
  ),
  signMessage: call(
    object({ address: text({ min: 1 }), message: text(), protocol: optional(protocol) }),
    signedMessage,
    {
      named: ({ address }) => ({ addresses: [address] }),
      matches: (request, { address }) => address === undefined || address === request.address,
    },
  ),
  signPsbt: call(
    // signInputs is optional in the standard, but Xverse refuses a call without it.
    object({ psbt: base64, signInputs: map(list(integer(0))), broadcast: optional(flag) }),
    // A wallet that broadcasts may omit the PSBT: then it is "".
    object({ psbt: withDefault(signedPsbt, ""), txid: absentOr(txid) }),
    {
      named: ({ signInputs }) => ({ addresses: Object.keys(signInputs) }),
      prepare: async (asked) => (asked.broadcast ? (await import("../settle.ts")).leafIsOnlySigned(asked) : asked),
      matches: (_, { psbt, txid: id }) => psbt !== "" || id !== undefined,
      settle: async (asked, signed) => (await import("../settle.ts")).settleSigned(asked, signed),
      sends: ({ broadcast }) => broadcast === true,
    },
  ),
};

/** "psbt" and the separator byte in hex, which is also valid base64. */
const HEX_PSBT = /^70736274ff(?:[0-9a-f]{2})*$/i;

/** A PSBT in base64. One in hex is converted. */
function signedPsbt(value: unknown, path: string): string {
  if (typeof value === "string" && HEX_PSBT.test(value)) {
    const bytes = value.match(/../g)!.map((byte) => Number.parseInt(byte, 16));
    return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(""));
  }
  const psbt = (base64 as Check<string>)(value, path);
  if (!psbt.startsWith("cHNidP")) throw new Mismatch(`${path} must be a PSBT in base64`);
  return psbt;
}
