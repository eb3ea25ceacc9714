import { fromWire } from "../lib/amount.ts";
import { post, decode, type WalletFields, type Wire } from "./client.ts";
import { readOrder, type ActionType, type Fees, type Order } from "./orders.ts";

/** Actions with a signed message; a stake is a transfer instead. */
export type SignedAction = Exclude<ActionType, "STAKE">;

export interface StakeTarget {
  address: string;
  actionId: string;
}

/** Requests a stake address for this wallet. The same address is returned while it is unfunded. */
export async function requestStake(
  wallet: WalletFields,
  keys: { payment: string; ordinals: string },
  amount: bigint,
): Promise<StakeTarget> {
  const data = await post<Wire["StakeTarget"]>("postDemoStake", {
    ...wallet,
    w_wallet_code_pk: keys.payment,
    w_wallet_code_ord_pk: keys.ordinals,
    wa_amount: amount.toString(),
  });
  return { address: data.stake_addrss, actionId: data.wa_id };
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

/** Creates an action, whose message names the statement. Nothing is locked until the message is signed. */
export async function requestAction(
  wallet: WalletFields,
  type: SignedAction,
  units: readonly string[],
  statement: string | undefined,
  epochs?: number,
): Promise<{ message: string; actionId: string }> {
  const body = { ...wallet, utxos: units, wa_action_type: type, statement, epochs };
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

/** Returns the current cost of an action. */
export function estimateAction(
  wallet: WalletFields,
  type: SignedAction,
  units: readonly string[],
  signal?: AbortSignal,
): Promise<Fees> {
  const body = { ...wallet, utxos: units, wa_action_type: type };
  return post<Wire["Estimate"]>("estimateAction", body, signal).then(decode("estimateAction", readFees));
}

function readFees({ fees }: Wire["Estimate"]): Fees {
  return {
    total: fromWire(fees.total),
    network: fromWire(fees.network),
    service: fromWire(fees.service),
    rutxos: fromWire(fees.rutxos),
    dust: fromWire(fees.dust),
    rate: fees.feerate,
  };
}
