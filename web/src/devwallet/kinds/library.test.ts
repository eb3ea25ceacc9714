import { schnorr } from "@noble/curves/secp256k1.js";
import { base64 } from "@scure/base";
import { p2tr, RawWitness, Script, Transaction } from "@scure/btc-signer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as client from "../../wallet";
import type { Method } from "../../wallet";
import { deriveAccount, networkParams, rootKey } from "../keys";
import { toSign } from "../message";
import { bitcoinProvider } from "../provider";
import { kindNames, type KindName } from "../settings";
import { LOBO, memoryStore, MemoryChain, TEST_SETTINGS } from "../testing/chain";
import { DevWallet } from "../wallet";
import { kindOf } from "./catalogue";
import { createInstaller } from "./place";

// Runs the library against every kind of wallet: each method, and the flows of a staker.

const BOOK = "MoonDevWallet.BitcoinProvider";
const page = window as unknown as Record<string, unknown>;
const pathOf = (kind: KindName): string => kindOf(kind)?.path ?? BOOK;

let chain: MemoryChain;
let wallet: DevWallet;
let place: (kind: KindName) => void;
/** Questions to the user. */
let questions: string[];
let approve: boolean;

beforeEach(() => {
  place = () => {};
  questions = [];
  approve = true;
  chain = new MemoryChain();
});

afterEach(() => {
  place("standard");
  delete page["MoonDevWallet"];
  delete page["btc_providers"];
  localStorage.clear();
});

/** Puts the kind on the page, with 100,000 sats and 1,000 base units of a rune. */
async function open(kind: KindName): Promise<string> {
  const paymentType = kindOf(kind)?.paymentType ?? "p2wpkh";
  const confirm = async ({ title }: { title: string }) => (questions.push(title), approve);
  const opening = DevWallet.open(memoryStore({ ...TEST_SETTINGS, kind, paymentType }), chain, confirm);
  wallet = await opening;
  page["MoonDevWallet"] = { BitcoinProvider: bitcoinProvider(opening) };
  place = createInstaller(page, opening, "");
  place(kind);
  chain.addOutput(wallet.account.payment.address, 100_000);
  chain.addOutput(wallet.account.ordinals.address, 546, [{ id: LOBO.id, amount: 1_000n }]);
  return pathOf(kind);
}

const community = deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 1, "p2tr", "Regtest").ordinals;

/** A PSBT that spends a stake's recovery leaf, or an output of the ordinals address by its key. */
function unsigned(leaf: boolean): string {
  const own = wallet.account.ordinals;
  const key = own.publicKey.slice(1);
  const script = Script.encode([key, "CHECKSIGVERIFY", 10, "CHECKSEQUENCEVERIFY"]);
  const internal = community.publicKey.slice(1);
  const { script: output, tapLeafScript, tapMerkleRoot } = p2tr(internal, { script }, networkParams("Regtest"), true);
  const tx = new Transaction({ version: 2, allowUnknownInputs: true, allowUnknownOutputs: true });
  const spent = leaf ? { tapLeafScript, tapMerkleRoot, tapInternalKey: internal } : { tapInternalKey: key };
  const witnessUtxo = { script: leaf ? output : own.script, amount: 2_000n };
  tx.addInput({ txid: "ab".repeat(32), index: 0, sequence: 10, witnessUtxo, ...spent });
  tx.addOutput({ script: own.script, amount: 1_500n });
  return base64.encode(tx.toPSBT(0));
}

/** A withdrawal in one transaction: a stake, which the server signs, and a coin of the payment address. */
function oneTransaction(): string {
  const { payment, ordinals } = wallet.account;
  const tx = new Transaction({ version: 2, allowUnknownInputs: true, allowUnknownOutputs: true });
  const input = { index: 0, sequence: 0xfffffffd };
  tx.addInput({ ...input, txid: "aa".repeat(32), witnessUtxo: { script: community.script, amount: 546n } });
  const redeem = payment.redeemScript ? { redeemScript: payment.redeemScript } : {};
  const witnessUtxo = { script: payment.script, amount: 100_000n };
  tx.addInput({ ...input, txid: "bb".repeat(32), witnessUtxo, ...redeem });
  tx.addOutput({ script: ordinals.script, amount: 1_092n });
  tx.addOutput({ script: Uint8Array.of(0x6a, 0x5d, 0x01, 0x00), amount: 0n });
  tx.addOutput({ script: payment.script, amount: 97_482n });
  return base64.encode(tx.toPSBT(0));
}

const other = community.address;
/** Valid params of each method. Minting and etching follow their own rules: see orders.test.ts. */
const params: Record<
  Exclude<Method, `runes_${"mint" | "etch" | "estimate" | "rbf" | "getOrder"}${string}`>,
  () => unknown
