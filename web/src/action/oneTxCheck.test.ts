import { describe, expect, it } from "vitest";
import { later } from "../lib/laterText.ts";
import { inBase64, oneTxDraft, oneTxPsbt, scriptOf, SELF, STAKE, wanted } from "../testing/oneTx.ts";
import { session } from "../testing/wire.ts";
import { parseRuneId } from "../wallet/runeId.ts";
import { entryOf, PsbtType, readPsbtText, serialize, type PsbtEntry } from "../wallet/psbt.ts";
import { leafEntries, type Leaf } from "../wallet/stakeScript.ts";
import { DraftMismatch, requireOneTx } from "./oneTxCheck.ts";

const words = later.oneTx;
type Draft = Parameters<typeof requireOneTx>[0];

const draft = (psbt: string, change: Partial<Draft> = {}): Draft => {
  const { inputs, address, vbytes, feerate: rate } = oneTxDraft();
  return { psbt, inputs, ownerInputs: [], address, fee: 1_972n, vbytes, rate, ...change };
};

it("accepts a transaction that pays the two own addresses, with or without change", () => {
  requireOneTx(draft(inBase64(oneTxPsbt())), wanted, session);
  requireOneTx(draft(inBase64(oneTxPsbt({ left: 0n })), { fee: 99_454n }), wanted, session);
});

it("accepts several units in any order", () => {
  const units = [`${"c".repeat(64)}:3`, ...wanted.units];
  const tx = inBase64(oneTxPsbt({ units }));
  requireOneTx(draft(tx, { inputs: [2], fee: 2_518n }), { ...wanted, units: units.toReversed() }, session);
});

it.each<[string, Draft, string]>([
  ["the runes go elsewhere", draft(inBase64(oneTxPsbt({ ordinals: STAKE }))), words.otherOutputs],
  ["the change goes elsewhere", draft(inBase64(oneTxPsbt({ change: STAKE }))), words.otherOutputs],
  ["there is one more output", draft(inBase64(withOutput())), words.otherOutputs],
  ["the delivery lacks sats", draft(inBase64(oneTxPsbt({ delivered: 545n })), { fee: 2_519n }), words.otherOutputs],
  ["there is a service fee", draft(inBase64(oneTxPsbt({ service: 2_000n, left: 0n }))), words.otherOutputs],
  ["a coin is signed for one output", draft(inBase64(oneTxPsbt({ input: sighash(1, 0x83) }))), words.otherSighash],
  ["a coin is signed for no output", draft(inBase64(oneTxPsbt({ input: sighash(1, 0x02) }))), words.otherSighash],
  ["others could add inputs", draft(inBase64(oneTxPsbt({ input: sighash(1, 0x81) }))), words.otherSighash],
  ["it spends no stake", draft(inBase64(oneTxPsbt({ units: [], left: 96_936n })), { inputs: [0] }), words.otherUnits],
  ["it spends another stake", draft(inBase64(oneTxPsbt({ units: [`${"d".repeat(64)}:0`] }))), words.otherUnits],
  ["the runestone is missing", draft(inBase64(oneTxPsbt({ runes: null }))), words.otherRunes],
  ["the runestone has sats", draft(inBase64(oneTxPsbt({ burned: 90_000n, left: 7_482n }))), words.otherRunes],
  ["the runestone sends less", draft(inBase64(oneTxPsbt({ runes: wanted.runes - 1n }))), words.otherRunes],
  ["the runestone sends to the change", draft(inBase64(oneTxPsbt({ output: 2 }))), words.otherRunes],
  ["another input is to be signed", draft(inBase64(oneTxPsbt()), { inputs: [0, 1] }), words.otherInputs],
  ["no input is to be signed", draft(inBase64(oneTxPsbt()), { inputs: [] }), words.otherInputs],
  ["the fee is higher than it says", draft(inBase64(oneTxPsbt({ left: 90_000n }))), words.otherFee("1,972")],
  ["the address is another", draft(inBase64(oneTxPsbt()), { address: STAKE }), words.otherTransaction],
  ["it is no PSBT", draft("AAAA"), words.otherTransaction],
])("refuses a transaction if %s", (_, wrong, sentence) => {
  expect(() => requireOneTx(wrong, wanted, session)).toThrow(new DraftMismatch(sentence));
});

it("refuses an order without units", () => {
  const empty = draft(inBase64(oneTxPsbt({ units: [], left: 96_936n })), { inputs: [0] });
  expect(() => requireOneTx(empty, { ...wanted, units: [] }, session)).toThrow(new DraftMismatch(words.otherUnits));
});

it.each([0n, -1n, 1n << 63n, 1n << 128n])("refuses runes of %d, which the runestone can't send", (runes) => {
  const tx = oneTxPsbt({ runes: null, left: 0n });
  tx.addOutput({ script: runestoneFor(runes), amount: 0n });
  expect(() => requireOneTx(draft(inBase64(tx), { fee: 99_454n }), { ...wanted, runes }, session)).toThrow(
    new DraftMismatch(words.otherRunes),
  );
});

