import { base64, hex } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RpcCode } from "../errors.ts";
import * as client from "../index.ts";
import unisat from "../testing/answers/unisat-1.7.13.json" with { type: "json" };
import { fault, ORDINALS, PAYMENT, TXID, unknownResponse } from "../testing/provider.ts";
import { installRecorded, successesOf, throws } from "../testing/recorded.ts";
import { walletTexts } from "../texts.ts";

const ID = "unisat";
const options = { provider: ID };
const LOBO = { name: "LOBO•THE•WOLF•PUP", id: "116:2" };

const recorded = successesOf("unisat");
const answerOf = (method: string): any => recorded.get(method)!.answer;
const [address] = answerOf("getAccounts") as [string];
const REJECTED = { code: 4001, message: "User rejected the request." };

let calls: unknown[][];
let emit: (event: string, data: unknown) => void;

/** Puts Unisat on the page with its recorded answers, some of them changed. */
function install(changes: Record<string, unknown> = {}): void {
  ({ calls, emit } = installRecorded("unisat", changes));
}

const namesOf = (made: unknown[][]) => made.map(([method]) => method);

beforeEach(() => install());
afterEach(() => void vi.useRealTimers());

describe("Unisat", () => {
  it("connects: one address for both purposes, its key x-only", async () => {
    const key = { address, publicKey: answerOf("getPublicKey").slice(2) };
    expect(await client.connect(ID, { network: "Regtest" })).toEqual({ payment: key, ordinals: key });
    expect(key.publicKey).toHaveLength(64);
    expect(await client.getNetwork()).toBe("Signet"); // Unisat has no regtest: the patched extension calls it signet
    expect(await client.currentPermissions()).toEqual([
      { type: "account", resourceId: address, actions: { read: true } },
    ]);
    await client.disconnect();
    expect(calls.at(-1)).toEqual(["disconnect"]);
    install({ getAccounts: [] });
    expect(await client.currentPermissions(options)).toEqual([]);
  });

  it("pays, sends runes and signs", async () => {
    await client.connect(ID);
    expect(await client.btcBalance()).toEqual({ confirmed: 997_359n, total: 997_359n });
    calls.length = 0;
    expect(await client.sendTransfer([{ address: PAYMENT, amount: 5_000 }])).toBe(answerOf("sendBitcoin"));
    const stake = { runeName: LOBO.name, runeId: LOBO.id, amount: 400n, recipient: ORDINALS };
    expect(await client.transferRunes(stake)).toBe(answerOf("sendRunes"));
    expect(await client.signMessage(address, "Moon")).toEqual({
      signature: answerOf("signMessage"),
      messageHash: "",
      address,
      protocol: "BIP322",
    });
    expect(calls.filter(([method]) => method !== "getAccounts")).toEqual([
      ["sendBitcoin", PAYMENT, 5_000],
      ["sendRunes", ORDINALS, LOBO.id, "400"],
      ["signMessage", "Moon", "bip322-simple"],
    ]);
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
    for (const { thrown } of unisat.entries.filter(({ method }) => method === "sendBitcoin")) {
      if (!thrown) continue;
      install({ sendBitcoin: throws(thrown) });
      await expect(client.sendTransfer([{ address: PAYMENT, amount: 1_000 }], options)).rejects.toEqual(
        thrown.code === REJECTED.code
          ? fault(RpcCode.userRejection, "User cancelled action. Please complete acyion for payment.")
          : fault(RpcCode.internalError, thrown.message),
      );
    }
  });

  it("throws the specification's sentence if the user rejects the connection", async () => {
    install({ requestAccounts: throws(REJECTED) });
    await expect(client.connect(ID)).rejects.toEqual(fault(RpcCode.userRejection, "User refused connection."));
    install({ requestAccounts: throws(new Error("The wallet broke.")) });
    await expect(client.connect(ID)).rejects.toEqual(fault(RpcCode.internalError, "connection to wallet failed"));
    expect(client.defaultProvider()).toBeNull();
  });

  it("signs only with the requested account", async () => {
    await client.connect(ID);
    install({ getAccounts: [ORDINALS] });
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
    emit("accountsChanged", [ORDINALS]);
    const [change] = unisat.events.heard.filter(({ after }) => after === "switchChain to BITCOIN_TESTNET4");
    for (const [name, data] of change!.events as [string, unknown][]) emit(name, data);
    emit("accountsChanged", []);
    expect(events).toEqual(["accountChange", "networkChange", "disconnect"]);
    unsubscribes.forEach((stop) => stop());
    emit("accountsChanged", [address]);
    expect(events).toHaveLength(3);
  });

  it("refuses other chains: Fractal's addresses have the form of Bitcoin's", async () => {
    install({
      getChain: { enum: "FRACTAL_BITCOIN_MAINNET", name: "Fractal Bitcoin Mainnet", network: "livenet" },
    });
    await expect(client.connect(ID)).rejects.toEqual(
      fault(RpcCode.internalError, "The wallet is on Fractal Bitcoin Mainnet, not on Bitcoin."),
    );
  });

  it("has the former network names in older versions, and no call to change the network", async () => {
    install({ getChain: undefined, switchChain: undefined, getNetwork: "livenet" });
    expect(await client.getNetwork(options)).toBe("Mainnet");
    expect(await client.supports(ID, "wallet_changeNetwork")).toBe(false);
  });

  it("signs with ECDSA for legacy addresses", async () => {
    const old = "mo9ncXisMeAoXwqcV5EWuyncbmCcQN4rVs";
    install({ getAccounts: [old], signMessage: "c2ln" });
    expect(await client.signMessage(old, "m", options)).toEqual({
      signature: "c2ln",
      messageHash: "",
      address: old,
      protocol: "ECDSA",
    });
    expect(calls.at(-1)).toEqual(["signMessage", "m", "ecdsa"]);
  });

  it("accepts a transaction id in an object, as documented", async () => {
    install({ sendRunes: { txid: TXID } });
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
    install({ getInscriptions: { total: 1, list } });
    const { inscriptions, total } = await client.request("ord_getInscriptions", { offset: 0, limit: 20 }, options);
    expect([total, inscriptions[0]]).toEqual([
      1,
      expect.objectContaining({ inscriptionNumber: "7", postage: "546", output: `${TXID}:0` }),
    ]);
  });
});

