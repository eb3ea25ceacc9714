import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { RpcCode, WalletError } from "./errors.ts";
import { onWalletEvent } from "./events.ts";
import { supports, walletInfo } from "./network.ts";
import { findProvider, listProviders, setDefaultProvider } from "./providers.ts";
import { request } from "./request.ts";
import { runeBalance, transferRunes } from "./runes.ts";
import { sendTransfer } from "./bitcoin.ts";
import { walletTexts } from "./texts.ts";

const ID = "TestWallet.BitcoinProvider";
const page = window as unknown as Record<string, unknown>;
const TXID = "ab".repeat(32);
const A = "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080";

/** Puts a wallet on the page that always gives this response. Returns the calls that it receives. */
function install(answer: (method: string, params: unknown) => unknown, id = ID) {
  const calls: [string, unknown][] = [];
  const [outer, inner] = id.split(".");
  page[outer!] = {
    [inner!]: {
      request: async (method: string, params: unknown) => {
        calls.push([method, params]);
        return answer(method, params);
      },
    },
  };
  return calls;
}

const success = (result: unknown) => () => ({ jsonrpc: "2.0", id: "1", result });
const failure = (code: number, message: string) => () => ({ jsonrpc: "2.0", id: "1", error: { code, message } });
const fault = (code: number, message: string) => expect.objectContaining({ name: "WalletError", code, message });
const getAccounts = () => request("getAccounts", { purposes: ["payment"] }, { provider: ID });

// Imported at the first use, which fake timers do not wait for.
beforeAll(() => import("./address.ts"));

afterEach(() => {
  for (const name of ["TestWallet", "OtherWallet", "XverseProviders", "btc_providers"]) delete page[name];
  localStorage.clear();
  vi.useRealTimers();
});

describe("a valid response", () => {
  const account = { address: A, publicKey: "02ab", purpose: "payment", addressType: "p2wpkh", walletType: "software" };

  it("is checked and returned; the wallet gets the method and its params", async () => {
    const calls = install(success([{ ...account, extra: 1 }]));
    expect(await getAccounts()).toEqual([account]);
    expect(calls).toEqual([["getAccounts", { purposes: ["payment"] }]]);
  });

  it("comes from the wallet with the stored id at the time of the call", async () => {
    setDefaultProvider(ID);
    const callDefault = () => request("getAccounts", { purposes: ["payment"] });
    await expect(callDefault()).rejects.toEqual(fault(RpcCode.internalError, walletTexts.noProvider));
    install(success([account]));
    expect(await callDefault()).toEqual([account]);
  });

  it("may be null if the method allows it", async () => {
    install(success(null));
    expect(await request("wallet_renouncePermissions", null, { provider: ID })).toBeNull();
  });
});

describe("an error of the wallet", () => {
  it("keeps its code and message", async () => {
    install(failure(RpcCode.accessDenied, "Access denied."));
    await expect(getAccounts()).rejects.toEqual(fault(RpcCode.accessDenied, walletTexts.ended));
  });

  it.each([
    [{ code: 4001, message: "no" }, RpcCode.userRejection, "no"],
    [{ jsonrpc: "2.0", error: { code: -32601, message: "unknown" } }, RpcCode.methodNotFound, "unknown"],
    [new Error("boom"), RpcCode.internalError, "boom"],
    ["boom", RpcCode.internalError, walletTexts.walletError],
    [undefined, RpcCode.internalError, walletTexts.walletError],
  ])("is converted if it is thrown as %j", async (thrown, code, message) => {
    install(() => {
      throw thrown;
    });
    await expect(getAccounts()).rejects.toEqual(fault(code, message));
  });
});

