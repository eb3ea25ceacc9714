import type { components } from "../api/schema.gen.ts";
import { hex } from "@scure/base";
import { stakeAddress, xOnly } from "../wallet/stakeScript.ts";
import { golden } from "./golden.ts";

type Wire = components["schemas"];

/**
 * The product server's responses for tests of the page: the golden responses, with current times and the changes that a
 * test needs.
 */

export const session = {
  payment: {
    address: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    publicKey: "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  },
  ordinals: {
    address: "bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6",
    publicKey: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
  },
};

export const wallet = {
  w_wallet_code: session.payment.address,
  w_wallet_code_ord: session.ordinals.address,
};

/** Returns the answer to a request for a stake address of this owner, in self-custody by default. */
export function stakeTarget(
  { address, publicKey } = session.ordinals,
  change: Partial<Wire["StakeTarget"]> = {},
): Wire["StakeTarget"] {
  const community_key = "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5";
  const { recovery_delay = community().recovery_delay } = change;
  const keys = { owner: xOnly(publicKey), community: hex.decode(community_key), delay: recovery_delay };
  const stake_addrss = stakeAddress(keys, address);
  return { stake_addrss, wa_id: "a-1", custody_kind: "self", community_key, recovery_delay, ...change };
}

const HOUR = 3_600_000;
const at = (offset: number): string => new Date(Date.now() + offset).toISOString();
const txid = (seed: string): string => seed.repeat(64).slice(0, 64);

export function infoGlobals(change: Partial<Wire["InfoGlobals"]> = {}): Wire["InfoGlobals"] {
  return { ...golden<Wire["InfoGlobals"]>("infoGlobals"), end_next_epoch_UTC: at(84 * HOUR + 58 * 60_000), ...change };
}

export function status(change: Partial<Wire["Status"]> = {}): Wire["Status"] {
  return { ...golden<Wire["Status"]>("status"), time: at(0), ...change };
}

/** Returns the community of a server without withdrawals in one transaction. */
export function community(change: Partial<Wire["Community"]> = {}): Wire["Community"] {
  const known = golden<Wire["Community"]>("community");
  return {
    ...known,
    features: known.features.filter((feature) => feature !== "one_tx"),
    explorer_tx: "https://explorer.example.org/tx/{txid}",
    ...change,
  };
}

export function infoWallet(change: Partial<Wire["InfoWallet"]> = {}): Wire["InfoWallet"] {
  return { ...golden<Wire["InfoWallet"]>("postInfoWallet"), ...change };
}

const everyUnit = golden<Wire["UnitList"]>("fetchWalletUtxos").utxos_list;

/** Returns the golden unit of a stage, STAKED by default. */
export function unit(change: Partial<Wire["Unit"]> = {}): Wire["Unit"] {
  const stage = change.ru_stage ?? "STAKED";
  const known = everyUnit.find((one) => one.ru_stage === stage) ?? everyUnit[1]!;
  const custody_kind = change.isvirtual ? "" : "self";
  return { ...known, custody_kind, ...change };
}

const virtual = { isvirtual: true, ru_txid: null, ru_vout: null, ru_value: null };

/** Units of every stage that a list shows; some stages occur twice. */
export function units(): Wire["Unit"][] {
  return [
    unit({ ru_stage: "PENDING_STAKE", eligible_epoch: 49 }),
    unit({ ru_rune_amount: "120000000000000" }),
    unit({ ru_rutxo_id: "reward-31", ru_rune_amount: "450000000000", ...virtual }),
    unit({ ru_stage: "CLAIMABLE" }),
    unit({ ru_stage: "UNLOCKED" }),
    unit({ ru_rutxo_id: `${txid("c2")}:1`, ru_rune_amount: "35000000000", ru_stage: "UNLOCKED" }),
    unit({ ru_stage: "PENDING_UNLOCK", timeout: at(8 * 24 * HOUR) }),
    unit({ ru_stage: "PO_LOCKED", timeout: at(HOUR / 3), ru_po_id: "o-pending" }),
    unit({ ru_stage: "BATCH_LOCKED", ru_po_id: "o-paid" }),
    unit({ ru_stage: "PENDING_WITHDRAW", ru_po_id: "o-part" }),
  ];
}

const everyOrder = golden<Wire["OrderList"]>("fetchClientPOs").orders;

/** Returns the golden order of a status, PENDING by default, created ten minutes ago. */
export function order(change: Partial<Wire["Order"]> = {}): Wire["Order"] {
  const status = change.po_status ?? "PENDING";
  return {
    ...everyOrder.find((one) => one.po_status === status)!,
    po_order_id: "o-pending",
    wa_action_type: "WITHDRAW",
    po_creation_date: at(-10 * 60_000),
    po_rerate_date: at(-10 * 60_000),
    ...(status === "PENDING" && { po_deadline: at(20 * 60_000) }),
    ...(status === "CONFIRMED" && { po_deadline: at(6 * 24 * HOUR) }),
    ...change,
  };
}

/** One order of every state that the dialog distinguishes. */
export function orders(): Wire["Order"][] {
  const claim = { wa_action_type: "CLAIM" as const };
  const total = order().total_fee;
  return [
    order(),
    order({ po_order_id: "o-part", po_status: "CONFIRMED" }),
    order({ po_order_id: "o-rerate", ...claim, po_status: "PENDING_RERATE" }),
    order({ po_order_id: "o-complete", po_status: "CONFIRMED", po_balance: total, po_due: 0 }),
    order({ po_order_id: "o-paid", po_status: "PAID" }),
    order({ po_order_id: "o-delivered", ...claim, po_status: "DELIVERED" }),
    order({ po_order_id: "o-expired", ...claim, po_status: "EXPIRED", po_creation_date: at(-40 * 24 * HOUR) }),
    order({ po_order_id: "o-audit", po_status: "AUDIT" }),
  ];
}

/** Returns no payments for a pending or expired order, two for a partially paid order, else one. */
export function payments(id: string): Wire["Payment"][] {
  if (id === "o-pending" || id === "o-expired") return [];
  const both = golden<Wire["PaymentList"]>("fetchPOTxHistory").po_txs;
  return id === "o-part" ? both : both.slice(1);
}

export function epochs(): Wire["Epoch"][] {
  return golden<Wire["EpochList"]>("epochs").epochs;
}

/** Returns an order with economy delivery at 2.5 sat/vB, PAID by default, while the network is at 7.5 sat/vB. */
export function economyOrder(change: Partial<Wire["Economy"]> = {}, more: Partial<Wire["Order"]> = {}): Wire["Order"] {
  const total = order().total_fee;
  return order({
    po_status: "PAID",
    po_feerate: 2.5,
    po_balance: total,
    po_confirmed_balance: total,
    po_due: 0,
    po_economy: {
      feerate: 2.5,
      network_feerate: 7.5,
      waits_for: "rate",
      until: at(13 * 24 * HOUR),
      limit_reached: false,
      ends: at(27 * 24 * HOUR),
      ended: false,
      choices: ["pay_difference", "cancel"],
      wait_until: null,
      difference: null,
      ...change,
    },
    ...more,
  });
}

/** Returns a PAID order whose owner has a week to sign its delivery. */
export function paidOrder(change: Partial<Wire["Order"]> = {}): Wire["Order"] {
  const total = order().total_fee;
  return order({
    po_status: "PAID",
    wa_amount: order().wa_amount,
    po_balance: total,
    po_confirmed_balance: total,
    po_due: 0,
    po_sign_until: Math.floor(Date.now() / 1000) + 7 * 24 * 3_600,
    ...change,
  });
}

/** Returns an order that coins of the payment address delivered, SENT by default. */
export function oneTxOrder(change: Partial<Wire["OrderOneTx"]> = {}, more: Partial<Wire["Order"]> = {}): Wire["Order"] {
  return order({
    po_status: "SENT",
    wa_amount: order().wa_amount,
    po_balance: 0,
    po_confirmed_balance: 0,
    po_one_tx: { state: "sent", fee: 1_972, vbytes: 263, feerate: 7.5, ...change },
    ...more,
  });
}

/** Returns an estimate at 7.5 sat/vB, with economy delivery at half of it or at the rate of a request. */
export function estimate(request?: Wire["EconomyRequest"], change: Partial<Wire["Estimate"]> = {}): Wire["Estimate"] {
  const normal = golden<Wire["Estimate"]>("estimateAction");
  const rate = request?.feerate ?? normal.fees.feerate / 2;
  const at = (sats: number): number => Math.round((sats * rate) / normal.fees.feerate);
  const { dust, network, service, rutxos } = normal.fees;
  const total = dust + service + at(network) + at(rutxos);
  return {
    ...normal,
    economy: {
      estimate: total,
      fees: { dust, service, network: at(network), rutxos: at(rutxos), total, feerate: rate },
      saved: normal.fees.total - total,
      until: new Date(Date.now() + (request?.days ?? 14) * 24 * HOUR).toISOString(),
      min_feerate: 1,
      max_feerate: normal.fees.feerate - 0.001,
      max_days: 28,
    },
    ...change,
  };
}

export const fees: Wire["Fees"] = golden<Wire["Estimate"]>("estimateAction").fees;