/** A unit in self-custody and one in operator custody, delivered by this owner's coin. */
const [unit] = wanted.units as [string];
const other = `${"c".repeat(64)}:3`;
const third = `${"d".repeat(64)}:0`;
const COMMUNITY = new Uint8Array(32).fill(0x22);
const mixed = { ...wanted, units: [unit, other], self: [unit] };
const mixedTx = (change: Parameters<typeof oneTxPsbt>[0] = {}) =>
  inBase64(oneTxPsbt({ units: mixed.units, self: [unit], ...change }));
const mixedDraft = (change: Parameters<typeof oneTxPsbt>[0] = {}, more: Partial<Draft> = {}) =>
  draft(mixedTx(change), { inputs: [2], ownerInputs: [0], fee: 2_518n, ...more });
/** The draft with other entries of an input: those of the same type are replaced. */
function withEntries(index: number, ...entries: PsbtEntry[]): Draft {
  const psbt = readPsbtText(mixedTx())!;
  const types = entries.map(({ type }) => type);
  const kept = psbt.inputs[index]!.filter(({ type }) => !types.includes(type));
  psbt.inputs[index] = [...kept, ...entries.filter(({ value }) => value.length > 0)];
  return mixedDraft({}, { psbt: serialize(psbt) });
}
const leafOf = (of: Leaf) => leafEntries(of, SELF.root)[0]!;
const NONE = new Uint8Array();
const LONG_TYPE = entryOf(PsbtType.sighashType, Uint8Array.of(1, 1, 0, 0));

describe("a withdrawal of units of both kinds", () => {
  it("is accepted, also if the page doesn't know their kinds", () => {
    requireOneTx(mixedDraft(), mixed, session);
    requireOneTx(mixedDraft(), { ...mixed, self: [] }, session);
    requireOneTx(mixedDraft({ input: sighash(0, 0x01) }), mixed, session);
  });

  it.each<[string, Draft, string]>([
    ["the owner doesn't sign the unit", mixedDraft({}, { ownerInputs: [] }), words.otherInputs],
    ["the owner signs a unit of the operator", mixedDraft({}, { ownerInputs: [0, 1] }), words.otherLeaf],
    ["the owner signs the coin by a leaf", mixedDraft({}, { ownerInputs: [0, 2] }), words.otherInputs],
    ["the owner signs an input twice", mixedDraft({}, { ownerInputs: [0, 0] }), words.otherInputs],
    ["the owner signs an input that isn't there", mixedDraft({}, { ownerInputs: [0, 7] }), words.otherInputs],
    ["the unit is signed for one output", mixedDraft({ input: sighash(0, 0x83) }), words.otherSighash],
    ["the unit is signed for no output", mixedDraft({ input: sighash(0, 0x82) }), words.otherSighash],
    ["the unit is signed for its output", mixedDraft({ input: sighash(0, 0x03) }), words.otherSighash],
    ["others could add inputs", mixedDraft({ input: sighash(0, 0x81) }), words.otherSighash],
    ["the hash type is longer", withEntries(0, LONG_TYPE), words.otherSighash],
    ["the leaf is the owner's alone", withEntries(0, leafOf(SELF.alone)), words.otherLeaf],
    ["both leaves are listed", withEntries(0, leafOf(SELF.together), leafOf(SELF.alone)), words.otherLeaf],
    ["the coin has a leaf, too", withEntries(2, leafOf(SELF.together)), words.otherLeaf],
    ["an operator's unit has a leaf", withEntries(1, leafOf(SELF.together)), words.otherLeaf],
    ["the leaf has no root", withEntries(0, entryOf(PsbtType.tapMerkleRoot, NONE)), words.otherLeaf],
    ["the key path is the community's", withEntries(0, entryOf(PsbtType.tapInternalKey, COMMUNITY)), words.otherLeaf],
    ["the output is another", withEntries(0, entryOf(PsbtType.witnessUtxo, elsewhere())), words.otherLeaf],
    ["the output is unknown", withEntries(0, entryOf(PsbtType.witnessUtxo, NONE)), words.otherLeaf],
    ["a unit is missing", mixedDraft({ units: [unit] }, { inputs: [1] }), words.otherUnits],
    ["there is one more unit", mixedDraft({ units: [...mixed.units, third] }, { inputs: [3] }), words.otherUnits],
    ["the runes go elsewhere", mixedDraft({ ordinals: STAKE }), words.otherOutputs],
    ["the change goes elsewhere", mixedDraft({ change: STAKE }), words.otherOutputs],
    ["the delivery lacks the sats of a unit", mixedDraft({ delivered: 1_091n }), words.otherOutputs],
    ["the runestone sends less", mixedDraft({ runes: wanted.runes - 1n }), words.otherRunes],
    ["the fee is higher than it says", mixedDraft({ left: 90_000n }), words.otherFee("2,518")],
  ])("is refused if %s", (_, wrong, sentence) => {
    expect(() => requireOneTx(wrong, mixed, session)).toThrow(new DraftMismatch(sentence));
  });

  it("is refused for a wallet whose key is not in the leaf", () => {
    const ordinals = { ...session.ordinals, publicKey: session.payment.publicKey.replace(/.$/, "9") };
    expect(() => requireOneTx(mixedDraft(), mixed, { ...session, ordinals })).toThrow(words.otherLeaf);
  });
});

