import { fromWire } from "../lib/amount.ts";
import { post, decode, type WalletFields, type Wire } from "./client.ts";
import { readOrder, type ActionType, type Fees, type Order } from "./orders.ts";

/** Actions with a signed message; a stake is a transfer instead. */
export type SignedAction = Exclude<ActionType, "STAKE">;

/** Economy delivery as the user chose it. */
export interface Speed {
  /** Sats per 1,000 vB. */
  rate: number;
  /** Days until the limit. */
  days: number;
}

/** self: nothing moves the stake without its owner. operator: the operator can move it. */
export type CustodyKind = Wire["StakeTarget"]["custody_kind"];

export interface StakeTarget {
  address: string;
  actionId: string;
  custody: CustodyKind;
  /** The community's x-only key in the address, in hex. */
  communityKey: string;
  /** Blocks after which the owner can move the stake alone. */
  delay: number;
}

/** Requests a stake address for this wallet. The same address is returned while it is unfunded. */
export async function requestStake(
  wallet: WalletFields,
  keys: { payment: string; ordinals: string },
  amount: bigint,
  custody: CustodyKind,
): Promise<StakeTarget> {
  const data = await post<Wire["StakeTarget"]>("postDemoStake", {
    ...wallet,
    w_wallet_code_pk: keys.payment,
    w_wallet_code_ord_pk: keys.ordinals,
    wa_amount: amount.toString(),
    custody_kind: custody,
  });
  return {
    address: data.stake_addrss,
    actionId: data.wa_id,
    custody: data.custody_kind,
    communityKey: data.community_key,
    delay: data.recovery_delay,
  };
}

/** Reports a deposit's transaction. This is a hint: the server finds the deposit without it. */
export function reportStake(wallet: WalletFields, actionId: string, txid: string): Promise<Wire["Effect"]> {
  return post<Wire["Effect"]>("signWalletAction", {
    ...wallet,
    wa_action_id: actionId,
    wa_action_type: "STAKE",
    txid,
    signature: "",
    messageHash: "",
  });
}

/** What some actions need besides their units. */
export interface ActionOptions {
  /** How long an AUTO_COMPOUND lasts. */
  epochs?: number | undefined;
  /** Economy delivery of a CLAIM or WITHDRAW; absent for normal speed. */
  economy?: Speed | undefined;
}

/** Creates an action, whose message names the statement. Nothing is locked until the message is signed. */
export async function requestAction(
  wallet: WalletFields,
  type: SignedAction,
  units: readonly string[],
  statement: string | undefined,
  { epochs, economy }: ActionOptions = {},
): Promise<{ message: string; actionId: string }> {
  const body = { ...wallet, utxos: units, wa_action_type: type, statement, epochs, economy: writeSpeed(economy) };
  const data = await post<Wire["MessageToSign"]>("postAction", body);
  return { message: data.messagetosign, actionId: data.action_id };
}

/** Submits the proof. Returns whether the effect was applied, and the order to pay, if any. */
export async function proveAction(
  wallet: WalletFields,
  type: SignedAction,
  proof: { actionId: string; signature: string; messageHash: string; paymentSignature?: string },
): Promise<{ applied: boolean; order: Order | null }> {
  const data = await post<Wire["Effect"]>("signWalletAction", {
    ...wallet,
    wa_action_id: proof.actionId,
    wa_action_type: type,
    txid: "",
    signature: proof.signature,
    messageHash: proof.messageHash,
    ...(proof.paymentSignature === undefined ? {} : { signature_payment: proof.paymentSignature }),
  });
  const read = decode("signWalletAction", readOrder);
  return { applied: data.transaction_created, order: data.payment_order ? read(data.payment_order) : null };
}

/** What an action costs now, at both speeds. */
export interface Estimate {
  fees: Fees;
  economy: EconomyEstimate | null;
  /** Why there is no economy. */
  unavailable: Wire["Estimate"]["economy_unavailable"];
}

/** Economy delivery at the rate and for the days of the request, else at suggested ones. */
export interface EconomyEstimate {
  fees: Fees;
  /** Sats that it costs less than normal delivery now. */
  saved: bigint;
  /** Lowest and highest rate that can be chosen, in sats per 1,000 vB. */
  minRate: number;
  maxRate: number;
  /** The longest limit in days. */
  maxDays: number;
}

/** Returns the current cost of an action. */
export function estimateAction(
  wallet: WalletFields,
  type: SignedAction,
  units: readonly string[],
  economy: Speed | undefined,
  signal?: AbortSignal,
): Promise<Estimate> {
  const body = { ...wallet, utxos: units, wa_action_type: type, economy: writeSpeed(economy) };
  return post<Wire["Estimate"]>("estimateAction", body, signal).then(decode("estimateAction", readEstimate));
}

function writeSpeed(speed: Speed | undefined): Wire["EconomyRequest"] | undefined {
  return speed && { feerate: speed.rate / RATE_SCALE, days: speed.days };
}

/** A fee rate in sat/vB has at most 3 decimals. */
const RATE_SCALE = 1000;

function readEstimate({ fees, economy, economy_unavailable }: Wire["Estimate"]): Estimate {
  return {
    fees: readFees(fees),
    economy: economy
      ? {
          fees: readFees(economy.fees),
          saved: fromWire(economy.saved),
          minRate: Math.round(economy.min_feerate * RATE_SCALE),
          maxRate: Math.round(economy.max_feerate * RATE_SCALE),
          maxDays: economy.max_days,
        }
      : null,
    unavailable: economy_unavailable,
  };
}

function readFees(fees: Wire["Fees"]): Fees {
  return {
    total: fromWire(fees.total),
    network: fromWire(fees.network),
    service: fromWire(fees.service),
    rutxos: fromWire(fees.rutxos),
    dust: fromWire(fees.dust),
    rate: fees.feerate,
  };
}
