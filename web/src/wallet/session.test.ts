import { afterEach, describe, expect, it } from "vitest";
import { RpcCode } from "./errors.ts";
import { defaultProvider, setDefaultProvider } from "./providers.ts";
import { connect, disconnect, readSession, refreshSession, requireSession } from "./session.ts";
import { walletTexts } from "./texts.ts";

const ID = "TestWallet.BitcoinProvider";
const PAYMENT = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";
const ORDINALS = "bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6";
const OTHER = "bcrt1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qzf4jry";
const page = window as unknown as Record<string, unknown>;
const payment = { address: PAYMENT, publicKey: "02aa", purpose: "payment" };
const ordinals = { address: ORDINALS, publicKey: "bb", purpose: "ordinals" };
const session = {
  payment: { address: PAYMENT, publicKey: "02aa" },
  ordinals: { address: ORDINALS, publicKey: "bb" },
};

type Answers = Record<string, unknown>;
const refusal = (code: number) => ({ error: { code, message: "said the wallet" } });
const fine = { wallet_requestPermissions: { result: true }, getAccounts: { result: [payment, ordinals] } };

/** A wallet with these answers per method; all others are −32601. Gives the calls that reach it. */
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
  it("asks for permission without params, then for both addresses, and keeps them", async () => {
    const calls = install(fine);
    expect(await connect(ID)).toEqual(session);
    expect(calls).toEqual([
      ["wallet_requestPermissions", null],
      ["getAccounts", { purposes: ["payment", "ordinals"] }],
    ]);
    expect(readSession()).toEqual(session);
    expect(requireSession()).toEqual(session);
    expect(defaultProvider()).toBe(ID);
  });

  it("does without permissions, and with wallet_getAccount, where a wallet has only that", async () => {
    install({ wallet_getAccount: { result: { id: "1", addresses: [ordinals, payment] } } });
    expect(await connect(ID)).toEqual(session);
  });

  it.each([
    ["a no", { ...fine, wallet_requestPermissions: refusal(RpcCode.userRejection) }, walletTexts.connectionRefused],
    ["a no to the addresses", { ...fine, getAccounts: refusal(RpcCode.userRejection) }, walletTexts.connectionRefused],
    ["a fault", { ...fine, getAccounts: refusal(RpcCode.internalError) }, walletTexts.connectionFailed],
    ["no ordinals address", { ...fine, getAccounts: { result: [payment] } }, walletTexts.incompatible],
    ["no payment address", { ...fine, getAccounts: { result: [ordinals] } }, walletTexts.incompatible],
    ["null", { ...fine, getAccounts: { result: null } }, walletTexts.nullResult],
  ])("keeps no wallet after %s", async (_, answers, message) => {
    install(answers);
    setDefaultProvider(ID);
    await expect(connect(ID)).rejects.toMatchObject({ name: "WalletError", message });
    expect([defaultProvider(), readSession()]).toEqual([null, null]);
  });

  it("says which is missing: any wallet, a choice, or the chosen one", async () => {
    await expect(connect()).rejects.toMatchObject({ message: walletTexts.noWallets });
    await expect(connect("Gone.Wallet")).rejects.toMatchObject({ message: walletTexts.noProvider });
    page["btc_providers"] = [{ id: ID, name: "Test" }];
    install(fine);
    await expect(connect()).rejects.toMatchObject({ message: walletTexts.notSelected });
    delete page["btc_providers"];
  });
});

describe("disconnect", () => {
  it("tells the wallet and empties all local storage", async () => {
    const calls = install({ ...fine, wallet_renouncePermissions: { result: null } });
    await connect(ID);
    localStorage.setItem("anything", "else");
    await disconnect();
    expect(calls.at(-1)).toEqual(["wallet_renouncePermissions", null]);
    expect(localStorage.length).toBe(0);
    expect(() => requireSession()).toThrow(walletTexts.noAddresses);
  });

  it("asks a wallet without permissions to disconnect", async () => {
    const calls = install({ ...fine, wallet_disconnect: { result: null } });
    await connect(ID);
    await disconnect();
    expect(calls.slice(-2).map(([method]) => method)).toEqual(["wallet_renouncePermissions", "wallet_disconnect"]);
  });

  it("does so too when the wallet refuses, or is gone", async () => {
    install(fine); // no wallet_renouncePermissions: −32601
    await connect(ID);
    await disconnect();
    expect(localStorage.length).toBe(0);
    setDefaultProvider("Gone.Wallet");
    await disconnect();
    expect(localStorage.length).toBe(0);
    await disconnect(); // nothing there at all
  });
});

describe("the kept session", () => {
  it.each(["", "{", "null", '{"payment":{}}', '{"payment":{"address":"a","publicKey":"b"}}'])("reads as none when it is %j", (raw) => {
    localStorage.setItem("moonfund.wallet.session", raw);
    expect(readSession()).toBeNull();
  });

  it("follows the wallet to another account", async () => {
    install(fine);
    await connect(ID);
    install({ ...fine, getAccounts: { result: [{ ...payment, address: OTHER }, ordinals] } });
    expect((await refreshSession()).payment.address).toBe(OTHER);
    expect(readSession()?.payment.address).toBe(OTHER);
  });
});