/** An order that a payment of 20,000 sats pays: 2,000 are the service fee, 15,454 return. */
const paid = { ...wanted, self: [unit], service: 2_000n, coins: false };
const paidTx = { self: [unit], payment: 20_000n, service: 2_000n, left: 15_454n };
const paidDraft = (change: Parameters<typeof oneTxPsbt>[0] = {}, more: Partial<Draft> = {}) =>
  draft(inBase64(oneTxPsbt({ ...paidTx, ...change })), { inputs: [], ownerInputs: [0], fee: 2_000n, ...more });

const two = { units: [unit, third], self: [unit, third] };

describe("the delivery of a paid order", () => {
  it("is accepted with and without a service fee and change", () => {
    requireOneTx(paidDraft(), paid, session);
    requireOneTx(paidDraft({ left: 0n }, { fee: 17_454n }), paid, session);
    requireOneTx(paidDraft({ service: 0n }, { fee: 4_000n }), paid, session);
    requireOneTx(paidDraft({ service: 0n, left: 0n }, { fee: 19_454n }), paid, session);
  });

  it("is accepted for a wallet with one address", () => {
    const { ordinals } = session;
    const tx = paidDraft({ change: ordinals.address }, { address: ordinals.address });
    requireOneTx(tx, paid, { payment: ordinals, ordinals });
  });

  it("may be paid by coins of the owner as well, as a replacement is", () => {
    const tx = inBase64(oneTxPsbt({ ...paidTx, coin: true, left: 113_454n }));
    const replacement = draft(tx, { inputs: [2], ownerInputs: [0], fee: 4_000n });
    requireOneTx(replacement, { ...paid, coins: true }, session);
    expect(() => requireOneTx(replacement, paid, session)).toThrow(new DraftMismatch(words.otherInputs));
  });

  it("is refused if the owner's coins pay for more than the fee", () => {
    const tx = inBase64(oneTxPsbt({ ...paidTx, payment: undefined as never, left: 95_454n }));
    const draftOf = draft(tx, { ownerInputs: [0], fee: 2_000n });
    expect(() => requireOneTx(draftOf, { ...paid, coins: true }, session)).toThrow(
      new DraftMismatch(words.otherFee("2,000")),
    );
  });

  it.each<[string, Draft, string]>([
    ["the service fee is higher", paidDraft({ service: 2_001n, left: 15_453n }), words.otherOutputs],
    ["the service fee is lower", paidDraft({ service: 1_999n, left: 15_455n }), words.otherOutputs],
    ["the service fee is there twice", paidDraft({ left: 2_000n, change: STAKE }), words.otherOutputs],
    ["what is left goes elsewhere", paidDraft({ change: STAKE }), words.otherOutputs],
    ["the service fee has the runes", paidDraft({ output: 2 }), words.otherRunes],
    ["the runes go elsewhere", paidDraft({ ordinals: STAKE }), words.otherOutputs],
    ["the delivery lacks the unit's sats", paidDraft({ delivered: 545n }), words.otherOutputs],
    ["the unit is not spent", paidDraft({ units: [other], self: [other] }), words.otherUnits],
    ["the owner signs another unit, too", paidDraft(two, { ownerInputs: [0, 1] }), words.otherInputs],
    ["the owner signs nothing", paidDraft({}, { ownerInputs: [] }), words.otherInputs],
    ["the owner signs the payment", paidDraft({}, { inputs: [1] }), words.otherInputs],
    ["the fee is higher than it says", paidDraft({ left: 10_000n }), words.otherFee("2,000")],
  ])("is refused if %s", (_, wrong, sentence) => {
    expect(() => requireOneTx(wrong, paid, session)).toThrow(new DraftMismatch(sentence));
  });
});

/** The script of a runestone with an edict of `runes`, written as the check would write it. */
function runestoneFor(runes: bigint): Uint8Array {
  const integer = (value: bigint): number[] =>
    value > 0x7fn ? [Number(value & 0x7fn) | 0x80, ...integer(value >> 7n)] : [Number(BigInt.asUintN(8, value))];
  const { block, tx } = parseRuneId(wanted.runeId);
  const payload = [22n, 0n, 0n, block, BigInt(tx), runes, 0n].flatMap(integer);
  return Uint8Array.of(0x6a, 0x5d, payload.length, ...payload);
}

function sighash(at: number, sighashType: number) {
  return (index: number) => (index === at ? { sighashType } : {});
}

function elsewhere() {
  const script = scriptOf(STAKE);
  return Uint8Array.of(0x22, 2, 0, 0, 0, 0, 0, 0, script.length, ...script); // 546 sats
}

function withOutput() {
  const tx = oneTxPsbt({ left: 50_000n });
  tx.addOutputAddress(session.payment.address, 47_482n, {
    bech32: "bcrt",
    pubKeyHash: 0x6f,
    scriptHash: 0xc4,
    wif: 0xef,
  });
  return tx;
}
