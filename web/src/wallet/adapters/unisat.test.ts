import { base64 } from "@scure/base";
import { p2tr, Script, SigHash, Transaction } from "@scure/btc-signer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deriveAccount, networkParams, rootKey } from "../../devwallet/keys.ts";
import { LOBO, memoryStore, MemoryChain, TEST_SETTINGS } from "../../devwallet/testing/chain.ts";
import { unisatModel } from "../../devwallet/kinds/unisat.ts";
import { DevWallet } from "../../devwallet/wallet.ts";
import { RpcCode } from "../errors.ts";
import * as client from "../index.ts";
import { fault, ORDINALS, PAYMENT, putOnPage, TXID, unknownResponse } from "../testing/provider.ts";
import { walletTexts } from "../texts.ts";

const ID = "unisat";
const options = { provider: ID };

let chain: MemoryChain;
let wallet: DevWallet;
let unisat: ReturnType<typeof unisatModel>;
let address: string;

beforeEach(async () => {
  chain = new MemoryChain();
  const settings = { ...TEST_SETTINGS, autoConfirm: true, kind: "unisat" as const, paymentType: "p2tr" as const };
  const opening = DevWallet.open(memoryStore(settings), chain, async () => true);
  wallet = await opening;
  unisat = unisatModel(opening);
  address = wallet.account.ordinals.address;
  await wallet.grant(); // as after a connect
  putOnPage(ID, unisat);
});

afterEach(() => void vi.useRealTimers());

const fund = () => {
  chain.addOutput(address, 100_000);
  chain.addOutput(address, 546, [{ id: LOBO.id, amount: 1_000n }]);
};

