import { schnorr } from "@noble/curves/secp256k1.js";
import { base64, hex } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import { beforeEach, describe, expect, it } from "vitest";
import { finishLeafSpend, request, signPsbt } from "./index.ts";
import { PsbtType, readPsbtText, serialize } from "./psbt.ts";
import { takeSignatures } from "./signatures.ts";
import xverse from "./testing/answers/xverse-0.49.0.json" with { type: "json" };
import { ID, installStandard } from "./testing/provider.ts";
import { installRecorded, kinds, pathOf, type Kind } from "./testing/recorded.ts";
import { walletTexts } from "./texts.ts";

/** Responses of a real Xverse: a stake's recovery signed by its script leaf, with each of two signature hash types. */
interface Signed {
  params: { psbt: string; signInputs: Record<string, number[]>; broadcast: boolean };
  answer: { result: { psbt: string; txid: string } };
}
const leaves = xverse.entries.filter(({ note }) => note.startsWith("p2tr script leaf")) as unknown as Signed[];
const [open, sent] = leaves as [Signed, Signed];
const [address] = Object.keys(open.params.signInputs) as [string];

const read = (psbt: string) =>
  Transaction.fromPSBT(base64.decode(psbt), { allowUnknownInputs: true, allowUnknownOutputs: true });
const toHex = (psbt: string) => hex.encode(base64.decode(psbt));
const refusedWith = (message: string) => expect.objectContaining({ name: "WalletError", kind: "unreadable", message });

let requests: Record<string, any>[];
beforeEach(() => void (requests = []));
const remember = <T>(options: unknown, answer: T): T => (requests.push(options as Record<string, any>), answer);
const unsecured = (token: string) => JSON.parse(new TextDecoder().decode(base64.decode(padded(token.split(".")[1]!))));
const padded = (text: string) => text.replace(/-/g, "+").replace(/_/g, "/").padEnd(Math.ceil(text.length / 4) * 4, "=");

describe("a script leaf that a wallet signs", () => {
  it.each(leaves)(
    "is taken over with a signature that was verified, open, whether the wallet finalized it or not " +
    "($params.broadcast)",
    ({ params, answer }) => {
      const input = read(takeSignatures(params.psbt, params.signInputs, answer.result.psbt)).getInput(0);
      expect(input.finalScriptWitness).toBeUndefined();
      const [{ pubKey }, signature] = input.tapScriptSig![0]! as unknown as [{ pubKey: Uint8Array }, Uint8Array];
      const type = signature[64] ?? 0;
      const [, script] = input.tapLeafScript![0]!;
      const digest = read(params.psbt).preimageWitnessV1(
        0,
        [input.witnessUtxo!.script],
        type,
        [input.witnessUtxo!.amount],
        undefined,
        script.slice(0, -1),
        script.at(-1),
      );
      expect(schnorr.verify(signature.slice(0, 64), digest, pubKey)).toBe(true);
    },
  );

  it("is finalized by the library to the transaction that the wallet would have sent", async () => {
    const { params, answer } = sent;
    const signed = takeSignatures(params.psbt, params.signInputs, answer.result.psbt);
    expect(await finishLeafSpend(signed)).toBe(await finishLeafSpend(answer.result.psbt));
  });

  it("is never sent by a wallet, even with broadcast", async () => {
    installStandard({
      signPsbt: ({ broadcast }: { broadcast: boolean }) =>
        remember(
          { broadcast },
          { jsonrpc: "2.0", id: "1", result: { psbt: open.answer.result.psbt, txid: "ab".repeat(32) } },
        ),
    });
    const { psbt, ...rest } = await signPsbt({ ...open.params, broadcast: true }, { provider: ID });
    expect(requests).toEqual([{ broadcast: false }]);
    expect(rest).toEqual({});
    expect(read(psbt).getInput(0).tapScriptSig).toHaveLength(1);
  });

  it.each([
    ["another transaction", sent.answer.result.psbt, walletTexts.otherTransaction],
    ["no signature", open.params.psbt, walletTexts.notSigned],
    ["a signature with one bit changed", changed(open.answer.result.psbt), walletTexts.badSignature],
    ["no PSBT", "cHNidP8=", walletTexts.otherTransaction],
  ])("is refused if the wallet returns %s", async (_, psbt, sentence) => {
    installStandard({ signPsbt: { result: { psbt, txid: "" } } });
    await expect(signPsbt(open.params, { provider: ID })).rejects.toEqual(refusedWith(sentence));
  });

  it("is refused if the signature hash type is not the requested one", () => {
    const tx = read(open.params.psbt);
    tx.updateInput(0, { sighashType: 0 }, true);
    expect(() => takeSignatures(base64.encode(tx.toPSBT(0)), open.params.signInputs, open.answer.result.psbt)).toThrow(
      walletTexts.badSignature,
    );
  });
});

