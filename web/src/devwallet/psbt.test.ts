// @vitest-environment node
import { schnorr } from "@noble/curves/secp256k1.js";
import { base64 } from "@scure/base";
import { p2tr, Script, SigHash, Transaction } from "@scure/btc-signer";
import { tapLeafHash } from "@scure/btc-signer/payment.js";
import { describe, expect, it } from "vitest";
import { deriveAccount, networkParams, rootKey } from "./keys";
import { readPsbt, signPsbt, summarize, writePsbt } from "./psbt";
import { TEST_SETTINGS } from "./testing/chain";

const REGTEST = networkParams("Regtest");
const account = deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 0, "p2sh-p2wpkh", "Regtest");
const community = deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 1, "p2wpkh", "Regtest");
const TXID = "11".repeat(32);
const OPEN = { allowUnknownInputs: true, allowUnknownOutputs: true } as const;

/** A stake's output: the community's key, and one leaf for the staker after 1,000 blocks. */
function stake() {
  const leaf = Script.encode([account.ordinals.publicKey.slice(1), "CHECKSIGVERIFY", 1000, "CHECKSEQUENCEVERIFY"]);
  const payment = p2tr(community.ordinals.publicKey.slice(1), { script: leaf }, REGTEST, true);
  return { leaf, payment };
}

describe("a stake's recovery", () => {
  it.each([
    ["its own fee", SigHash.DEFAULT],
    ["any fee input", SigHash.ALL_ANYONECANPAY],
  ])("is signed with the leaf key, with %s", (_, sighashType) => {
    const { leaf, payment } = stake();
    const built = new Transaction({ version: 2, ...OPEN });
    built.addInput({
      txid: TXID,
      index: 0,
      sequence: 1000,
      witnessUtxo: { script: payment.script, amount: 546n },
      tapLeafScript: payment.tapLeafScript,
      tapInternalKey: community.ordinals.publicKey.slice(1),
      tapMerkleRoot: payment.tapMerkleRoot,
      ...(sighashType ? { sighashType } : {}),
    });
    built.addOutput({ script: account.ordinals.script, amount: 400n });
    const tx = readPsbt(base64.encode(built.toPSBT(0)));
    const summary = summarize(tx, account, "Regtest");
    expect(summary).toMatchObject({ spends: 546, fee: 146, open: sighashType !== 0, outpoints: [`${TXID}:0`] });
    expect(summary.outputs).toEqual([{ to: account.ordinals.address, value: 400, own: true }]);

    signPsbt(tx, summary.signs);
    const signed = readPsbt(writePsbt(tx));
    const digest = signed.preimageWitnessV1(0, [payment.script], sighashType, [546n], undefined, leaf);
    const [key, signature] = signed.getInput(0).tapScriptSig![0]!;
    expect(key.leafHash).toEqual(tapLeafHash(leaf));
    expect(schnorr.verify(signature.slice(0, 64), digest, account.ordinals.publicKey.slice(1))).toBe(true);
    signed.finalize();
    expect(signed.getInput(0).finalScriptWitness).toHaveLength(3); // signature, leaf, control block
  });
});

describe("a payment", () => {
  const build = (fields: object = {}) => {
    const tx = new Transaction(OPEN);
    tx.addInput({ txid: TXID, index: 0, witnessUtxo: { script: account.payment.script, amount: 10_000n }, ...fields });
    tx.addInput({ txid: TXID, index: 1, witnessUtxo: { script: community.payment.script, amount: 5_000n } });
    tx.addOutput({ script: community.payment.script, amount: 14_000n });
    return base64.encode(tx.toPSBT(0));
  };

  it("has our input signed and the other unchanged", () => {
    const tx = readPsbt(build()); // no redeem script: a wallet knows its own
    const { signs, fee } = summarize(tx, account, "Regtest");
    expect(signs.map(({ index }) => index)).toEqual([0]);
    expect(fee).toBe(1_000);
    signPsbt(tx, signs);
    expect(tx.getInput(0).partialSig).toHaveLength(1);
    expect(tx.getInput(1).partialSig).toBeUndefined();
  });

  it("is refused if an input is not ours or missing", () => {
    const tx = readPsbt(build());
    const { payment } = account;
    expect(() => summarize(tx, account, "Regtest", { [community.payment.address]: [1] })).toThrow(
      "no address of the selected account",
    );
    expect(() => summarize(tx, account, "Regtest", { [payment.address]: [2] })).toThrow("There is no input 2.");
    const { signs } = summarize(tx, account, "Regtest", { [payment.address]: [1] });
    expect(() => signPsbt(tx, signs)).toThrow("Input 1 can't be signed");
    expect(() =>
      summarize(tx, deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 2, "p2pkh", "Regtest"), "Regtest"),
    ).toThrow("None of the inputs");
  });

  it("with unsigned outputs is refused", () => {
    const tx = readPsbt(build({ sighashType: SigHash.NONE }));
    expect(() => signPsbt(tx, summarize(tx, account, "Regtest").signs)).toThrow("can't be signed");
  });

  it("that can't be read is refused", () => {
    expect(() => readPsbt("bW9vbg==")).toThrow("The PSBT can't be read");
  });
});
