import {
  base64,
  digits,
  flag,
  integer,
  list,
  Mismatch,
  number,
  object,
  oneOf,
  optional,
  pattern,
  text,
  txid,
  refine,
  type Check,
} from "../check.ts";
import { call, promptlessCall, type AddressParams } from "./call.ts";
import { inscriptionId, networkName, runeId, runeName } from "./names.ts";

/** The maximum of a runestone's integers (u128), and of its heights and offsets (u64). */
const MAX_U128 = (1n << 128n) - 1n;
const MAX_U64 = (1n << 64n) - 1n;
/** A bound against typing errors, above any fee rate that has occurred. */
const MAX_FEE_RATE = 100_000;
/** The maximum supply in sats: 21 million BTC. */
const MAX_SATS = 21_000_000_00000000;

const sats = integer(0, MAX_SATS);
const address = text({ min: 1 });
const amount = upTo(MAX_U128);
const height = optional(upTo(MAX_U64));
const feeRate = refine(number, (rate) => rate > 0 && rate <= MAX_FEE_RATE, "a fee rate in sat/vB above 0");

/** Whole numbers as digits, up to a bound. */
function upTo(most: bigint): Check<string> {
  return refine(digits, (value) => BigInt(value) <= most, `at most ${most}`);
}

const fees = { appServiceFee: optional(sats), appServiceFeeAddress: optional(address) };
const network = optional(networkName);

const minting = { runeName, repeats: integer(1), destinationAddress: address, feeRate, ...fees, network };

const terms = object({
  amount,
  cap: amount,
  heightStart: height,
  heightEnd: height,
  offsetStart: height,
  offsetEnd: height,
});

const etching = {
  runeName,
  divisibility: optional(integer(0, 38)),
  symbol: optional(pattern(/^.$/u, "one character")),
  premine: optional(amount),
  isMintable: flag,
  terms: optional(terms),
  inscriptionDetails: optional(object({ contentType: text({ min: 1, max: 520 }), contentBase64: base64 })),
  delegateInscriptionId: optional(inscriptionId),
  /** Opts in to future changes of the protocol. */
  turbo: optional(flag),
  destinationAddress: address,
  feeRate,
  ...fees,
  network,
};

const refundAddress = address;

/** Rules that involve more than one field. */
function consistent<
  T extends { appServiceFee?: number; appServiceFeeAddress?: string; isMintable?: boolean; terms?: unknown },
>(inner: Check<T>): Check<T> {
  return (value, path) => {
    const params = inner(value, path);
    if (params.appServiceFee && !params.appServiceFeeAddress) {
      throw new Mismatch(`${path}.appServiceFeeAddress is required with appServiceFee`);
    }
    if (params.isMintable && !params.terms)
      throw new Mismatch(`${path}.terms is required with isMintable`);
    return params;
  };
}

interface Addressed {
  destinationAddress: string;
  refundAddress?: string;
  appServiceFeeAddress?: string;
  network?: AddressParams["network"];
}

function named(params: Addressed): AddressParams {
  const { destinationAddress, refundAddress, appServiceFeeAddress, network = "Mainnet" } = params;
  const addresses = [destinationAddress, refundAddress, appServiceFeeAddress].filter((one) => one !== undefined);
  return { addresses, network };
}

const estimate = object({
  totalSize: number,
  totalCost: sats,
  costBreakdown: object({ postage: sats, networkFee: sats, serviceFee: sats, appServiceFee: sats }),
});

const funded = object({ orderId: text({ min: 1 }), fundTransactionId: txid, fundingAddress: address });
const bump = object({ orderId: text({ min: 1 }), newFeeRate: feeRate, network });

/** A payment, or one of the service's own transactions, as the orders service returns it. */
const transaction = object({
  txid,
  role: oneOf("funding", "mint", "commit", "reveal", "refund"),
  confirmations: integer(0),
  /** Sats and vB; 0 for a payment. */
  fee: sats,
  size: integer(0),
});

/** An order as the orders service returns it. The optional fields are additions of our own service. */
const order = object({
  id: text({ min: 1 }),
  orderType: oneOf("rune_mint", "rune_etch"),
  state: oneOf("new", "pending", "executing", "complete", "failed", "refunded", "stale"),
  fundingAddress: address,
  reason: optional(text()),
  reasonCode: optional(text()),
  reasonValues: optional(list(text())),
  createdAt: text({ min: 1 }),
  runeName: optional(text()),
  /** Present for an etching, once it is complete. */
  runeId: optional(runeId),
  /** Sats, as ordered and as received. */
  fundAmount: optional(sats),
  received: optional(sats),
  /** sat/vB, as ordered. */
  feeRate: optional(number),
  expiresAt: optional(text()),
  /** Heights: of the last block, and of the first that may contain the etching. */
  tip: optional(integer(0)),
  revealHeight: optional(integer(0)),
  transactions: optional(list(transaction)),
});

/** Minting and etching: by the wallet's own methods, or by the orders service (see orders/flows.ts). */
export const orderMethods = {
  runes_mint: call(consistent(object({ ...minting, refundAddress })), funded, { named }),
  runes_etch: call(consistent(object({ ...etching, refundAddress })), funded, { named }),
  runes_estimateMint: promptlessCall(consistent(object(minting)), estimate, { named }),
  runes_estimateEtch: promptlessCall(consistent(object(etching)), estimate, { named }),
  runes_getOrder: promptlessCall(object({ id: text({ min: 1 }), network }), order, {
    matches: ({ id }, found) => found.id === id,
  }),
  runes_estimateRbfOrder: promptlessCall(bump, object({ rbfCost: sats, fundingAddress: address })),
  runes_rbfOrder: call(
    bump,
    object({ orderId: text({ min: 1 }), fundRBFTransactionId: txid, fundingAddress: address }),
    {
      matches: ({ orderId }, done) => done.orderId === orderId,
    },
  ),
};