it("a txid that a wallet returns must be the original transaction's", async () => {
  const psbt = withoutLeaf(sent.params.psbt);
  const params = { ...sent.params, psbt, broadcast: true };
  installStandard({ signPsbt: { result: { ...sent.answer.result, txid: "ab".repeat(32) } } });
  await expect(signPsbt(params, { provider: ID })).rejects.toEqual(refusedWith(walletTexts.otherTransaction));
  installStandard({ signPsbt: { result: { txid: sent.answer.result.txid.toUpperCase() } } });
  expect(await signPsbt(params, { provider: ID })).toEqual({ psbt: "", txid: sent.answer.result.txid });
});

describe("no wallet finalizes or sends a script leaf", () => {
  const signed = open.answer.result.psbt;
  const { tapScriptSig } = read(signed).getInput(0);
  const input = { index: 0, disableTweakSigner: true, sighashTypes: [0x81] };
  const hexSigner = {
    methods: {
      signPsbt: (_: string, options: unknown) => remember(options, toHex(signed)),
      pushPsbt: () => expect.unreachable("a script leaf was pushed"),
      getAccounts: [address],
    },
    options: { autoFinalized: false, toSignInputs: [input] },
  };
  const response = (result: unknown) => ({ jsonrpc: "2.0", id: "1", result });

  /** The methods by which each kind signs, and the options that it must get. */
  const signers: Record<Kind, { methods: Record<string, unknown>; options: object }> = {
    xverse: {
      methods: {
        wallet_getAccount: undefined,
        signPsbt: (options: unknown) => remember(options, response({ psbt: signed, txid: "" })),
      },
      options: { broadcast: false },
    },
    unisat: hexSigner,
    leather: {
      methods: { signPsbt: (options: unknown) => remember(options, response({ hex: toHex(signed) })) },
      options: { broadcast: false, finalize: false, allowedSighash: [0x81] },
    },
    okx: hexSigner,
    magicEden: {
      methods: { signTransaction: (token: string) => remember(unsecured(token), { psbtBase64: signed }) },
      options: { broadcast: false },
    },
    phantom: {
      methods: { signPSBT: (_: Uint8Array, options: unknown) => remember(options, base64.decode(signed)) },
      options: {},
    },
  };

  it.each(kinds)("%s only signs; the result is not finalized and has no txid", async (kind) => {
    const { methods, options } = signers[kind];
    installRecorded(kind, methods);
    const { psbt, txid } = await request("signPsbt", { ...open.params, broadcast: true }, { provider: pathOf(kind) });
    expect(requests[0]).toMatchObject(options);
    expect([txid, read(psbt).getInput(0).finalScriptWitness, read(psbt).getInput(0).tapScriptSig]).toEqual([
      undefined,
      undefined,
      tapScriptSig,
    ]);
  });
});

/** The same transaction, spent by the key path. */
function withoutLeaf(psbt: string): string {
  const own = readPsbtText(psbt)!;
  return serialize({
    ...own,
    inputs: own.inputs.map((entries) => entries.filter(({ type }) => type !== PsbtType.tapLeafScript)),
  });
}

/** The PSBT with one bit of its leaf's signature changed. */
function changed(psbt: string): string {
  const [, signature] = read(psbt).getInput(0).tapScriptSig![0]!;
  const whole = toHex(psbt);
  const wrong = Uint8Array.from(signature, (byte, i) => (i === 5 ? byte ^ 1 : byte));
  return base64.encode(hex.decode(whole.replace(hex.encode(signature), hex.encode(wrong))));
}
