import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { RawWitness } from "@scure/btc-signer";
import { beforeEach, describe, expect, it } from "vitest";
import { bip322Hash, toSign } from "../devwallet/message.ts";
import { bitcoinProvider } from "../devwallet/provider.ts";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../devwallet/testing/chain.ts";
import { DevWallet } from "../devwallet/wallet.ts";
import { RpcCode } from "./errors.ts";
import { signMessageByPsbt } from "./index.ts";
import { readPsbt, signingHints } from "./psbt.ts";
import { fault, ID, installStandard, PSBT, putOnPage } from "./testing/provider.ts";
import { walletTexts } from "./texts.ts";

let opening: Promise<DevWallet>;
let wallet: DevWallet;

beforeEach(async () => {
  opening = DevWallet.open(memoryStore({ ...TEST_SETTINGS, autoConfirm: true }), new MemoryChain(), async () => true);
  wallet = await opening;
  await wallet.grant();
  putOnPage(ID, bitcoinProvider(opening));
});

const keyOf = (purpose: "payment" | "ordinals") => ({
  address: wallet.account[purpose].address,
  publicKey: wallet.account[purpose].publicKeyHex,
});
const MESSAGE = "Moon Fund ☾";

describe("a message signed by way of a PSBT", () => {
  it("is BIP-322's simple signature of a taproot address", async () => {
    const signed = await signMessageByPsbt(keyOf("ordinals"), MESSAGE, { provider: ID });
    expect(signed).toMatchObject({
      address: wallet.account.ordinals.address,
      protocol: "BIP322",
      messageHash: hex.encode(bip322Hash(MESSAGE)),
    });
    const [signature, ...more] = RawWitness.decode(base64.decode(signed.signature));
    const own = wallet.account.ordinals;
    const digest = toSign(own, MESSAGE).preimageWitnessV1(0, [own.script], 0, [0n]);
    expect([schnorr.verify(signature!, digest, own.script.slice(2)), more]).toEqual([true, []]);
  });

  it("is BIP-322's simple signature of a p2wpkh address", async () => {
    const signed = await signMessageByPsbt(keyOf("payment"), MESSAGE, { provider: ID });
    const own = wallet.account.payment;
    const [signature, publicKey] = RawWitness.decode(base64.decode(signed.signature));
    const pkh = Uint8Array.of(0x76, 0xa9, 0x14, ...own.script.slice(2), 0x88, 0xac);
    const digest = toSign(own, MESSAGE).preimageWitnessV0(0, pkh, 1, 0n);
    expect(hex.encode(publicKey!)).toBe(own.publicKeyHex);
    expect(
      secp256k1.verify(signature!.slice(0, -1), digest, publicKey!, { prehash: false, format: "der", lowS: true }),
    ).toBe(true);
  });

  it("is not supported for legacy addresses", async () => {
    await wallet.usePaymentType("p2sh-p2wpkh");
    await expect(signMessageByPsbt(keyOf("payment"), MESSAGE, { provider: ID })).rejects.toEqual(
      fault(RpcCode.methodNotSupported),
    );
  });

  it("throws if the PSBT comes back unsigned", async () => {
    installStandard({ signPsbt: ({ psbt }) => ({ jsonrpc: "2.0", id: "1", result: { psbt } }) });
    await expect(signMessageByPsbt(keyOf("ordinals"), MESSAGE, { provider: ID })).rejects.toEqual(
      fault(RpcCode.internalError, walletTexts.notSigned),
    );
  });
});

describe("readPsbt", () => {
  const whole = base64.decode(PSBT);
  it.each([
    new Uint8Array(),
    Uint8Array.of(1, 2, 3),
    whole.slice(0, 8),
    whole.slice(0, -1),
    Uint8Array.of(...whole.slice(0, 5), 0xff),
  ])("finds no inputs in %o", (bytes) => {
    expect(readPsbt(bytes)?.inputs ?? []).toEqual([]);
    expect(signingHints(bytes)).toEqual([]);
  });
});
