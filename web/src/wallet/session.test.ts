import { afterEach, describe, expect, it, vi } from "vitest";
import { onSessionEnd } from "./ending.ts";
import { RpcCode } from "./errors.ts";
import { defaultProvider, setDefaultProvider } from "./providers.ts";
import { request } from "./request.ts";
import { connect, disconnect, readSession, refreshSession, requireSession, resumeSession } from "./session.ts";
import { walletTexts } from "./texts.ts";

const ID = "TestWallet.BitcoinProvider";
const PAYMENT = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
const ORDINALS = "bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6";
const OTHER = "bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry";
const page = window as unknown as Record<string, unknown>;
const KEY = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const payment = { address: PAYMENT, publicKey: KEY, purpose: "payment" };
const ordinals = { address: ORDINALS, publicKey: KEY.slice(2), purpose: "ordinals" };
const session = {
  payment: { address: PAYMENT, publicKey: KEY },
  ordinals: { address: ORDINALS, publicKey: KEY.slice(2) },
};

type Answers = Record<string, unknown>;
const refusal = (code: number) => ({
  error: { code, message: code === RpcCode.userRejection ? "User rejected the request." : "said the wallet" },
});
const valid = { wallet_requestPermissions: { result: true }, getAccounts: { result: [payment, ordinals] } };

/** A wallet with these responses by method; other methods are −32601. Returns the calls that it receives. */
function install(answers: Answers) {
  const calls: [string, unknown][] = [];
  const request = async (method: string, params: unknown) => {
    calls.push([method, params]);
    return { jsonrpc: "2.0", id: 1, ...((answers[method] as object) ?? refusal(RpcCode.methodNotFound)) };
  };
  page["TestWallet"] = { BitcoinProvider: { request } };
  return calls;
}

afterEach(() => {
  delete page["TestWallet"];
  localStorage.clear();
});

describe("connect", () => {
  it("asks once, by wallet_connect, and stores the addresses of its response", async () => {
    const calls = install({ wallet_connect: { result: { id: "1", addresses: [ordinals, payment] } } });
    expect(await connect(ID, { network: "Regtest", message: "Moon" })).toEqual(session);
    expect(calls).toEqual([
      ["wallet_connect", { addresses: ["payment", "ordinals"], message: "Moon", network: "Regtest" }],
    ]);
  });

  it.each([
    ["not found", refusal(RpcCode.methodNotFound)],
    ["not supported", refusal(RpcCode.methodNotSupported)],
    ["denied", refusal(RpcCode.accessDenied)],
    ["refused for its params", refusal(RpcCode.invalidParams)],
    ["answered with something else", { result: "<html>" }],
  ])(
    "goes on to the permissions, whose answer may hold the addresses, where wallet_connect is %s",
    async (_, answer) => {
      const calls = install({
        wallet_connect: answer,
        wallet_requestPermissions: { result: { addresses: [ordinals, payment] } },
      });
      expect(await connect(ID)).toEqual(session);
      expect(calls.map(([method]) => method)).toEqual(["wallet_connect", "wallet_requestPermissions"]);
      expect(calls[1]![1]).toBeNull();
    },
  );

  it("reads the addresses without another popup after permission is granted", async () => {
    const calls = install({ ...valid, getAddresses: { result: { addresses: [payment, ordinals] } } });
    expect(await connect(ID)).toEqual(session);
    expect(calls.map(([method]) => method)).toEqual(["wallet_connect", "wallet_requestPermissions", "getAddresses"]);
  });

  it("requests permission without params, then both addresses, if the wallet has no other method", async () => {
    const calls = install(valid);
    expect(await connect(ID)).toEqual(session);
    expect(calls.slice(1)).toEqual([
      ["wallet_requestPermissions", null],
      ["getAddresses", { purposes: ["payment", "ordinals"] }],
      ["getAccounts", { purposes: ["payment", "ordinals"] }],
    ]);
    expect(readSession()).toEqual(session);
    expect(requireSession()).toEqual(session);
    expect(defaultProvider()).toBe(ID);
  });

  it("uses wallet_getAccount if the wallet has no other method", async () => {
    install({ wallet_getAccount: { result: { id: "1", addresses: [ordinals, payment] } } });
    expect(await connect(ID)).toEqual(session);
  });

  it.each([
    ["a no", { ...valid, wallet_requestPermissions: refusal(RpcCode.userRejection) }, walletTexts.connectionRefused],
    [
      "a rejection of the addresses",
      { ...valid, getAccounts: refusal(RpcCode.userRejection) },
      walletTexts.connectionRefused,
    ],
    ["an internal error", { ...valid, getAccounts: refusal(RpcCode.internalError) }, walletTexts.connectionFailed],
    ["no ordinals address", { ...valid, getAccounts: { result: [payment] } }, walletTexts.incompatible],
    ["no payment address", { ...valid, getAccounts: { result: [ordinals] } }, walletTexts.incompatible],
    ["null", { ...valid, getAccounts: { result: null } }, walletTexts.nullResult],
    [
      "a locked wallet",
      { wallet_connect: { error: { code: -32603, message: "Wallet is locked" } } },
      walletTexts.locked,
    ],
    [
      "another open request",
      { wallet_connect: { error: { code: -32603, message: "Another approval request is already pending" } } },
      walletTexts.busy,
    ],
    [
      "a failure that calls itself a no",
      { wallet_connect: { error: { code: -32000, message: "Something went wrong" } } },
      walletTexts.connectionFailed,
    ],
    [
      "a key that is none",
      { ...valid, getAccounts: { result: [{ ...payment, publicKey: "02aa" }, ordinals] } },
      walletTexts.noKey(PAYMENT),
    ],
  ])("stores no wallet after %s", async (_, answers, message) => {
    install(answers);
    setDefaultProvider(ID);
    await expect(connect(ID)).rejects.toMatchObject({ name: "WalletError", message });
    expect([defaultProvider(), readSession()]).toEqual([null, null]);
  });

  it("says what is missing: any wallet, a selection, or the selected wallet", async () => {
    await expect(connect()).rejects.toMatchObject({ message: walletTexts.noWallets });
    await expect(connect("Gone.Wallet")).rejects.toMatchObject({ message: walletTexts.noProvider });
    page["btc_providers"] = [{ id: ID, name: "Test" }];
    install(valid);
    await expect(connect()).rejects.toMatchObject({ message: walletTexts.notSelected });
    delete page["btc_providers"];
  });
});

