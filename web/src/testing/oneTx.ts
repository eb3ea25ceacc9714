import { base64 } from "@scure/base";
import { Address, OutScript, TEST_NETWORK, Transaction } from "@scure/btc-signer";
import type { components } from "../api/schema.gen.ts";
import { parseRuneId, runestoneScript } from "../devwallet/runestone.ts";
import { community, order, session } from "./wire.ts";

const REGTEST = { ...TEST_NETWORK, bech32: "bcrt" };

/** The output script of an address of the regtest. */
export function scriptOf(address: string): Uint8Array {
  return OutScript.encode(Address(REGTEST).decode(address));
}

/** The order that the transaction delivers: its unit, runes and rune. */
export const wanted = {
  units: order().po_rutxos,
  runes: BigInt(order().wa_amount),
  runeId: community().rune_id,
};

interface Change {
  /** Where the runes and the change go. */
  ordinals?: string;
  change?: string;
  /** Sats of the change. */
  left?: bigint;
  /** Outpoints of the units that it spends. */
  units?: readonly string[];
  /** Sats of the output with the runestone. */
  burned?: bigint;
  /** The runes of the runestone's edict; null for a transaction without a runestone. */
  runes?: bigint | null;
  /** The output that the edict and the pointer name. */
  output?: number;
}

/** Returns a transaction as the server issues it: a stake of 546 sats and a coin of 100,000 pay a fee of 1,972 sats. */
export function oneTxPsbt(to: Change = {}): Transaction {
  const { ordinals = session.ordinals.address, change = session.payment.address, left = 97_482n } = to;
  const { units = wanted.units, burned = 0n, runes = wanted.runes, output = 0 } = to;
  const tx = new Transaction({ version: 2, allowUnknownOutputs: true });
  const add = (outpoint: string, address: string, amount: bigint) => {
    const witnessUtxo = { script: scriptOf(address), amount };
    const [txid, index] = outpoint.split(":") as [string, string];
    tx.addInput({ txid, index: Number(index), sequence: 0xfffffffd, witnessUtxo });
  };
  for (const unit of units) add(unit, STAKE, 546n);
  add(`${"b".repeat(64)}:0`, session.payment.address, 100_000n);
  tx.addOutput({ script: scriptOf(ordinals), amount: 1_092n });
  if (runes !== null) {
    const edicts = [{ id: parseRuneId(wanted.runeId), amount: runes, output }];
    tx.addOutput({ script: runestoneScript({ edicts, pointer: output }), amount: burned });
  }
  if (left > 0n) tx.addOutput({ script: scriptOf(change), amount: left });
  return tx;
}

/** A taproot address that the session does not have. */
export const STAKE = Address(REGTEST).encode({ type: "tr", pubkey: new Uint8Array(32).fill(0x44) });

export const inBase64 = (tx: Transaction): string => base64.encode(tx.toPSBT(0));

/** Returns the server's answer to beginOneTx. */
export function oneTxDraft(
  change: Partial<components["schemas"]["OneTxDraft"]> = {},
): components["schemas"]["OneTxDraft"] {
  return {
    psbt: inBase64(oneTxPsbt()),
    inputs: [1],
    owner_inputs: [],
    address: session.payment.address,
    fee: 1_972,
    vbytes: 263,
    feerate: 7.5,
    until: new Date(Date.now() + 20 * 60_000).toISOString(),
    ...change,
  };
}