> = {
  getInfo: () => null,
  wallet_connect: () => null,
  wallet_requestPermissions: () => null,
  wallet_renouncePermissions: () => null,
  wallet_disconnect: () => null,
  wallet_getWalletType: () => null,
  wallet_getCurrentPermissions: () => null,
  wallet_getNetwork: () => null,
  wallet_changeNetwork: () => ({ name: "Testnet4" }),
  wallet_getAccount: () => null,
  getAccounts: () => ({ purposes: ["payment", "ordinals"] }),
  getAddresses: () => ({ purposes: ["payment", "ordinals"] }),
  getBalance: () => null,
  signMessage: () => ({ address: wallet.account.ordinals.address, message: "Moon" }),
  signPsbt: () => ({ psbt: unsigned(true), signInputs: { [wallet.account.ordinals.address]: [0] } }),
  sendTransfer: () => ({ recipients: [{ address: other, amount: 1_000 }] }),
  runes_getBalance: () => null,
  runes_transfer: () => ({ recipients: [{ runeName: LOBO.name, runeId: LOBO.id, amount: "5", address: other }] }),
  ord_getInscriptions: () => ({ offset: 0, limit: 10 }),
  ord_sendInscriptions: () => ({ transfers: [{ address: other, inscriptionId: `${"ab".repeat(32)}i0` }] }),
  stx_getAccounts: () => null,
  stx_getAddresses: () => null,
  stx_signMessage: () => ({ message: "m" }),
  stx_signStructuredMessage: () => ({ domain: "d", message: "m" }),
  stx_signTransaction: () => ({ transaction: "00" }),
  stx_signTransactions: () => ({ transactions: ["00"] }),
  stx_transferStx: () => ({ amount: 1, recipient: "SP1" }),
  stx_callContract: () => ({ contract: "SP1.c", functionName: "f" }),
  stx_deployContract: () => ({ name: "n", clarityCode: "c" }),
};

/**
 * yes: the library returns a checked result. no: it throws that the wallet has no such method. Otherwise the error's
 * code.
 */
const OUTCOMES = `
                              standard xverse unisat leather okx magicEden phantom
  getInfo                     yes      yes    yes    yes     yes yes       yes
  wallet_connect              yes      yes    yes    yes     yes yes       yes
  wallet_requestPermissions   yes      yes    yes    yes     yes no        yes
  wallet_renouncePermissions  yes      yes    yes    no      yes no        no
  wallet_disconnect           yes      yes    yes    no      yes no        no
  wallet_getWalletType        yes      yes    no     no      no  no        no
  wallet_getCurrentPermissions yes     yes    yes    no      no  no        no
  wallet_getNetwork           yes      yes    yes    no      yes yes       yes
  wallet_changeNetwork        yes      no     yes    no      no  no        no
  wallet_getAccount           yes      yes    yes    no      yes no        no
  getAccounts                 yes      yes    yes    yes     yes yes       yes
  getAddresses                yes      yes    yes    yes     yes yes       yes
  getBalance                  yes      yes    yes    no      yes no        no
  signMessage                 yes      yes    yes    yes     yes yes       yes
  signPsbt                    yes      yes    yes    yes     yes yes       yes
  sendTransfer                yes      yes    yes    yes     yes yes       no
  runes_getBalance            yes      yes    no     no      no  no        no
  runes_transfer              yes      yes    yes    no      no  no        no
  ord_getInscriptions         no       -32603 yes    no      no  no        no
  ord_sendInscriptions        no       -32603 no     no      no  no        no
  stx_getAccounts             no       -32603 no     no      no  no        no
  stx_getAddresses            no       -32603 no     no      no  no        no
  stx_signMessage             no       -32603 no     no      no  no        no
  stx_signStructuredMessage   no       -32603 no     no      no  no        no
  stx_signTransaction         no       -32603 no     no      no  no        no
  stx_signTransactions        no       -32603 no     no      no  no        no
  stx_transferStx             no       -32603 no     no      no  no        no
  stx_callContract            no       -32603 no     no      no  no        no
  stx_deployContract          no       -32603 no     no      no  no        no`;

const [names = [], ...rows] = OUTCOMES.trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));
const cases = rows.flatMap(([method, ...outcomes]) =>
  outcomes.map((outcome, i) => [names[i]!, method!, outcome] as const),
);

describe("each method of the library with each kind", () => {
  it("is in the table", () => {
    expect(names).toEqual([...kindNames]);
    expect(rows.map(([method]) => method)).toEqual(Object.keys(params));
  });

  it.each(cases)("%s: %s: %s", async (kind, method, outcome) => {
    const provider = await open(kind as KindName);
    await client.connect(provider);
    const response = client.request(method as "getInfo", params[method as keyof typeof params]() as null, { provider });
    const result = await response.then(
      () => "yes",
      (error: unknown) =>
        !(error instanceof client.WalletError) ? `${error}` : error.unsupported ? "no" : `${error.code}`,
    );
    expect(result).toBe(outcome);
  });
});

