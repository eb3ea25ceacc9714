import { base64 } from "@scure/base";
import { Address, OutScript, TEST_NETWORK, Transaction } from "@scure/btc-signer";
import type { components } from "../api/schema.gen.ts";
import { session } from "./wire.ts";

const REGTEST = { ...TEST_NETWORK, bech32: "bcrt" };

/** The output script of an address of the regtest. */
export function scriptOf(address: string): Uint8Array {
  return OutScript.encode(Address(REGTEST).decode(address));
}

interface Change {
  /** Where the runes and the change go. */
  ordinals?: string;
  change?: string;
  /** Sats of the change. */
  left?: bigint;
}

/** Returns a transaction as the server issues it: a stake of 546 sats and a coin of 100,000 pay a fee of 1,972 sats. */
export function oneTxPsbt(to: Change = {}): Transaction {
  const { ordinals = session.ordinals.address, change = session.payment.address, left = 97_482n } = to;
  const tx = new Transaction({ version: 2, allowUnknownOutputs: true });
  const add = (txid: string, address: string, amount: bigint) => {
    const witnessUtxo = { script: scriptOf(address), amount };
    tx.addInput({ txid: txid.repeat(64), index: 0, sequence: 0xfffffffd, witnessUtxo });
  };
  add("a", STAKE, 546n);
  add("b", session.payment.address, 100_000n);
  tx.addOutput({ script: scriptOf(ordinals), amount: 1_092n });
  tx.addOutput({ script: Uint8Array.of(0x6a, 0x5d, 0x01, 0x00), amount: 0n });
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
    address: session.payment.address,
    fee: 1_972,
    vbytes: 263,
    feerate: 7.5,
    until: new Date(Date.now() + 20 * 60_000).toISOString(),
    ...change,
  };
}
