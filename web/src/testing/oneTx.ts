import { base64 } from "@scure/base";
import { Address, OutScript, TEST_NETWORK, Transaction } from "@scure/btc-signer";
import type { components } from "../api/schema.gen.ts";
import { parseRuneId, runestoneScript } from "../devwallet/runestone.ts";
import { stakeOutput, xOnly } from "../wallet/stakeScript.ts";
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
  self: [] as string[],
  service: null as bigint | null,
  coins: true,
};

interface Change {
  /** Where the runes and the change go. */
  ordinals?: string;
  change?: string;
  /** Sats of the change. */
  left?: bigint;
  /** Outpoints of the units that it spends, and of the units among them in self-custody. */
  units?: readonly string[];
  self?: readonly string[];
  /** Sats of the delivery. */
  delivered?: bigint;
  /** Sats of a payment of the order, in place of the coin or, with `coin`, beside it. */
  payment?: bigint;
  coin?: boolean;
  /** Sats of the output with the service fee. */
  service?: bigint;
  /** Changes the fields of an input. */
  input?(index: number): object;
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
  const { units = wanted.units, burned = 0n, runes = wanted.runes, output = 0, self = [], delivered = 1_092n } = to;
  const tx = new Transaction({ version: 2, allowUnknownOutputs: true });
  const add = (outpoint: string, script: Uint8Array, amount: bigint, leaf: object = {}) => {
    const [txid, index] = outpoint.split(":") as [string, string];
    const fields = { txid, index: Number(index), sequence: 0xfffffffd, witnessUtxo: { script, amount } };
    tx.addInput({ ...fields, ...leaf, ...to.input?.(tx.inputsLength) });
  };
  for (const unit of units)
    if (self.includes(unit)) add(unit, SELF.script, 546n, togetherFields());
    else add(unit, scriptOf(STAKE), 546n);
  if (to.payment !== undefined) add(`${"e".repeat(64)}:1`, scriptOf(STAKE), to.payment);
  if (to.payment === undefined || to.coin)
    add(`${"b".repeat(64)}:0`, scriptOf(session.payment.address), 100_000n);
  tx.addOutput({ script: scriptOf(ordinals), amount: delivered });
  if (runes !== null) {
    const edicts = [{ id: parseRuneId(wanted.runeId), amount: runes, output }];
    tx.addOutput({ script: runestoneScript({ edicts, pointer: output }), amount: burned });
  }
  if (to.service) tx.addOutput({ script: scriptOf(STAKE), amount: to.service });
  if (left > 0n) tx.addOutput({ script: scriptOf(change), amount: left });
  return tx;
}

/** A taproot address that the session does not have. */
export const STAKE = Address(REGTEST).encode({ type: "tr", pubkey: new Uint8Array(32).fill(0x44) });

/** The output of a stake in self-custody of the session's owner. */
export const SELF = stakeOutput({
  owner: xOnly(session.ordinals.publicKey),
  community: new Uint8Array(32).fill(0x22),
  delay: 8_064,
});

/** The fields of an input that spends SELF by the leaf *together*. */
function togetherFields() {
  const { script, control } = SELF.together;
  const [version, internalKey, merklePath] = [control[0]!, control.slice(1, 33), [control.slice(33)]];
  const leaf = Uint8Array.of(...script, 0xc0);
  const tapLeafScript = [[{ version, internalKey, merklePath }, leaf]] as const;
  return { tapLeafScript, tapInternalKey: internalKey, tapMerkleRoot: SELF.root };
}

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
