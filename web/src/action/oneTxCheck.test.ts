import { expect, it } from "vitest";
import { later } from "../lib/laterText.ts";
import { inBase64, oneTxDraft, oneTxPsbt, STAKE, wanted } from "../testing/oneTx.ts";
import { session } from "../testing/wire.ts";
import { DraftMismatch, requireOneTx } from "./oneTxCheck.ts";

const words = later.oneTx;
type Draft = Parameters<typeof requireOneTx>[0];

const draft = (psbt: string, change: Partial<Draft> = {}): Draft => {
  const { inputs, address, vbytes, feerate: rate } = oneTxDraft();
  return { psbt, inputs, address, fee: 1_972n, vbytes, rate, ...change };
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