describe("Unisat (its model's window API)", () => {
  it("connects: one address for both purposes, its key x-only", async () => {
    const key = { address, publicKey: wallet.account.ordinals.publicKeyHex };
    expect(await client.connect(ID, { network: "Regtest" })).toEqual({ payment: key, ordinals: key });
    expect(key.publicKey).toHaveLength(64);
    expect(await client.getNetwork()).toBe("Signet"); // Unisat has no regtest: the patched extension calls it signet
    expect(await client.currentPermissions()).toEqual([
      { type: "account", resourceId: address, actions: { read: true } },
    ]);
    await client.disconnect();
    expect(wallet.settings.connected).toBe(false);
    expect(await client.currentPermissions(options)).toEqual([]);
  });

  it("pays, sends runes and signs", async () => {
    fund();
    await client.connect(ID);
    expect(await client.btcBalance()).toEqual({ confirmed: 100_000n, total: 100_000n });
    const paid = await client.sendTransfer([{ address: PAYMENT, amount: 5_000 }]);
    const staked = await client.transferRunes({
      runeName: LOBO.name,
      runeId: LOBO.id,
      amount: 400n,
      recipient: ORDINALS,
    });
    expect(chain.sent.map(({ id }) => id)).toEqual([paid, staked]);
    const signed = await client.signMessage(address, "Moon");
    expect(signed).toMatchObject({ address, protocol: "BIP322", messageHash: "" });
    expect(base64.decode(signed.signature)).toHaveLength(66); // one witness item of 64 bytes
  });

  it("lists its methods, and refuses others with the specification's sentence", async () => {
    expect(await client.supports(ID, "runes_transfer")).toBe(true);
    expect(await client.supports(ID, "runes_getBalance")).toBe(false);
    const refused = fault(RpcCode.methodNotSupported, "Method not supported by the selected wallet");
    await expect(client.runeBalances(options)).rejects.toEqual(refused);
    await expect(client.request("stx_signMessage", { message: "m" }, options)).rejects.toEqual(refused);
    await expect(client.request("wallet_getWalletType", null, options)).rejects.toEqual(refused);
    expect(await client.walletInfo(ID)).toMatchObject({ version: "1.7.13" });
  });

  it("pays one recipient only, and requires a rune id", async () => {
    const one = { address: PAYMENT, amount: 1_000 };
    const sentence = fault(RpcCode.internalError, "Only one recipient is supported by this wallet provider");
    await expect(client.sendTransfer([one, one], options)).rejects.toEqual(sentence);
    const rune = { runeName: LOBO.name, amount: "1", address: PAYMENT, runeId: LOBO.id };
    await expect(client.request("runes_transfer", { recipients: [rune, rune] }, options)).rejects.toEqual(sentence);
    const transfer = client.transferRunes({ runeName: LOBO.name, amount: 1n, recipient: PAYMENT }, options);
    await expect(transfer).rejects.toEqual(
      fault(RpcCode.invalidParams, `Error while rune transfer: ${walletTexts.needsRuneId}`),
    );
  });

  it("has no Stacks address", async () => {
    const response = client.request("getAccounts", { purposes: ["payment", "stacks"] }, options);
    await expect(response).rejects.toEqual(fault(RpcCode.internalError, "Only bitcoin addresses are supported"));
  });

  it("maps a rejection (4001) to −32000, and every other code to −32603", async () => {
    fund();
    await client.connect(ID);
    wallet.misbehave({ reject: true });
    await expect(client.sendTransfer([{ address: PAYMENT, amount: 1_000 }])).rejects.toEqual(
      fault(RpcCode.userRejection, "User cancelled action. Please complete action for payment."),
    );
    wallet.misbehave({ reject: false });
    await expect(client.sendTransfer([{ address: PAYMENT, amount: 1_000_000 }])).rejects.toEqual(
      fault(RpcCode.internalError, expect.stringContaining("Insufficient balance")),
    );
  });

  it("throws the specification's sentence if the user rejects the connection", async () => {
    await wallet.revoke();
    wallet.misbehave({ reject: true });
    await expect(client.connect(ID)).rejects.toEqual(fault(RpcCode.userRejection, "User refused connection."));
    wallet.misbehave({ reject: false, throws: true });
    await expect(client.connect(ID)).rejects.toEqual(fault(RpcCode.internalError, "connection to wallet failed"));
    expect(client.defaultProvider()).toBeNull();
  });

  it("signs only with the requested account", async () => {
    await client.connect(ID);
    await wallet.useAccount(1);
    await expect(client.signMessage(address, "Moon")).rejects.toEqual(
      fault(RpcCode.accessDenied, walletTexts.otherAccount(address)),
    );
  });

  it("reports a change of account, a change of network and a disconnect, each once", async () => {
    await client.connect(ID);
    const events: string[] = [];
    const unsubscribes = (["accountChange", "networkChange", "disconnect"] as const).map((event) =>
      client.onWalletEvent(event, () => void events.push(event)),
    );
    await client.walletInfo(ID); // by then all three are subscribed
    await wallet.useAccount(1);
    await client.changeNetwork("Testnet4");
    await wallet.revoke();
    expect(events).toEqual(["accountChange", "networkChange", "disconnect"]);
    unsubscribes.forEach((stop) => stop());
    await wallet.grant();
    await wallet.useAccount(0);
    expect(events).toHaveLength(3);
  });

  it("refuses other chains: Fractal's addresses have the form of Bitcoin's", async () => {
    putOnPage(ID, {
      ...unisat,
      getChain: async () => ({ enum: "FRACTAL_BITCOIN_MAINNET", name: "Fractal Bitcoin Mainnet", network: "livenet" }),
    });
    await expect(client.connect(ID)).rejects.toEqual(
      fault(RpcCode.internalError, "The wallet is on Fractal Bitcoin Mainnet, not on Bitcoin."),
    );
  });

  it("has the former network names in older versions, and no call to change the network", async () => {
    const { getChain: _, switchChain: __, ...old } = unisat;
    putOnPage(ID, { ...old, getNetwork: async () => "livenet" });
    expect(await client.getNetwork(options)).toBe("Mainnet");
    expect(await client.supports(ID, "wallet_changeNetwork")).toBe(false);
  });

  it("signs with ECDSA for legacy addresses", async () => {
    const calls: unknown[] = [];
    const old = "mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs";
    putOnPage(ID, {
      ...unisat,
      getAccounts: async () => [old],
      signMessage: async (...args: unknown[]) => (calls.push(args), "c2ln"),
    });
    expect(await client.signMessage(old, "m", options)).toEqual({
      signature: "c2ln",
      messageHash: "",
      address: old,
      protocol: "ECDSA",
    });
    expect(calls).toEqual([["m", "ecdsa"]]);
  });

  it("accepts a transaction id in an object, as documented", async () => {
    putOnPage(ID, { ...unisat, sendRunes: async () => ({ txid: TXID }) });
    expect(
      await client.transferRunes({ runeName: LOBO.name, runeId: LOBO.id, amount: 1n, recipient: PAYMENT }, options),
    ).toBe(TXID);
  });

  it("lists inscriptions in the form of the standard", async () => {
    const list = [
      {
        inscriptionId: `${TXID}i0`,
        inscriptionNumber: 7,
        address,
        outputValue: 546,
        contentLength: 53,
        contentType: "text/plain",
        timestamp: 1,
        genesisTransaction: TXID,
        output: `${TXID}:0`,
        offset: 0,
      },
    ];
    putOnPage(ID, { ...unisat, getInscriptions: async () => ({ total: 1, list }) });
    const { inscriptions, total } = await client.request("ord_getInscriptions", { offset: 0, limit: 20 }, options);
    expect([total, inscriptions[0]]).toEqual([
      1,
      expect.objectContaining({ inscriptionNumber: "7", postage: "546", output: `${TXID}:0` }),
    ]);
  });
});