describe("a malformed response", () => {
  it.each([
    undefined,
    null,
    "hello",
    {},
    { jsonrpc: "1.0", result: [] },
    { jsonrpc: "2.0", id: "1" },
    { jsonrpc: "2.0", result: undefined },
    { jsonrpc: "2.0", result: {} },
  ])("%j throws 'Received unknown response'", async (answer) => {
    install(() => answer);
    await expect(getAccounts()).rejects.toEqual(fault(RpcCode.internalError, walletTexts.unknownResponse));
  });

  it("null instead of addresses has a sentence of its own", async () => {
    install(success(null));
    await expect(getAccounts()).rejects.toEqual(fault(RpcCode.internalError, walletTexts.nullResult));
  });
});

describe("a late or missing response", () => {
  it("times out for a call without user interaction", async () => {
    vi.useFakeTimers();
    install(() => new Promise(() => {}));
    const response = request("wallet_getNetwork", null, { provider: ID });
    const timeout = fault(RpcCode.internalError, walletTexts.noAnswer("wallet_getNetwork"));
    const rejection = expect(response).rejects.toEqual(timeout);
    await vi.advanceTimersByTimeAsync(30_000);
    await rejection;
  });

  it("does not time out for a call that asks the user", async () => {
    vi.useFakeTimers();
    install(() => new Promise((done) => setTimeout(() => done(success({ txid: TXID })()), 3_600_000)));
    const sent = sendTransfer([{ address: A, amount: 1000 }], { provider: ID });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(await sent).toBe(TXID);
  });

  it("is ignored after the timeout", async () => {
    vi.useFakeTimers();
    let respond: (answer: unknown) => void = () => {};
    install(() => new Promise((done) => (respond = done)));
    const response = request("getInfo", null, { provider: ID, timeout: 10 });
    const rejection = expect(response).rejects.toBeInstanceOf(WalletError);
    await vi.advanceTimersByTimeAsync(10);
    respond(success({ version: "1" })());
    await rejection;
  });

  it("can be aborted by the caller", async () => {
    install(() => new Promise(() => {}));
    const giveUp = new AbortController();
    const response = request("getAccounts", { purposes: ["payment"] }, { provider: ID, signal: giveUp.signal });
    giveUp.abort();
    await expect(response).rejects.toEqual(fault(RpcCode.internalError, walletTexts.aborted));
  });
});

describe("params", () => {
  it.each([
    ["sendTransfer", { recipients: [] }],
    ["sendTransfer", { recipients: [{ address: A, amount: 0 }] }],
    ["sendTransfer", { recipients: [{ address: A, amount: 1.5 }] }],
    ["sendTransfer", { recipients: [{ address: A, amount: 21e14 + 1 }] }],
    ["runes_transfer", { recipients: [{ runeName: "A", amount: "1.5", address: A }] }],
    ["runes_transfer", { recipients: [{ runeName: "A", amount: "0", address: A }] }],
    ["getAccounts", { purposes: [] }],
    ["getAccounts", { purposes: ["moon"] }],
    ["signMessage", { address: "", message: "m" }],
    ["signMessage", { address: A, message: "m", protocol: "PGP" }],
    ["signPsbt", { psbt: "not base64!" }],
    ["wallet_requestPermissions", []],
    ["wallet_changeNetwork", { name: "Moonnet" }],
  ])("of %s that are invalid do not reach the wallet: %j", async (method, params) => {
    const calls = install(success(null));
    const response = request(method as "getInfo", params as never, { provider: ID });
    await expect(response).rejects.toMatchObject({ code: RpcCode.invalidParams });
    expect(calls).toEqual([]);
  });

  it("accept a message of 80 characters and reject one of 81", async () => {
    const calls = install(success({ id: "1", addresses: [] }));
    const connect = (message: string) => request("wallet_connect", { message }, { provider: ID });
    await connect("🌕".repeat(80));
    expect(calls).toHaveLength(1);
    await expect(connect("🌕".repeat(81))).rejects.toEqual(fault(RpcCode.invalidParams, walletTexts.messageTooLong));
  });

  it("require a method and a wallet", async () => {
    install(success(null));
    await expect(request("" as never, null as never, { provider: ID })).rejects.toEqual(
      fault(RpcCode.invalidRequest, walletTexts.noMethod),
    );
    await expect(request("moon_walk" as never, null as never, { provider: ID })).rejects.toMatchObject({
      code: RpcCode.methodNotFound,
    });
    await expect(request("getInfo", null)).rejects.toEqual(fault(RpcCode.internalError, walletTexts.noProvider));
    await expect(request("getInfo", null, { provider: "Gone.Wallet" })).rejects.toEqual(
      fault(RpcCode.internalError, walletTexts.noProvider),
    );
  });
});