describe("disconnect", () => {
  it("disconnects the wallet and empties all local storage", async () => {
    const calls = install({ ...valid, wallet_renouncePermissions: { result: null } });
    await connect(ID);
    localStorage.setItem("anything", "else");
    await disconnect();
    expect(calls.at(-1)).toEqual(["wallet_renouncePermissions", null]);
    expect(localStorage.length).toBe(0);
    expect(() => requireSession()).toThrow(walletTexts.noAddresses);
  });

  it("calls wallet_disconnect if the wallet has no permissions", async () => {
    const calls = install({ ...valid, wallet_disconnect: { result: null } });
    await connect(ID);
    await disconnect();
    expect(calls.slice(-2).map(([method]) => method)).toEqual(["wallet_renouncePermissions", "wallet_disconnect"]);
  });

  it("empties local storage if the wallet refuses or is removed", async () => {
    install(valid); // no wallet_renouncePermissions: −32601
    await connect(ID);
    await disconnect();
    expect(localStorage.length).toBe(0);
    setDefaultProvider("Gone.Wallet");
    await disconnect();
    expect(localStorage.length).toBe(0);
    await disconnect(); // no wallet on the page
  });
});

describe("the stored session", () => {
  it.each(["", "{", "null", '{"payment":{}}', '{"payment":{"address":"a","publicKey":"b"}}'])(
    "reads as null if it is %j",
    (raw) => {
      localStorage.setItem("moonfund.wallet.session", raw);
      expect(readSession()).toBeNull();
    },
  );

  it("changes to the wallet's current account without a popup if the wallet has wallet_getAccount", async () => {
    install(valid);
    await connect(ID);
    const calls = install({
      ...valid,
      wallet_getAccount: { result: { addresses: [{ ...payment, address: OTHER }, ordinals] } },
    });
    expect((await refreshSession()).payment.address).toBe(OTHER);
    expect(calls.map(([method]) => method)).toEqual(["wallet_getAccount"]);
  });

  it("is resumed by a later page with the wallet's current account", async () => {
    install(valid);
    await connect(ID);
    install({ wallet_getAccount: { result: { addresses: [{ ...payment, address: OTHER }, ordinals] } } });
    expect((await resumeSession())?.payment.address).toBe(OTHER);
    install({ wallet_getAccount: refusal(RpcCode.methodNotFound) });
    expect((await resumeSession())?.payment.address).toBe(OTHER);
  });

  it("ends, and calls the listener, when the wallet no longer shares an account", async () => {
    install(valid);
    await connect(ID);
    const listener = vi.fn();
    const stop = onSessionEnd(listener);
    install({ wallet_getAccount: refusal(RpcCode.accessDenied) });
    expect(await resumeSession()).toBeNull();
    expect(listener).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ kind: "disconnected", message: walletTexts.ended }),
    );
    stop();
  });

  it("ends at any other call, too, but not by an error of another wallet", async () => {
    install(valid);
    await connect(ID);
    await expect(request("getBalance", null, { provider: "Gone.Wallet" })).rejects.toMatchObject({ kind: "noWallet" });
    expect(readSession()).toEqual(session);
    install({ getBalance: refusal(RpcCode.accessDenied) });
    await expect(request("getBalance", null)).rejects.toMatchObject({ kind: "disconnected" });
    expect(readSession()).toBeNull();
  });

  it("names the wallet's network if that is another one, whatever the wallet says", async () => {
    install(valid);
    await connect(ID);
    const broken = { error: { code: RpcCode.internalError, message: "Failed to get selected account." } };
    const methods = { wallet_getAccount: broken, getAddresses: broken, getAccounts: broken };
    install({ ...methods, wallet_getNetwork: { result: { bitcoin: { name: "Testnet4" } } } });
    await expect(refreshSession({ network: "Mainnet" })).rejects.toMatchObject({
      kind: "otherNetwork",
      message: walletTexts.networkIs("Testnet4", "Mainnet"),
    });
    install({ ...methods, wallet_getNetwork: broken });
    const error = await refreshSession({ network: "Mainnet" }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ message: "Failed to get selected account.", sentence: { code: "foreign" } });
    expect(readSession()).toEqual(session);
  });

  it("changes to the wallet's current account", async () => {
    install(valid);
    await connect(ID);
    install({ ...valid, getAccounts: { result: [{ ...payment, address: OTHER }, ordinals] } });
    expect((await refreshSession()).payment.address).toBe(OTHER);
    expect(readSession()?.payment.address).toBe(OTHER);
  });
});