describe("Unisat without a shared account: never connected, disconnected in the wallet, or locked", () => {
  /** The window API with a counter of every call. */
  function recordCalls() {
    const names: string[] = [];
    const calls = Object.entries(unisat).map(([name, call]) => [
      name,
      (...args: never[]) => (names.push(name), (call as (...all: never[]) => unknown)(...args)),
    ]);
    putOnPage(ID, { ...Object.fromEntries(calls), on: unisat.on, removeListener: unisat.removeListener });
    return names;
  }
  const pays = { recipients: [{ address: PAYMENT, amount: 1_000 }] };
  const every: [client.Method, unknown][] = [
    ["getInfo", null],
    ["getBalance", null],
    ["sendTransfer", pays],
    ["runes_transfer", { recipients: [{ runeName: LOBO.name, amount: "1", address: PAYMENT, runeId: LOBO.id }] }],
    ["signMessage", { address: PAYMENT, message: "m" }],
    ["signPsbt", { psbt: "cHNidP8BAAoCAAAAAAAAAAAAAA==", signInputs: { [PAYMENT]: [0] } }],
    ["ord_getInscriptions", { offset: 0, limit: 1 }],
    ["wallet_getAccount", null],
    ["wallet_getCurrentPermissions", null],
    ["wallet_getNetwork", null],
    ["wallet_changeNetwork", { name: "Signet" }],
    ["wallet_renouncePermissions", null],
    ["wallet_disconnect", null],
  ];

  it.each(every)("opens no popup at %s", async (method, params) => {
    await wallet.revoke();
    const recorded = recordCalls();
    await client
      .request(method, params as never, { provider: ID })
      .catch((fault: unknown) => expect(fault).toMatchObject({ kind: "disconnected" }));
    expect(recorded.filter((name) => !["getAccounts", "getChain", "getNetwork"].includes(name))).toEqual([]);
  });

  it("ends a stored session with one call", async () => {
    await client.connect(ID);
    await wallet.revoke();
    const recorded = recordCalls();
    expect(await client.resumeSession()).toBeNull();
    expect([client.readSession(), recorded]).toEqual([null, ["getAccounts"]]);
  });

  it("can be connected again", async () => {
    await wallet.revoke();
    expect((await client.connect(ID)).ordinals.address).toBe(address);
  });

  it.each([
    [
      "another open request",
      { code: -32603, message: "Another approval request is already pending", data: {} },
      "busy",
      walletTexts.busy,
    ],
    ["a locked wallet", { code: -32603, message: "wallet is locked" }, "locked", walletTexts.locked],
    [
      "a no, or a closed popup",
      { code: 4001, message: "User rejected the request." },
      "rejected",
      walletTexts.paymentCancelled,
    ],
    [
      "its own failure",
      { code: -32603, message: "Insufficient balance to cover transaction fees." },
      "failed",
      "Insufficient balance to cover transaction fees.",
    ],
  ])("classifies %s", async (_, thrown, kind, message) => {
    putOnPage(ID, { ...unisat, sendBitcoin: () => Promise.reject(thrown) });
    const maybeSent = kind === "rejected" || kind === "failed";
    await expect(client.sendTransfer(pays.recipients, options)).rejects.toMatchObject({
      name: "WalletError",
      kind,
      message,
      maybeSent,
    });
  });

  it("returns its network only if it is known", async () => {
    putOnPage(ID, { ...unisat, getChain: undefined, getNetwork: async () => "unknown" });
    await expect(client.getNetwork(options)).rejects.toMatchObject({ kind: "otherNetwork" });
    putOnPage(ID, {
      ...unisat,
      getChain: async () => ({ enum: "BITCOIN_SIGNET", name: "Bitcoin Signet", network: "testnet" }),
    });
    expect(await client.getNetwork(options)).toBe("Signet");
    putOnPage(ID, { ...unisat, getChain: async () => null });
    await expect(client.getNetwork(options)).rejects.toMatchObject({ kind: "unreadable" });
  });
});