describe("sentences", () => {
  it("for a rune transfer", async () => {
    const send = () => transferRunes({ runeName: "LOBO", amount: 5n, recipient: A }, { provider: ID });
    install(failure(RpcCode.userRejection, "User rejected the request."));
    await expect(send()).rejects.toEqual(fault(RpcCode.userRejection, "User rejected rune transfer"));
    install(failure(RpcCode.internalError, "no coins"));
    await expect(send()).rejects.toEqual(fault(RpcCode.internalError, "Error while rune transfer: no coins"));
    const calls = install(success({ txid: TXID }));
    expect(await send()).toBe(TXID);
    expect(calls).toEqual([["runes_transfer", { recipients: [{ runeName: "LOBO", amount: "5", address: A }] }]]);
  });

  it("for a cancelled payment", async () => {
    install(failure(RpcCode.userRejection, "User rejected the request."));
    const sent = sendTransfer([{ address: A, amount: 1 }], { provider: ID });
    await expect(sent).rejects.toEqual(
      fault(RpcCode.userRejection, "User cancelled action. Please complete acyion for payment."),
    );
  });
});

describe("a rune balance", () => {
  const entry = { divisibility: 8, symbol: "L", inscriptionId: null, spendableBalance: "1" };

  it("is exact, found with and without spacers, and 0 for a rune that is not listed", async () => {
    const amount = "340282366920938463463374607431768211455";
    install(
      success({
        balances: [
          { ...entry, runeName: "OTHER", amount: "7" },
          { ...entry, runeName: "LOBO•DOGS", amount },
        ],
      }),
    );
    expect(await runeBalance("LOBODOGS", { provider: ID })).toBe(BigInt(amount));
    expect(await runeBalance("LOBO•DOGS", { provider: ID })).toBe(BigInt(amount));
    expect(await runeBalance("LOBO", { provider: ID })).toBe(0n);
  });
});

describe("the list of wallets", () => {
  it("contains registered wallets, installed ones first, Xverse before all", () => {
    page["btc_providers"] = [
      null,
      { id: "" },
      { id: ID, name: "Test", icon: "https://elsewhere/x.png" },
      { id: "OtherWallet.BitcoinProvider", name: "Other", icon: "data:image/png;base64,AA==" },
    ];
    install(success(null), "OtherWallet.BitcoinProvider");
    const listed = () => listProviders().map(({ id, installed, icon }) => ({ id, installed, icon }));
    expect(
      listed()
        .map(({ id }) => id)
        .slice(0, 2),
    ).toEqual(["OtherWallet.BitcoinProvider", "XverseProviders.BitcoinProvider"]);
    expect(listed()[0]).toEqual({
      id: "OtherWallet.BitcoinProvider",
      installed: true,
      icon: "data:image/png;base64,AA==",
    });
    expect(listed().find(({ id }) => id === ID)).toEqual({ id: ID, installed: false, icon: "" });
    install(success(null), "XverseProviders.BitcoinProvider");
    expect(listed()[0]!.id).toBe("XverseProviders.BitcoinProvider");
  });

  it("keeps the store links of a known wallet if its id is registered by another", () => {
    const id = "XverseProviders.BitcoinProvider";
    page["btc_providers"] = [
      {
        id,
        name: "Xverse Wallet",
        icon: "",
        webUrl: "https://evil.test/",
        mozillaAddOnsUrl: "https://addons.mozilla.org/x",
      },
    ];
    expect(listProviders()[0]).toMatchObject({
      id,
      name: "Xverse Wallet",
      webUrl: "https://www.xverse.app/",
      mozillaAddOnsUrl: "https://addons.mozilla.org/x",
    });
  });

  it("ignores malformed entries of the page", () => {
    page["btc_providers"] = "nonsense";
    expect(listProviders().every(({ installed }) => !installed)).toBe(true);
    expect(findProvider("document.title.length")).toBeUndefined();
  });
});

