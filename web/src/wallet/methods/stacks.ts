import {
  anything,
  digits,
  union,
  flag,
  hex,
  integer,
  list,
  noParams,
  nullable,
  object,
  oneOf,
  optional,
  text,
} from "../check.ts";
import { addressEntries } from "./address.ts";
import { call } from "./call.ts";

const principal = text({ min: 1 });
const signed = object({ signature: text({ min: 1 }), publicKey: text() });
const sent = object({ txid: text({ min: 1 }), transaction: text() });
const postConditions = optional(list(text({ min: 1 })));
const postConditionMode = optional(oneOf("allow", "deny"));

/** Stacks, for wallets that support it. Amounts are microstacks; transactions and Clarity values are hex. */
export const stacksMethods = {
  stx_getAccounts: call(
    noParams,
    object({
      addresses: list(object({ address: principal, publicKey: text(), gaiaHubUrl: text(), gaiaAppKey: text() })),
      network: optional(anything),
    }),
  ),
  stx_getAddresses: call(
    nullable(object({ message: optional(text()) })),
    object({ addresses: addressEntries, network: optional(anything) }),
  ),
  stx_signMessage: call(object({ message: text() }), signed),
  stx_signStructuredMessage: call(
    object({ domain: text({ min: 1 }), message: text({ min: 1 }), publicKey: optional(hex) }),
    signed,
  ),
  stx_signTransaction: call(
    object({ transaction: hex, pubkey: optional(hex), broadcast: optional(flag) }),
    object({ transaction: text({ min: 1 }) }),
  ),
  stx_signTransactions: call(
    object({ transactions: list(hex, 1), broadcast: optional(flag) }),
    object({ transactions: list(text({ min: 1 })) }),
    { matches: (request, { transactions }) => transactions.length === request.transactions.length },
  ),
  stx_transferStx: call(
    object({
      amount: union(integer(1), digits),
      recipient: principal,
      memo: optional(text()),
      version: optional(text()),
      postConditionMode: optional(integer(0)),
      postConditions,
      pubkey: optional(hex),
    }),
    sent,
  ),
  stx_callContract: call(
    object({
      contract: principal,
      functionName: text({ min: 1 }),
      /** Former name of functionArgs. */
      arguments: optional(list(hex)),
      functionArgs: optional(list(hex)),
      postConditions,
      postConditionMode,
    }),
    sent,
  ),
  stx_deployContract: call(
    object({
      name: text({ min: 1 }),
      clarityCode: text({ min: 1 }),
      clarityVersion: optional(integer(1)),
      postConditions,
      postConditionMode,
    }),
    sent,
  ),
};