describe("Unisat with malformed, late or missing responses", () => {
  const pay = () => client.sendTransfer([{ address: PAYMENT, amount: 1_000 }], options);
  it.each([undefined, null, {}, "", "no id", 5])("%j is not a transaction id", async (answer) => {
    putOnPage(ID, { ...unisat, sendBitcoin: async () => answer });
    await expect(pay()).rejects.toEqual(unknownResponse);
  });

  it.each([[[]], ["text"], [["bcrt1qnonsense"]], [[5]], [null], [undefined]])(
    "%j are no accounts",
    async (accounts) => {
      putOnPage(ID, { ...unisat, requestAccounts: async () => accounts, getAccounts: async () => accounts });
      await expect(client.connect(ID)).rejects.toMatchObject({ name: "WalletError" });
      expect(client.readSession()).toBeNull();
    },
  );

  it("times out for calls without user interaction, and not for the others", async () => {
    vi.useFakeTimers();
    wallet.misbehave({ silent: true });
    const silent = client.request("wallet_getNetwork", null, options).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await silent).toEqual(fault(RpcCode.internalError, walletTexts.noAnswer("wallet_getNetwork")));
    wallet.misbehave({ silent: false, late: 600_000 });
    chain.addOutput(address, 10_000);
    const payment = pay();
    await vi.advanceTimersByTimeAsync(1_200_000); // the accounts, then the payment
    expect(await payment).toBe(chain.sent[0]!.id);
  });
});

describe("signPsbt", () => {
  const REGTEST = networkParams("Regtest");
  const community = deriveAccount(rootKey(TEST_SETTINGS.mnemonic), 1, "p2tr", "Regtest");
  const unsigned = (leaf: boolean, sighashType?: number): string => {
    const { ordinals } = wallet.account;
    const key = ordinals.publicKey.slice(1);
    const script = Script.encode([key, "CHECKSIGVERIFY", 10, "CHECKSEQUENCEVERIFY"]);
    const internal = community.ordinals.publicKey.slice(1);
    const { script: output, tapLeafScript, tapMerkleRoot } = p2tr(internal, { script }, REGTEST, true);
    const tx = new Transaction({ version: 2, allowUnknownInputs: true, allowUnknownOutputs: true });
    tx.addInput({
      txid: TXID,
      index: 0,
      sequence: 10,
      ...(sighashType === undefined ? {} : { sighashType }),
      witnessUtxo: { script: leaf ? output : ordinals.script, amount: 2_000n },
      ...(leaf ? { tapLeafScript, tapMerkleRoot, tapInternalKey: internal } : { tapInternalKey: key }),
    });
    tx.addOutput({ script: ordinals.script, amount: 1_500n });
    return base64.encode(tx.toPSBT(0));
  };
  const read = (psbt: string) =>
    Transaction.fromPSBT(base64.decode(psbt), { allowUnknownInputs: true, allowUnknownOutputs: true });

  it.each([true, false])("signs and does not finalize (script leaf: %s)", async (leaf) => {
    const { psbt, txid } = await client.signPsbt({ psbt: unsigned(leaf), signInputs: { [address]: [0] } }, options);
    const input = read(psbt).getInput(0);
    expect(input.finalScriptWitness).toBeUndefined();
    expect(leaf ? input.tapScriptSig : input.tapKeySig).toHaveLength(leaf ? 1 : 64);
    expect(txid).toBeUndefined();
  });

  it("signs, finalizes and sends a key-path spend", async () => {
    const { psbt, txid } = await client.signPsbt(
      { psbt: unsigned(false), signInputs: { [address]: [0] }, broadcast: true },
      options,
    );
    expect(read(psbt).getInput(0).finalScriptWitness).toHaveLength(1);
    expect(chain.sent.map(({ id }) => id)).toEqual([txid]);
  });

  it("only signs a script leaf, even with broadcast", async () => {
    const { psbt, txid } = await client.signPsbt(
      { psbt: unsigned(true), signInputs: { [address]: [0] }, broadcast: true },
      options,
    );
    expect([read(psbt).getInput(0).tapScriptSig?.length, txid, chain.sent.length]).toEqual([1, undefined, 0]);
  });

  it("passes the requested signature hash type, because Unisat refuses any but the default without it", async () => {
    const { psbt } = await client.signPsbt(
      { psbt: unsigned(true, SigHash.SINGLE_ANYONECANPAY), signInputs: { [address]: [0] } },
      options,
    );
    const [, signature] = read(psbt).getInput(0).tapScriptSig![0]!;
    expect(signature.at(-1)).toBe(SigHash.SINGLE_ANYONECANPAY);
  });
});