describe("walletInfo", () => {
  it("is cached per wallet, except for failures", async () => {
    let calls = install(failure(RpcCode.internalError, "not yet"));
    await expect(walletInfo(ID)).rejects.toBeInstanceOf(WalletError);
    (page["TestWallet"] as any).BitcoinProvider.request = async () => (
      calls.push(["getInfo", null]),
      success({ version: "1", methods: ["runes_transfer"], supports: [] })()
    );
    expect(await supports(ID, "runes_transfer")).toBe(true);
    expect(await supports(ID, "runes_mint")).toBe(false);
    expect(calls).toHaveLength(2);
    calls = install(success({ version: "2", supports: [] }), "OtherWallet.BitcoinProvider");
    expect(await supports("OtherWallet.BitcoinProvider", "runes_mint")).toBeNull();
  });
});

const listeners: [name: string, callback: (event: unknown) => void][] = [];

describe("events", () => {
  it("call the listener until it unsubscribes", async () => {
    install(success(null));
    setDefaultProvider(ID);
    const stop = vi.fn();
    const addListener = vi.fn(() => stop);
    (page["TestWallet"] as any).BitcoinProvider.addListener = addListener;
    const listener = vi.fn();
    const end = onWalletEvent("accountChange", listener);
    await vi.waitFor(() => expect(addListener).toHaveBeenCalled());
    // A mock declares no parameters: both forms are registered, and the first that calls back is kept.
    const [[name], [{ eventName, cb }]] = addListener.mock.calls as unknown as [
      [string],
      [{ eventName: string; cb: (event: unknown) => void }],
    ];
    cb({ type: "accountChange" });
    expect([name, eventName, listener.mock.calls, stop.mock.calls.length]).toEqual([
      "accountChange",
      "accountChange",
      [[]],
      1,
    ]);
    end();
    cb({ type: "accountChange" });
    expect(listener).toHaveBeenCalledOnce();
  });

  it.each([
    [
      "(name, callback), as Xverse does",
      (name: string, callback: (event: unknown) => void) => void listeners.push([name, callback]),
    ],
    ["({eventName, cb})", ({ eventName, cb }: any) => void listeners.push([eventName, cb])],
    [
      "either form",
      (...args: any[]) =>
        void listeners.push(typeof args[0] === "string" ? [args[0], args[1]] : [args[0].eventName, args[0].cb]),
    ],
  ])("call the listener once for a wallet with %s", async (_, addListener) => {
    listeners.length = 0;
    install(success(null));
    setDefaultProvider(ID);
    (page["TestWallet"] as any).BitcoinProvider.addListener = addListener;
    const listener = vi.fn();
    const end = onWalletEvent("disconnect", listener);
    await vi.waitFor(() => expect(listeners.length).toBeGreaterThan(0));
    const emit = (type: string) => listeners.forEach(([name, callback]) => name === "disconnect" && callback({ type }));
    emit("disconnect");
    emit("accountChange");
    expect(listener).toHaveBeenCalledOnce();
    end();
    emit("disconnect");
    expect(listener).toHaveBeenCalledOnce();
  });

  it("that a wallet does not support are logged in the console", async () => {
    install(success(null));
    setDefaultProvider(ID);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const stop = onWalletEvent("disconnect", () => {});
    await vi.waitFor(() => expect(log).toHaveBeenCalledWith(walletTexts.noListener));
    stop();
    delete page["TestWallet"];
    onWalletEvent("disconnect", () => {})(); // no wallet: no effect
    expect(log).toHaveBeenCalledTimes(1);
  });
});
