import { schnorr } from "@noble/curves/secp256k1.js";
import { Transaction } from "@scure/btc-signer";
import { expect, it } from "vitest";
import { later } from "../lib/laterText.ts";
import { scriptOf, SELF, STAKE } from "../testing/oneTx.ts";
import { session } from "../testing/wire.ts";
import { entryOf, joined, PsbtType, serialize, type PsbtEntry } from "../wallet/psbt.ts";
import { leafEntries, stakeOutput, xOnly, type Leaf } from "../wallet/stakeScript.ts";
import { leafHash, outputKey } from "../wallet/taproot.ts";
import { RecoveryMismatch, requireRecovery } from "./recoveryCheck.ts";

const DELAY = 8_064;
const TXID = "ab".repeat(32);
const own = scriptOf(session.ordinals.address);

interface Change {
  entries?: PsbtEntry[];
  sequence?: number;
  inputs?: number;
  outputs?: Uint8Array[];
}

/** The recovery of SELF, as the server issues it, with changes. */
function recovery(change: Change = {}): string {
  const { entries = spends(SELF.alone), sequence = DELAY, inputs = 1, outputs = [own] } = change;
  const tx = new Transaction({ version: 2, allowUnknownOutputs: true });
  for (let index = 0; index < inputs; index++) tx.addInput({ txid: TXID, index, sequence });
  for (const script of outputs) tx.addOutput({ script, amount: 400n });
  const { unsignedTx } = tx;
  return serialize({
    unsignedTx,
    globals: [entryOf(PsbtType.unsignedTx, unsignedTx)],
    inputs: Array.from({ length: inputs }, () => entries),
    outputs: outputs.map(() => []),
  });
}

const spent = (script: Uint8Array): PsbtEntry =>
  entryOf(PsbtType.witnessUtxo, Uint8Array.of(0x22, 2, 0, 0, 0, 0, 0, 0, script.length, ...script));
const spends = (...leaves: Leaf[]): PsbtEntry[] => [
  spent(SELF.script),
  ...leaves.flatMap((leaf) => leafEntries(leaf, SELF.root).slice(0, 1)),
  ...leafEntries(SELF.alone, SELF.root).slice(1),
];
const sighash = (...bytes: number[]): PsbtEntry => entryOf(PsbtType.sighashType, Uint8Array.of(...bytes));

/** An output with one leaf, which is this script, and the entries of an input that spends it. */
function single(internal: Uint8Array, script: Uint8Array): PsbtEntry[] {
  const { key, parity } = outputKey(internal, leafHash(script));
  return [
    spent(joined(Uint8Array.of(0x51, 0x20), key)),
    entryOf(PsbtType.tapLeafScript, Uint8Array.of(...script, 0xc0), Uint8Array.of(0xc0 | parity, ...internal)),
    entryOf(PsbtType.tapInternalKey, internal),
    entryOf(PsbtType.tapMerkleRoot, leafHash(script)),
  ];
}
const community = schnorr.getPublicKey(new Uint8Array(32).fill(2));
const owner = xOnly(session.ordinals.publicKey);

it.each<[string, Change]>([
  ["in self-custody", {}],
  ["in operator custody", { entries: single(community, SELF.alone.script) }],
  ["with SIGHASH_DEFAULT", { entries: [...spends(SELF.alone), sighash(0, 0, 0, 0)] }],
  ["with SIGHASH_ALL", { entries: [...spends(SELF.alone), sighash(1, 0, 0, 0)] }],
  ["to which a fee input can be added", { entries: [...spends(SELF.alone), sighash(0x81, 0, 0, 0)] }],
])("accepts the recovery of a stake %s", (_, change) => {
  requireRecovery(recovery(change), session.ordinals);
});

const others = stakeOutput({ owner: community, community, delay: DELAY });
const ofOthers = [spent(others.script), ...leafEntries(others.alone, others.root)];

it.each<[string, string]>([
  ["it is no PSBT", "AAAA"],
  ["it spends by the leaf that the community completes", recovery({ entries: spends(SELF.together) })],
  ["both leaves are listed", recovery({ entries: spends(SELF.together, SELF.alone) })],
  ["no leaf is listed", recovery({ entries: spends() })],
  ["the leaf is not of the output", recovery({ entries: [...spends(SELF.alone).slice(1), spent(own)] })],
  ["the output is unknown", recovery({ entries: spends(SELF.alone).slice(1) })],
  ["the leaf is of another owner", recovery({ entries: ofOthers })],
  ["the leaf is any script", recovery({ entries: single(community, Uint8Array.of(0x51)) })],
  ["the owner's key moves the output", recovery({ entries: single(owner, SELF.alone.script) })],
  ["the delay is not the leaf's", recovery({ sequence: DELAY - 1 })],
  ["the delay is in seconds", recovery({ sequence: DELAY | 0x400000 })],
  ["it goes elsewhere", recovery({ outputs: [scriptOf(STAKE)] })],
  ["it goes elsewhere as well", recovery({ outputs: [own, scriptOf(STAKE)] })],
  ["it has no output", recovery({ outputs: [] })],
  ["it spends another output as well", recovery({ inputs: 2 })],
  ["no output is signed", recovery({ entries: [...spends(SELF.alone), sighash(2, 0, 0, 0)] })],
  ["one output is signed", recovery({ entries: [...spends(SELF.alone), sighash(0x83, 0, 0, 0)] })],
  ["the hash type is longer", recovery({ entries: [...spends(SELF.alone), sighash(1, 1, 0, 0)] })],
])("refuses a recovery if %s", (_, wrong) => {
  expect(() => requireRecovery(wrong, session.ordinals)).toThrow(new RecoveryMismatch(later.recover.mismatch));
});