describe.each([...kindNames])("%s", (kind) => {
  it("connects to the addresses that the wallet has, asking once", async () => {
    const provider = await open(kind);
    const session = await client.connect(provider, { network: "Regtest" });
    const { payment, ordinals } = wallet.account;
    expect(session).toEqual({
      payment: { address: payment.address, publicKey: payment.publicKeyHex },
      ordinals: { address: ordinals.address, publicKey: ordinals.publicKeyHex },
    });
    expect(questions).toEqual(["Let this site see your account?"]);
  });

  it("rejects, and nothing is stored", async () => {
    const provider = await open(kind);
    approve = false;
    const refusal = { code: client.RpcCode.userRejection, message: client.walletTexts.connectionRefused };
    await expect(client.connect(provider)).rejects.toMatchObject(refusal);
    expect([client.readSession(), client.defaultProvider()]).toEqual([null, null]);
  });

  it("signs a message that verifies, or throws the rejection", async () => {
    const provider = await open(kind);
    await client.connect(provider);
    const own = wallet.account.ordinals;
    const { signature, protocol } = await client.signMessage(own.address, "Moon ☾");
    expect(protocol).toBe("BIP322");
    const digest = toSign(own, "Moon ☾").preimageWitnessV1(0, [own.script], 0, [0n]);
    const [witness] = RawWitness.decode(base64.decode(signature));
    expect(schnorr.verify(witness!, digest, own.script.slice(2))).toBe(true);
    approve = false;
    const signing = client.signMessage(own.address, "Moon ☾");
    await expect(signing).rejects.toMatchObject({ code: client.RpcCode.userRejection });
  });

  it.each([true, false])("signs a PSBT and does not finalize it (script leaf: %s)", async (leaf) => {
    const provider = await open(kind);
    await client.connect(provider);
    const signInputs = { [wallet.account.ordinals.address]: [0] };
    const { psbt, txid } = await client.signPsbt({ psbt: unsigned(leaf), signInputs });
    const input = Transaction.fromPSBT(base64.decode(psbt), { allowUnknownInputs: true }).getInput(0);
    expect(input.finalScriptWitness).toBeUndefined();
    expect(leaf ? input.tapScriptSig : input.tapKeySig).toHaveLength(leaf ? 1 : 64);
    expect(txid).toBeUndefined();
    expect(chain.sent).toEqual([]);
  });

  it("signs its own input of a withdrawal in one transaction, without finalizing or sending it", async () => {
    const provider = await open(kind);
    await client.connect(provider);
    const asked = oneTransaction();
    const signInputs = { [wallet.account.payment.address]: [1] };
    const { psbt, txid } = await client.signPsbt({ psbt: asked, signInputs, broadcast: false });
    const options = { allowUnknownInputs: true, allowUnknownOutputs: true };
    const [before, after] = [asked, psbt].map((text) => Transaction.fromPSBT(base64.decode(text), options));
    expect(after!.unsignedTx).toEqual(before!.unsignedTx);
    const [unit, coin] = [after!.getInput(0), after!.getInput(1)];
    expect([unit.partialSig, unit.tapKeySig, unit.finalScriptWitness]).toEqual([undefined, undefined, undefined]);
    expect(coin.finalScriptWitness).toBeUndefined();
    // Of SIGHASH_ALL, or of taproot's default, which has no byte of its own.
    if (wallet.account.payment.type === "p2tr") expect(coin.tapKeySig).toHaveLength(64);
    else expect(coin.partialSig![0]![1].at(-1)).toBe(1);
    expect(txid).toBeUndefined();
    expect(chain.sent).toEqual([]);
  });

  it("does not connect with false, broken or malformed responses", async () => {
    const provider = await open(kind);
    for (const misbehaviour of [{ lies: true }, { lies: false, throws: true }, { throws: false, garbled: true }]) {
      wallet.misbehave(misbehaviour);
      await expect(client.connect(provider), JSON.stringify(misbehaviour)).rejects.toBeInstanceOf(client.WalletError);
      expect(client.readSession()).toBeNull();
    }
  });

  it("reports a disconnect if the wallet has events", async () => {
    const provider = await open(kind);
    await client.connect(provider);
    const listener = vi.fn();
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const stop = client.onWalletEvent("disconnect", listener);
    await client.walletInfo(provider); // by then the listener is registered
    await wallet.revoke();
    stop();
    log.mockRestore();
    expect(listener).toHaveBeenCalledTimes(kind === "leather" ? 0 : 1);
  });
});

describe("where a kind is on the page", () => {
  it.each(kindNames.filter((kind) => kind !== "standard"))(
    "%s: at its path, and gone with the next kind",
    async (kind) => {
      const provider = await open(kind);
      expect(client.findProvider(provider)).toBeDefined();
      const [outer = "", inner] = provider.split(".");
      const parent = inner ? (page[outer] as object) : page;
      expect(Object.keys(parent)).not.toContain(inner ?? outer);
      place("standard");
      expect(client.findProvider(provider)).toBeUndefined();
    },
  );

  it("does not replace a real extension", async () => {
    const extension = { request: async () => ({}) };
    page["LeatherProvider"] = extension;
    await open("leather");
    expect(page["LeatherProvider"]).toBe(extension);
    place("standard");
    expect(page["LeatherProvider"]).toBe(extension);
    delete page["LeatherProvider"];
  });

  it("registers Xverse under its own name", async () => {
    await open("xverse");
    const entry = client.listProviders().find(({ id }) => id === "XverseProviders.BitcoinProvider");
    expect(entry).toMatchObject({ name: "Xverse Wallet", installed: true });
  });
});
