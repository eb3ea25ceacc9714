import { fromWire } from "../lib/amount.ts";
import { decode, post, type WalletFields, type Wire } from "./client.ts";
import { useCommunity } from "./globals.ts";
import { readOrder, type OneTx, type Order } from "./orders.ts";

/** The price of a withdrawal in one transaction. Sats, vB, sat/vB. */
export interface OneTxQuote {
  /** The network fee. */
  fee: bigint;
  vbytes: number;
  rate: number;
  /** Number of coins of the payment address that it spends. */
  coins: number;
  /** Sats that return to the payment address. */
  change: bigint;
}

/** Whether a unit is a reward, by its id. A reward has no output of its own, so it never fits in one transaction. */
export const isReward = (unit: string): boolean => unit.startsWith("reward:");

/** Returns what an order's transaction costs. */
export function costOf({ fee, vbytes, feerate }: OneTx): Pick<OneTxQuote, "fee" | "vbytes" | "rate"> {
  return { fee: fromWire(fee), vbytes, rate: feerate };
}

/** The transaction that the wallet signs. */
export interface OneTxDraft {
  /** Base64. */
  psbt: string;
  /** Indexes of the inputs that the payment address signs. */
  inputs: number[];
  /** Indexes of the units in self-custody, which the ordinals address signs. */
  ownerInputs: number[];
  /** The payment address. */
  address: string;
  fee: bigint;
  vbytes: number;
  rate: number;
}

/** Whether the server delivers withdrawals in one transaction; false until it is known. */
export function useOneTxOffered(): boolean {
  return useCommunity().data?.features.includes("one_tx") ?? false;
}

/** Prices the withdrawal of units in one transaction. The error says why it is not possible. */
export function estimateOneTx(
  wallet: WalletFields,
  units: readonly string[],
  key: string,
  signal?: AbortSignal,
): Promise<OneTxQuote> {
  const body = { ...wallet, utxos: units, w_wallet_code_pk: key };
  return post<Wire["OneTxEstimate"]>("estimateOneTx", body, signal).then(
    decode("estimateOneTx", ({ fee, vbytes, feerate, coins, change }) => ({
      fee: fromWire(fee),
      vbytes,
      rate: feerate,
      coins,
      change: fromWire(change),
    })),
  );
}

/**
 * Issues the transaction to sign, for an order that waits for its payment or for its owner to sign the delivery, or
 * whose transaction is unconfirmed.
 */
export function beginOneTx(
  wallet: WalletFields,
  order: string,
  key: string,
  signal?: AbortSignal,
): Promise<OneTxDraft> {
  const body = { ...wallet, order_id: order, w_wallet_code_pk: key };
  return post<Wire["OneTxDraft"]>("beginOneTx", body, signal).then(
    decode("beginOneTx", ({ psbt, inputs, owner_inputs, address, fee, vbytes, feerate }) => ({
      psbt,
      inputs,
      ownerInputs: owner_inputs,
      address,
      fee: fromWire(fee),
      vbytes,
      rate: feerate,
    })),
  );
}

/** Sends what the wallet signed: a PSBT in base64. */
export function sendOneTx(wallet: WalletFields, order: string, psbt: string): Promise<Order> {
  return post<Wire["OrderData"]>("sendOneTx", { ...wallet, order_id: order, psbt }).then(
    decode("sendOneTx", (data) => readOrder(data.order)),
  );
}
