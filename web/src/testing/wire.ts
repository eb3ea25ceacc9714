import type { components } from "../api/schema.gen.ts";

type Wire = components["schemas"];

/** Answers of the product server as its contract has them, for the tests of the page. */

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

const HOUR = 3_600_000;
const at = (offset: number): string => new Date(Date.now() + offset).toISOString();
const txid = (seed: string): string => seed.repeat(64).slice(0, 64);

export function infoGlobals(change: Partial<Wire["InfoGlobals"]> = {}): Wire["InfoGlobals"] {
  return {
    total_staked: "105000000000000000",
    total_issued: "2100000000000000",
    epoch: 48,
    end_next_epoch_UTC: at(84 * HOUR + 58 * 60_000),
    frontNotice: "",
    ...change,
  };
}

export function status(change: Partial<Wire["Status"]> = {}): Wire["Status"] {
  return {
    network: "regtest",
    time: at(0),
    tip_height: 212,
    tip_hash: txid("0a"),
    node_height: 212,
    lag: 0,
    catching_up: false,
    paused: "none",
    payouts_waiting: 0,
    payouts_reason: null,
    version: "1.0.0",
    ...change,
  };
}

export function community(change: Partial<Wire["Community"]> = {}): Wire["Community"] {
  return {
    prefix: "lobo",
    host: "lobo",
    name: "LOBO",
    token: "LOBO",
    network: "regtest",
    rune_id: "878389:2822",
    rune_name: "LOBO•THE•WOLF•PUP",
    symbol: "🐺",
    divisibility: 8,
    genesis: "2026-01-07T00:00:00Z",
    epoch_seconds: 604_800,
    minimum_stake: "100000000",
    service_fee: 3000,
    dust: 546,
    recovery_delay: 52_560,
    max_units_per_order: 150,
    pending_minutes: 30,
    payment_days: 7,
    delivery_confirmations: 3,
    explorer_tx: "https://explorer.example.org/tx/{txid}",
    collection: "Wolf Pups",
    image: "",
    texts: { description: "", learn_more: "", front_notice: "" },
    features: [],
    ...change,
  };
}

export function infoWallet(change: Partial<Wire["InfoWallet"]> = {}): Wire["InfoWallet"] {
  return {
    pending_stake: "1200000000000",
    wallet_staked: "120450000000000",
    claimable_rewards: "341255000000",
    locked_unstaked: "0",
    unlocked_unstaked: "85000000000",
    wallet_share: "0.00114712",
    ...change,
  };
}

export function unit(change: Partial<Wire["Unit"]> = {}): Wire["Unit"] {
  return {
    ru_rutxo_id: `${txid("a1")}:0`,
    ru_rune_amount: "100000000000",
    ru_stage: "STAKED",
    ru_txid: txid("a1"),
    ru_vout: 0,
    ru_value: 546,
    ru_vout_spent: false,
    isvirtual: false,
    timeout: null,
    ru_po_id: null,
    contested: false,
    eligible_epoch: 47,
    ...change,
  };
}

const virtual = { isvirtual: true, ru_txid: null, ru_vout: null, ru_value: null };

/** One unit of every stage that a list shows. */
export function units(): Wire["Unit"][] {
  return [
    unit({ ru_rutxo_id: `${txid("b1")}:0`, ru_txid: txid("b1"), ru_rune_amount: "1200000000000", ru_stage: "PENDING_STAKE", eligible_epoch: 49 }),
    unit({ ru_rutxo_id: `${txid("b2")}:0`, ru_rune_amount: "120000000000000" }),
    unit({ ru_rutxo_id: "reward-31", ru_rune_amount: "450000000000", ...virtual }),
    unit({ ru_rutxo_id: "reward-47", ru_rune_amount: "341255000000", ru_stage: "CLAIMABLE", ...virtual }),
    unit({ ru_rutxo_id: `${txid("c1")}:1`, ru_rune_amount: "50000000000", ru_stage: "UNLOCKED" }),
    unit({ ru_rutxo_id: `${txid("c2")}:1`, ru_rune_amount: "35000000000", ru_stage: "UNLOCKED" }),
    unit({ ru_rutxo_id: `${txid("c3")}:1`, ru_rune_amount: "7500000000", ru_stage: "PENDING_UNLOCK", timeout: at(8 * 24 * HOUR) }),
    unit({ ru_rutxo_id: `${txid("c4")}:1`, ru_rune_amount: "99912345678", ru_stage: "PO_LOCKED", timeout: at(HOUR / 3), ru_po_id: "o-pending" }),
    unit({ ru_rutxo_id: `${txid("c5")}:1`, ru_rune_amount: "1000000000", ru_stage: "BATCH_LOCKED", ru_po_id: "o-paid" }),
    unit({ ru_rutxo_id: `${txid("c6")}:1`, ru_rune_amount: "2000000000", ru_stage: "PENDING_WITHDRAW", ru_po_id: "o-part" }),
  ];
}

