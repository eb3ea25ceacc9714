// @vitest-environment node
import { schnorr } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { SigHash, Transaction } from "@scure/btc-signer";
import { beforeAll, describe, expect, it } from "vitest";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { readPsbt } from "../devwallet/psbt.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { rehearse } from "./rehearsal.ts";

let wallet: DevWallet;
const ordinalsKey = () => {
  const { address, publicKeyHex: publicKey } = wallet.account.ordinals;
  return { address, publicKey };
};

beforeAll(async () => {
  wallet = await DevWallet.open(
    memoryStore({ ...TEST_SETTINGS, autoConfirm: true }),
    new MemoryChain(),
    async () => true,
  );
});

function signed(psbt: string): string {
  const tx = readPsbt(psbt);
  tx.signIdx(wallet.account.ordinals.privateKey, 0, [SigHash.DEFAULT, SigHash.ALL_ANYONECANPAY]);
  return base64.encode(tx.toPSBT(0));
}

describe("the rehearsal of a recovery", () => {
  it.each([1, 16, 17, 127, 128, 144, 26_280, 65_535])(
    "with a delay of %d blocks is a transaction that another implementation signs and finishes",
    (delay) => {
      const { psbt, isSigned } = rehearse(ordinalsKey(), delay);
      expect(isSigned(psbt)).toBe(false);
      expect(isSigned(signed(psbt))).toBe(true);
      const tx = Transaction.fromPSBT(base64.decode(psbt), { allowUnknownInputs: true });
      expect(tx.getInput(0).sequence).toBe(delay);
      expect(tx.getOutput(0).script).toEqual(wallet.account.ordinals.script);
    },
  );

  it("is known when a wallet has finalized it", () => {
    const { psbt, isSigned } = rehearse(ordinalsKey(), 26_280);
    const tx = readPsbt(psbt);
    tx.signIdx(wallet.account.ordinals.privateKey, 0, [SigHash.ALL_ANYONECANPAY]);
    const [, signature] = tx.getInput(0).tapScriptSig![0]!;
    const [, leaf] = tx.getInput(0).tapLeafScript![0]!;
    tx.updateInput(0, { finalScriptWitness: [signature, leaf.slice(0, -1), hex.decode("c0")] }, true);
    expect(isSigned(base64.encode(tx.toPSBT(0)))).toBe(true);
  });

  it("is not signed by another key, nor by a signature of another transaction", () => {
    const { psbt, isSigned } = rehearse(ordinalsKey(), 26_280);
    const other = rehearse(
      { address: ordinalsKey().address, publicKey: hex.encode(schnorr.getPublicKey(new Uint8Array(32).fill(7))) },
      26_280,
    );
    const tx = readPsbt(other.psbt);
    tx.signIdx(new Uint8Array(32).fill(7), 0, [SigHash.ALL_ANYONECANPAY]);
    expect(isSigned(base64.encode(tx.toPSBT(0)))).toBe(false);
    expect(rehearse(ordinalsKey(), 26_281).isSigned(signed(psbt))).toBe(false);
  });
});
