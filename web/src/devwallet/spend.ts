import { Address, OutScript, Transaction } from "@scure/btc-signer";
import { hex } from "@scure/base";
import type { Coin } from "./chain";
import { badParams, Code, RpcError } from "./fault";
import { networkParams, type Account, type NetworkName, type OwnAddress, type ScriptType } from "./keys";
import { parseRuneId, runestoneScript, type Edict } from "./runestone";

/** Sats of an output that only carries runes, and the minimum of a change output. */
export const POSTAGE = 546;

/** Virtual bytes of a signed input, rounded up, with a signature of maximum length. */
const INPUT_VBYTES: Record<ScriptType, number> = { p2tr: 58, p2wpkh: 69, "p2sh-p2wpkh": 92, p2pkh: 149 };
const BASE_VBYTES = 12;

export interface OwnCoin extends Coin {
  owner: OwnAddress;
}

export interface Output {
  script: Uint8Array;
  /** Sats. */
  value: number;
}

/** An unsigned transaction with the facts that the user confirms. */
export interface Draft {
  inputs: OwnCoin[];
  outputs: Output[];
  /** Sats. */
  fee: number;
}

export interface RuneOrder {
  id: string;
  /** Base units. */
  amount: bigint;
  script: Uint8Array;
}

/** The script of an address on this network. Throws for an address of another network. */
export function scriptOf(address: string, network: NetworkName): Uint8Array {
  try {
    return OutScript.encode(Address(networkParams(network)).decode(address));
  } catch {
    throw badParams(`Invalid address: ${address}`);
  }
}

/** Minimum value in sats that the network relays for an output with this script (dust limit). */
function dustLimit(script: Uint8Array): number {
  if (script[0] === 0x51) return 330; // p2tr
  if (script[0] === 0x00) return script.length === 22 ? 294 : 330; // p2wpkh, p2wsh
  return script[0] === 0xa9 ? 540 : 546; // p2sh, p2pkh
}

/** Pays sats from the payment address. `rate` is in sat/vB. */
export function draftPayment(outputs: Output[], account: Account, coins: OwnCoin[], rate: number): Draft {
  for (const { script, value } of outputs) {
    if (value < dustLimit(script)) throw badParams(`${value} sats is less than the network relays.`);
  }
  return fund([], outputs, account, coins, rate);
}

/** Sends all sats of these coins to the payment address. `rate` is in sat/vB. */
export function draftReturn(inputs: OwnCoin[], account: Account, rate: number): Draft {
  const have = inputs.reduce((total, { value }) => total + value, 0);
  const output = { script: account.payment.script, value: 0 };
  const fee = feeOf(inputs, [output], rate);
  return { inputs, outputs: [{ ...output, value: have - fee }], fee };
}

/**
 * Sends runes: one output of 546 sats per recipient, one output of our own for the rest, then the runestone with one
 * edict per recipient and the pointer to our own output. The payment address pays the fee.
 */
export function draftRunes(orders: RuneOrder[], account: Account, coins: OwnCoin[], rate: number): Draft {
  const inputs = selectRunes(orders, coins);
  const outputs: Output[] = orders.map(({ script }) => ({ script, value: POSTAGE }));
  const edicts = orders.map(({ id, amount }, output): Edict => ({ id: parseRuneId(id), amount, output }));
  // Always present, so that runes without an edict return to the wallet, including unexpected ones.
  const pointer = outputs.push({ script: account.ordinals.script, value: POSTAGE }) - 1;
  outputs.push({ script: runestoneScript({ edicts, pointer }), value: 0 });
  return fund(inputs, outputs, account, coins, rate);
}