export function order(change: Partial<Wire["Order"]> = {}): Wire["Order"] {
  return {
    po_order_id: "o-pending",
    po_wallet_code: session.payment.address,
    po_wallet_code_ord: session.ordinals.address,
    po_wa_id: "a-1",
    po_rutxos: [`${txid("c4")}:1`],
    wa_amount: "99912345678",
    po_feerate: 12.5,
    total_fee: 12_345,
    network_fee: 8_074,
    service_fee: 3_000,
    rutxos_fee: 725,
    per_rutxo_btc: 725,
    po_payment_address: "bcrt1pw53jtgez0wf69n06fchp0ctk48620zdscnrj8heh86wykp9mv20q7vd3gm",
    po_creation_date: at(-10 * 60_000),
    po_rerate_date: at(-10 * 60_000),
    po_status: "PENDING",
    po_balance: 0,
    wa_action_type: "WITHDRAW",
    po_confirmed_balance: 0,
    po_due: 12_345,
    po_deadline: at(20 * 60_000),
    po_surplus: 0,
    po_payout_txid: null,
    ...change,
  };
}

/** One order of every kind that the dialog tells apart. */
export function orders(): Wire["Order"][] {
  const claim = { wa_action_type: "CLAIM" as const };
  return [
    order(),
    order({ po_order_id: "o-part", po_status: "CONFIRMED", po_balance: 6_000, po_due: 7_070, total_fee: 13_070, network_fee: 8_799, po_deadline: at(6 * 24 * HOUR) }),
    order({ po_order_id: "o-rerate", ...claim, po_status: "PENDING_RERATE", po_balance: 6_000, po_due: 7_070, total_fee: 13_070, network_fee: 8_799 }),
    order({ po_order_id: "o-complete", po_status: "CONFIRMED", po_balance: 12_345, po_due: 0, po_deadline: at(6 * 24 * HOUR) }),
    order({ po_order_id: "o-paid", po_status: "PAID", po_balance: 12_345, po_confirmed_balance: 12_345, po_due: 0, po_deadline: null }),
    order({ po_order_id: "o-delivered", ...claim, po_status: "DELIVERED", po_balance: 12_345, po_confirmed_balance: 12_345, po_due: 0, po_deadline: null, po_payout_txid: txid("d1"), wa_amount: "250000000000" }),
    order({ po_order_id: "o-expired", ...claim, po_status: "EXPIRED", po_due: 0, po_deadline: null, po_creation_date: at(-40 * 24 * HOUR) }),
    order({ po_order_id: "o-audit", po_status: "AUDIT", po_balance: 6_000, po_due: 0, po_deadline: null }),
  ];
}

export function payments(id: string): Wire["Payment"][] {
  if (id === "o-pending" || id === "o-expired") return [];
  const first = { txid: txid("e1"), value: 6_000, date: at(-5 * 60_000), isConfirmed: true };
  return id === "o-part" ? [{ ...first, txid: txid("f2"), value: 1_000, isConfirmed: false }, { ...first, value: 5_000 }] : [first];
}

export function epochs(): Wire["Epoch"][] {
  const paid = [0, 38_100, 37_000, 30_200, 33_000, 26_200, 24_700, 22_400];
  return paid.map((whole, i) => ({
    epoch: 48 - i,
    start: at(-(i + 1) * 168 * HOUR),
    end: at(-i * 168 * HOUR),
    settled: i > 0,
    budget: i === 0 ? "1700000000000" : `${whole}00000000`,
    total_staked: "105000000000000",
    rewarded: `${whole}00000000`,
    owners: 312 - i,
  }));
}

export const fees: Wire["Fees"] = { total: 12_345, network: 8_074, service: 3_000, rutxos: 725, dust: 546, feerate: 12.5 };
