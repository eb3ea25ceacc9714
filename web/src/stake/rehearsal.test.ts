// @vitest-environment node
import { schnorr } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { SigHash, Transaction } from "@scure/btc-signer";
import { beforeAll, describe, expect, it } from "vitest";
import { readPsbt } from "../devwallet/psbt.ts";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { takeSignatures } from "../wallet/signatures.ts";
import { walletTexts } from "../wallet/texts.ts";
import { rehearsalPsbt } from "./rehearsal.ts";

const DELAY = 8_064;
let wallet: DevWallet;
let owner: { address: string; publicKey: string };

beforeAll(async () => {
  const store = memoryStore({ ...TEST_SETTINGS, autoConfirm: true });
  wallet = await DevWallet.open(store, new MemoryChain(), async () => true);
  const { address, publicKeyHex: publicKey } = wallet.account.ordinals;
  owner = { address, publicKey };
});

/** Signs these inputs as a wallet does, then changes them. */
function signed(
  psbt: string,
  indexes = [0, 1],
  types: SigHash[] = [SigHash.DEFAULT],
  change?: (tx: Transaction) => void,
) {
  const tx = readPsbt(psbt);
  for (const index of indexes) {
    if (types[0] !== SigHash.DEFAULT) tx.updateInput(index, { sighashType: types[0]! }, true);
    tx.signIdx(wallet.account.ordinals.privateKey, index, types);
  }
  change?.(tx);
  return base64.encode(tx.toPSBT(0));
}

/** What the library does with the wallet's answer before the page gets it. */
const accept = (psbt: string, answer: string) => takeSignatures(psbt, { [owner.address]: [0, 1] }, answer);

describe("the rehearsal of a withdrawal and a recovery", () => {
  it.each([1, 16, 17, 127, 128, 144, 26_280, 65_535])(
    "with a delay of %d blocks is a transaction that another implementation signs",
    (delay) => {
      const psbt = rehearsalPsbt(owner, delay);
      accept(psbt, signed(psbt));
      const tx = Transaction.fromPSBT(base64.decode(psbt), { allowUnknownInputs: true });
      expect([tx.inputsLength, tx.outputsLength, tx.version, tx.lockTime]).toEqual([2, 1, 2, 0]);
      expect([tx.getInput(0).sequence, tx.getInput(1).sequence]).toEqual([0xfffffffd, delay]);
      expect(tx.getOutput(0).script).toEqual(wallet.account.ordinals.script);
    },
  );

  it("spends two outputs that can't exist, each by one leaf, without a hash type of its own", () => {
    const tx = readPsbt(rehearsalPsbt(owner, DELAY));
    const [withdrawal, recovery] = [tx.getInput(0), tx.getInput(1)];
    expect(hex.encode(withdrawal.txid!)).not.toBe(hex.encode(recovery.txid!));
    const leaves = [withdrawal, recovery].map(({ tapLeafScript }) => tapLeafScript!.map(([, leaf]) => leaf.at(-2)));
    expect(leaves).toEqual([[0xac], [0xb2]]); // OP_CHECKSIG, OP_CHECKSEQUENCEVERIFY
    expect([withdrawal.sighashType, recovery.sighashType]).toEqual([undefined, undefined]);
    expect(withdrawal.witnessUtxo!.script).toEqual(recovery.witnessUtxo!.script);
  });

  it("accepts a wallet that finalizes with one signature, and one that signs with SIGHASH_ALL", () => {
    const psbt = rehearsalPsbt(owner, DELAY);
    accept(psbt, signed(psbt, [0, 1], [SigHash.ALL]));
    const finalize = (tx: Transaction) => {
      for (const index of [0, 1]) {
        const { tapScriptSig, tapLeafScript } = tx.getInput(index);
        const [{ version, internalKey, merklePath }, leaf] = tapLeafScript![0]!;
        const control = Uint8Array.of(version, ...internalKey, ...merklePath[0]!);
        tx.updateInput(index, { finalScriptWitness: [tapScriptSig![0]![1], leaf.slice(0, -1), control] }, true);
      }
    };
    accept(psbt, signed(psbt, [0, 1], [SigHash.DEFAULT], finalize));
  });

  it.each<[string, (psbt: string) => string, string]>([
    ["signs the withdrawal only", (psbt) => signed(psbt, [0]), walletTexts.notSigned],
    ["signs the recovery only", (psbt) => signed(psbt, [1]), walletTexts.notSigned],
    ["signs nothing", (psbt) => psbt, walletTexts.notSigned],
    ["signs only its own inputs", (psbt) => signed(psbt, [0, 1], [SigHash.ALL_ANYONECANPAY]), walletTexts.badSignature],
    ["signs with another key", (psbt) => byAnotherKey(psbt), walletTexts.badSignature],
    ["signs another rehearsal", () => signed(rehearsalPsbt(owner, DELAY + 1)), walletTexts.otherTransaction],
  ])("refuses a wallet that %s", (_, answer, sentence) => {
    const psbt = rehearsalPsbt(owner, DELAY);
    expect(() => accept(psbt, answer(psbt))).toThrow(sentence);
  });
});

/** The rehearsal with signatures of another key in place of the owner's. */
function byAnotherKey(psbt: string): string {
  const good = signed(psbt);
  const bytes = hex.encode(base64.decode(good));
  const bad = readPsbt(good);
  const replaced = [0, 1].reduce((all, index) => {
    const [, signature] = bad.getInput(index).tapScriptSig![0]!;
    return all.replace(hex.encode(signature), hex.encode(schnorr.sign(new Uint8Array(32), new Uint8Array(32).fill(7))));
  }, bytes);
  return base64.encode(hex.decode(replaced));
}