/** Selects coins that hold enough of every rune: confirmed ones first, then the largest. */
function selectRunes(orders: RuneOrder[], coins: OwnCoin[]): OwnCoin[] {
  const required = new Map<string, bigint>();
  for (const { id, amount } of orders) required.set(id, (required.get(id) ?? 0n) + amount);
  const chosen: OwnCoin[] = [];
  for (const [id, amount] of required) {
    const holding = (coin: OwnCoin) => coin.runes.find((rune) => rune.id === id)?.amount ?? 0n;
    const candidates = coins
      .filter((coin) => holding(coin) > 0n && !chosen.includes(coin))
      .sort((a, b) => settledFirst(a, b) || (holding(a) < holding(b) ? 1 : -1));
    let missing = amount - (sum(chosen).get(id) ?? 0n);
    for (const coin of candidates) {
      if (missing <= 0n) break;
      chosen.push(coin);
      missing -= holding(coin);
    }
    if (missing > 0n) throw new RpcError(Code.internalError, "Insufficient rune balance.");
  }
  return chosen;
}

function sum(coins: OwnCoin[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { id, amount } of coins.flatMap((coin) => coin.runes)) balances.set(id, (balances.get(id) ?? 0n) + amount);
  return balances;
}

const settledFirst = (a: Coin, b: Coin) => Number(b.confirmations > 0) - Number(a.confirmations > 0);

/**
 * Adds coins of the payment address until the inputs cover outputs and fee, and a change output if its value reaches
 * the minimum. Coins with runes are never used.
 */
function fund(fixed: OwnCoin[], outputs: Output[], account: Account, coins: OwnCoin[], rate: number): Draft {
  const change: Output = { script: account.payment.script, value: 0 };
  const spendable = coins
    .filter((coin) => coin.owner.purpose === "payment" && coin.runes.length === 0)
    .sort((a, b) => settledFirst(a, b) || b.value - a.value);
  const inputs = [...fixed];
  const due = outputs.reduce((total, { value }) => total + value, 0);
  for (;;) {
    const have = inputs.reduce((total, { value }) => total + value, 0);
    const left = have - due - feeOf(inputs, outputs, rate);
    const withChange = have - due - feeOf(inputs, [...outputs, change], rate);
    if (inputs.length > 0 && withChange >= POSTAGE) {
      return { inputs, outputs: [...outputs, { ...change, value: withChange }], fee: have - due - withChange };
    }
    const next = spendable.shift();
    if (!next && inputs.length > 0 && left >= 0) return { inputs, outputs, fee: have - due };
    if (!next) throw new RpcError(Code.internalError, "Insufficient balance to pay the transaction and its fee.");
    inputs.push(next);
  }
}

function feeOf(inputs: OwnCoin[], outputs: Output[], rate: number): number {
  const vbytes =
    BASE_VBYTES +
    inputs.reduce((total, { owner }) => total + INPUT_VBYTES[owner.type], 0) +
    outputs.reduce((total, { script }) => total + 9 + (script.length > 252 ? 2 : 0) + script.length, 0);
  return Math.ceil(vbytes * rate);
}

/** Signs every input of a draft. `previous` returns the whole transaction (hex) that a legacy input spends. */
export async function signDraft(draft: Draft, previous: (txid: string) => Promise<string>): Promise<Transaction> {
  const tx = new Transaction({ version: 2, allowUnknownOutputs: true, lowR: true });
  for (const { txid, vout, value, owner } of draft.inputs) {
    tx.addInput({
      txid,
      index: vout,
      sequence: 0xfffffffd, // BIP-125: the fee may be bumped
      ...(owner.type === "p2pkh"
        ? { nonWitnessUtxo: hex.decode(await previous(txid)) }
        : { witnessUtxo: { script: owner.script, amount: BigInt(value) } }),
      ...(owner.redeemScript ? { redeemScript: owner.redeemScript } : {}),
      ...(owner.type === "p2tr" ? { tapInternalKey: owner.publicKey.slice(1) } : {}),
    });
  }
  for (const { script, value } of draft.outputs) tx.addOutput({ script, amount: BigInt(value) });
  draft.inputs.forEach(({ owner }, i) => tx.signIdx(owner.privateKey, i));
  tx.finalize();
  return tx;
}
