// @vitest-environment node
import { schnorr } from "@noble/curves/secp256k1.js";
import { base64 } from "@scure/base";
import { p2tr, Script, SigHash, Transaction } from "@scure/btc-signer";
import { tapLeafHash } from "@scure/btc-signer/payment.js";
import { equalBytes, TAPROOT_UNSPENDABLE_KEY } from "@scure/btc-signer/utils.js";
import { describe, expect, it } from "vitest";
import { deriveAccount, networkParams, rootKey } from "./keys";
import { readPsbt, signPsbt, summarize, writePsbt } from "./psbt";
import { TEST_SETTINGS } from "./testing/chain";

const REGTEST = networkParams("Regtest");
const account = deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 0, "p2sh-p2wpkh", "Regtest");
const community = deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 1, "p2wpkh", "Regtest");
const TXID = "11".repeat(32);
const OPEN = { allowUnknownInputs: true, allowUnknownOutputs: true } as const;

const owner = account.ordinals.publicKey.slice(1);
const DELAY = 1_000;

/** The output of a stake in self-custody, and its two leaves. */
function stake() {
  const together = Script.encode([owner, "CHECKSIGVERIFY", community.ordinals.publicKey.slice(1), "CHECKSIG"]);
  const alone = Script.encode([owner, "CHECKSIGVERIFY", DELAY, "CHECKSEQUENCEVERIFY"]);
  const payment = p2tr(TAPROOT_UNSPENDABLE_KEY, [{ script: together }, { script: alone }], REGTEST, true);
  const listed = (leaf: Uint8Array) =>
    payment.tapLeafScript!.filter(([, script]) => equalBytes(script.slice(0, -1), leaf));
  return { together, alone, payment, listed };
}

/** A transaction that spends the stake by one leaf, and pays its owner. */
function spend(leaf: "together" | "alone", sighashType?: number, key = account): Transaction {
  const { payment, listed, ...leaves } = stake();
  const built = new Transaction({ version: 2, ...OPEN });
  built.addInput({
    txid: TXID,
    index: 0,
    sequence: leaf === "alone" ? DELAY : 0xfffffffd,
    witnessUtxo: { script: payment.script, amount: 546n },
    tapLeafScript: listed(leaves[leaf]),
    tapInternalKey: TAPROOT_UNSPENDABLE_KEY,
    tapMerkleRoot: payment.tapMerkleRoot,
    ...(sighashType ? { sighashType } : {}),
  });
  built.addOutput({ script: key.ordinals.script, amount: 400n });
  return readPsbt(base64.encode(built.toPSBT(0)));
}

/** The signature of an input, which must be of this leaf. */
function signatureOf(tx: Transaction, leaf: Uint8Array): Uint8Array {
  const [key, signature] = readPsbt(writePsbt(tx)).getInput(0).tapScriptSig![0]!;
  expect(key.leafHash).toEqual(tapLeafHash(leaf));
  return signature;
}

describe.each(["together", "alone"] as const)("a stake's leaf %s", (leaf) => {
  it.each([
    ["the default", SigHash.DEFAULT],
    ["SIGHASH_ALL", SigHash.ALL],
    ["any fee input", SigHash.ALL_ANYONECANPAY],
  ])("is signed with the owner's key, for %s", (_, sighashType) => {
    const { payment, [leaf]: script } = stake();
    const tx = spend(leaf, sighashType);
    const summary = summarize(tx, account, "Regtest");
    const open = sighashType === SigHash.ALL_ANYONECANPAY;
    expect(summary).toMatchObject({ spends: 546, fee: 146, open, outpoints: [`${TXID}:0`] });
    expect(summary.outputs).toEqual([{ to: account.ordinals.address, value: 400, own: true }]);
    signPsbt(tx, summary.signs);
    const signature = signatureOf(tx, script);
    const digest = tx.preimageWitnessV1(0, [payment.script], sighashType, [546n], undefined, script);
    expect(schnorr.verify(signature.slice(0, 64), digest, owner)).toBe(true);
    expect(signature).toHaveLength(sighashType === SigHash.DEFAULT ? 64 : 65);
  });

  it("is not signed by an account that isn't in it", () => {
    const stranger = deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 5, "p2wpkh", "Regtest");
    const tx = spend(leaf);
    expect(() => summarize(tx, stranger, "Regtest")).toThrow("None of the inputs");
    const { signs } = summarize(tx, stranger, "Regtest", { [stranger.ordinals.address]: [0] });
    expect(() => signPsbt(tx, signs)).toThrow("Input 0 can't be signed");
  });
});

it("completes a recovery alone, and a withdrawal together with the community", () => {
  const alone = spend("alone");
  signPsbt(alone, summarize(alone, account, "Regtest").signs);
  alone.finalize();
  expect(alone.getInput(0).finalScriptWitness).toHaveLength(3); // signature, leaf, control block
  const together = spend("together");
  signPsbt(together, summarize(together, account, "Regtest").signs);
  signPsbt(together, [{ index: 0, owner: community.ordinals }]);
  together.finalize();
  expect(together.getInput(0).finalScriptWitness).toHaveLength(4); // both signatures first
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