describe("Unisat without a shared account: never connected, disconnected in the wallet, or locked", () => {
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
    install({ getAccounts: [] });
    await client
      .request(method, params as never, { provider: ID })
      .catch((fault: unknown) => expect(fault).toMatchObject({ kind: "disconnected" }));
    const quiet: unknown[] = ["getAccounts", "getChain", "getNetwork"];
    expect(namesOf(calls).filter((name) => !quiet.includes(name))).toEqual([]);
  });

  it("ends a stored session with one call", async () => {
    await client.connect(ID);
    install({ getAccounts: [] });
    expect(await client.resumeSession()).toBeNull();
    expect([client.readSession(), namesOf(calls)]).toEqual([null, ["getAccounts"]]);
  });

  it("can be connected again", async () => {
    install({ getAccounts: [] });
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
      REJECTED,
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
    install({ sendBitcoin: throws(thrown) });
    const maybeSent = kind === "rejected" || kind === "failed";
    await expect(client.sendTransfer(pays.recipients, options)).rejects.toMatchObject({
      name: "WalletError",
      kind,
      message,
      maybeSent,
    });
  });

  it("returns its network only if it is known", async () => {
    install({ getChain: undefined });
    await expect(client.getNetwork(options)).rejects.toMatchObject({ kind: "otherNetwork" });
    install();
    expect(await client.getNetwork(options)).toBe("Signet");
    install({ getChain: null });
    await expect(client.getNetwork(options)).rejects.toMatchObject({ kind: "unreadable" });
  });
});

describe("Unisat with malformed, late or missing responses", () => {
  const pay = () => client.sendTransfer([{ address: PAYMENT, amount: 1_000 }], options);
  it.each([undefined, null, {}, "", "no id", 5])("%j is not a transaction id", async (answer) => {
    install({ sendBitcoin: () => answer });
    await expect(pay()).rejects.toEqual(unknownResponse);
  });

  it.each([[[]], ["text"], [["bcrt1qnonsense"]], [[5]], [null], [undefined]])(
    "%j are no accounts",
    async (accounts) => {
      install({ requestAccounts: () => accounts, getAccounts: () => accounts });
      await expect(client.connect(ID)).rejects.toMatchObject({ name: "WalletError" });
      expect(client.readSession()).toBeNull();
    },
  );

  it("times out for calls without user interaction, and not for the others", async () => {
    vi.useFakeTimers();
    install({ getChain: () => new Promise(() => {}) });
    const silent = client.request("wallet_getNetwork", null, options).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await silent).toEqual(fault(RpcCode.internalError, walletTexts.noAnswer("wallet_getNetwork")));
    const late = (answer: unknown) => () => new Promise((done) => setTimeout(() => done(answer), 600_000));
    install({ sendBitcoin: late(TXID) });
    const payment = pay();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await payment).toBe(TXID);
  });
});

describe("signPsbt", () => {
  const { params, answer } = recorded.get("signPsbt")! as { params: [string, object]; answer: string };
  const finalized = unisat.entries.find(({ note }) => note === "options left out: finalized")!.answer as string;
  const request = { psbt: base64.encode(hex.decode(params[0])), signInputs: { [address]: [0] } };
  const read = (psbt: string) => Transaction.fromPSBT(base64.decode(psbt)).getInput(0);

  it("signs and does not finalize", async () => {
    const { psbt, txid } = await client.signPsbt(request, options);
    expect(read(psbt).tapKeySig).toEqual(read(base64.encode(hex.decode(answer))).tapKeySig);
    expect([read(psbt).finalScriptWitness, txid]).toEqual([undefined, undefined]);
    expect(calls.at(-1)).toEqual(["signPsbt", ...params]);
  });

  it("signs, finalizes and sends a key-path spend", async () => {
    const { id } = Transaction.fromPSBT(hex.decode(finalized));
    install({ signPsbt: finalized, pushPsbt: id });
    const { psbt, txid } = await client.signPsbt({ ...request, broadcast: true }, options);
    expect([read(psbt).finalScriptWitness?.length, txid]).toEqual([1, id]);
    expect(calls.at(-1)).toEqual(["pushPsbt", finalized]);
  });
});
