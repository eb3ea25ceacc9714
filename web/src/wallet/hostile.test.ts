import { beforeAll, describe, expect, it, vi } from "vitest";
import { RpcCode } from "./errors.ts";
import * as client from "./index.ts";
import {
  fault,
  ID,
  installStandard,
  ORDINALS,
  PAYMENT,
  PAYMENT_KEY,
  putOnPage,
  type Reply,
  TXID,
  unknownResponse,
} from "./testing/provider.ts";
import { walletTexts } from "./texts.ts";

const OTHER = "bcrt1pw53jtgez0wf69n06fchp0ctk48620zdscnrj8heh86wykp9mv20q7vd3gm";
const entry = (address: string, purpose: string) => ({ address, publicKey: PAYMENT_KEY, purpose });
const accounts = (payment = PAYMENT, ordinals = ORDINALS): Reply => ({
  result: [entry(payment, "payment"), entry(ordinals, "ordinals")],
});
const valid = { wallet_requestPermissions: { result: true }, getAccounts: accounts() };
const pay = () => client.sendTransfer([{ address: PAYMENT, amount: 1_000 }], { provider: ID });

beforeAll(() => import("./address.ts"));

describe("a wallet with false responses", () => {
  it.each([
    ["an address that is none", accounts("bcrt1qliar", ORDINALS), "Invalid address"],
    ["an address of another coin", accounts("LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ", ORDINALS), "Invalid address"],
    ["an ordinals address with a typing slip", accounts(PAYMENT, ORDINALS.replace("x", "y")), "Invalid address"],
    [
      "addresses of another network",
      accounts("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"),
      "The wallet is on another network. Switch it to Regtest.",
    ],
  ])("is not connected if its addresses are wrong (%s), and nothing is stored", async (_, getAccounts, sentence) => {
    installStandard({ ...valid, getAccounts });
    await expect(client.connect(ID, { network: "Regtest" })).rejects.toEqual(fault(RpcCode.invalidParams, sentence));
    expect([client.defaultProvider(), client.readSession()]).toEqual([null, null]);
  });

  it("is refused if another address signed", async () => {
    const signed = { signature: "c2ln", messageHash: "", protocol: "BIP322", address: OTHER };
    installStandard({ signMessage: { result: signed } });
    await expect(client.signMessage(ORDINALS, "m", { provider: ID })).rejects.toEqual(unknownResponse);
  });

  it("is refused if the txid is not the transaction's", async () => {
    installStandard({ sendTransfer: { result: { txid: "bcrt1qliar" } } });
    await expect(pay()).rejects.toEqual(unknownResponse);
    installStandard({ signPsbt: { result: { psbt: "cHNidP8BAAoCAAAAAAAAAAAAAA==" } } });
    const sent = client.signPsbt(
      { psbt: "cHNidP8BAAoCAAAAAAAAAAAAAA==", signInputs: {}, broadcast: true },
      { provider: ID },
    );
    await expect(sent).rejects.toEqual(unknownResponse);
  });

  it("fails only at the method that it lists and does not have", async () => {
    installStandard({ getInfo: { result: { version: "1", methods: ["sendTransfer"] } } });
    expect(await client.supports(ID, "sendTransfer")).toBe(true);
    await expect(
      client.request("sendTransfer", { recipients: [{ address: PAYMENT, amount: 1 }] }, { provider: ID }),
    ).rejects.toEqual(fault(RpcCode.methodNotFound));
  });
});

describe("a wallet that throws", () => {
  it.each([new Error("boom"), "boom", null, undefined, { code: "x" }, { error: null }, 5])(
    "%j at a call is an error of ours",
    async (thrown) => {
      putOnPage(ID, {
        request: () => {
          throw thrown;
        },
      });
      await expect(pay()).rejects.toEqual(fault(RpcCode.internalError));
    },
  );

  it("at the property access counts as absent", async () => {
    const throwing = { get BitcoinProvider() { throw new Error("boom"); } };
    putOnPage("TestWallet", throwing);
    expect(client.findProvider(ID)).toBeUndefined();
    await expect(pay()).rejects.toEqual(fault(RpcCode.internalError, "no wallet provider was found"));
    await client.disconnect();
  });

  it("at addListener is logged, and the page continues", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const addListener = () => { throw new Error("boom"); };
    putOnPage(ID, { request: async () => null, addListener });
    client.setDefaultProvider(ID);
    const stop = client.onWalletEvent("accountChange", () => {});
    await vi.waitFor(() => expect(log).toHaveBeenCalledOnce());
    stop();
  });
});

describe("a wallet that responds twice", () => {
  it("has one result", async () => {
    const answer = (txid: string) => ({ jsonrpc: "2.0", id: "1", result: { txid } });
    const connectTwice = () =>
      new Promise((resolve) => {
        resolve(answer(TXID));
        resolve(answer("cd".repeat(32)));
      });
    installStandard({ sendTransfer: connectTwice });
    expect(await pay()).toBe(TXID);
  });

  it("may report the same change twice", async () => {
    let cb: (event: unknown) => void = () => {};
    putOnPage(ID, {
      request: async () => null,
      addListener: (listener: { cb: typeof cb }) => ((cb = listener.cb), undefined),
    });
    client.setDefaultProvider(ID);
    const listener = vi.fn();
    const stop = client.onWalletEvent("accountChange", listener);
    await vi.waitFor(() => {
      cb({ type: "accountChange" });
      expect(listener).toHaveBeenCalled();
    });
    listener.mockClear();
    cb({});
    cb(null);
    expect(listener).toHaveBeenCalledTimes(2);
    stop(); // a wallet that gave no function to stop
  });
});

describe("a wallet that changes between calls", () => {
  it("has both addresses from the same response", async () => {
    let requests = 0;
    installStandard({
      ...valid,
      getAccounts: () => ({ jsonrpc: "2.0", id: "1", ...(requests++ === 0 ? accounts() : accounts(OTHER, OTHER)) }),
    });
    const session = await client.connect(ID);
    expect([session.payment.address, session.ordinals.address]).toEqual([PAYMENT, ORDINALS]);
    expect((await client.refreshSession()).payment.address).toBe(OTHER);
  });

  it("may be removed: its stored entries cause no error", async () => {
    client.setDefaultProvider("Gone.Wallet");
    expect(client.findProvider("Gone.Wallet")).toBeUndefined();
    await expect(client.getNetwork()).rejects.toEqual(fault(RpcCode.internalError, "no wallet provider was found"));
    client.onWalletEvent("disconnect", () => {})();
    await client.disconnect();
    expect(client.defaultProvider()).toBeNull();
  });

  it("may inject late: its events reach the listener, until that stops to wait", async () => {
    vi.useFakeTimers();
    client.setDefaultProvider(ID);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const listener = vi.fn();
    const stop = client.onWalletEvent("accountChange", listener);
    await vi.advanceTimersByTimeAsync(600);
    let cb: (event: unknown) => void = () => {};
    putOnPage(ID, {
      request: async () => null,
      addListener: (listener: { cb: typeof cb }) => ((cb = listener.cb), () => {}),
    });
    await vi.advanceTimersByTimeAsync(250);
    cb({});
    expect(listener).toHaveBeenCalledOnce();
    stop();
    client.setDefaultProvider("Gone.Wallet");
    const stopWaiting = client.onWalletEvent("accountChange", listener);
    await vi.advanceTimersByTimeAsync(60_000);
    putOnPage("Gone.Wallet", {
      request: async () => null,
      addListener: (listener: { cb: typeof cb }) => ((cb = listener.cb), () => {}),
    });
    await vi.advanceTimersByTimeAsync(2_000);
    cb({});
    expect(listener).toHaveBeenCalledTimes(2);
    stopWaiting();
    client.setDefaultProvider("Never.Wallet");
    client.onWalletEvent("accountChange", listener)();
    await vi.advanceTimersByTimeAsync(20_000);
    expect([vi.getTimerCount(), log.mock.calls]).toEqual([0, []]);
    vi.useRealTimers();
  });

  it("may inject late: it is found at the next call", async () => {
    client.setDefaultProvider(ID);
    await expect(pay()).rejects.toEqual(fault(RpcCode.internalError, "no wallet provider was found"));
    installStandard({ sendTransfer: { result: { txid: TXID } } });
    expect(await pay()).toBe(TXID);
  });
});

describe("a caller that aborts", () => {
  it("is not connected by a later response", async () => {
    const giveUp = new AbortController();
    let answer: (value: unknown) => void = () => {};
    installStandard({ ...valid, getAccounts: () => new Promise((resolve) => (answer = resolve)) });
    const connecting = client.connect(ID, { signal: giveUp.signal }).catch((reason: unknown) => reason);
    await vi.waitFor(() => expect(answer).not.toHaveLength(0));
    giveUp.abort();
    expect(await connecting).toMatchObject({ name: "WalletError" });
    answer({ jsonrpc: "2.0", id: "1", ...accounts() });
    await Promise.resolve();
    expect(client.readSession()).toBeNull();
  });

  it("before the call does not reach the wallet", async () => {
    const { calls } = installStandard(valid);
    const response = client.request("getBalance", null, { provider: ID, signal: AbortSignal.abort() });
    await expect(response).rejects.toEqual(fault(RpcCode.internalError, walletTexts.aborted));
    expect(calls).toEqual([]);
  });
});

describe("permissions", () => {
  it("are requested, listed and renounced, for the account and the wallet", async () => {
    const balances = [
      { type: "account", resourceId: "a", clientId: "c", actions: { read: true } },
      { type: "wallet", resourceId: "w", clientId: "c", actions: { readNetwork: true } },
    ];
    const { calls } = installStandard({
      ...valid,
      wallet_getCurrentPermissions: { result: balances },
      wallet_renouncePermissions: { result: null },
    });
    const options = { provider: ID };
    await client.requestPermissions(null, options);
    await client.requestPermissions([{ type: "wallet", resourceId: "w", actions: { readNetwork: true } }], options);
    expect(await client.currentPermissions(options)).toEqual(balances);
    await client.renouncePermissions(options);
    expect(calls.map(([method]) => method)).toEqual([
      "wallet_requestPermissions",
      "wallet_requestPermissions",
      "wallet_getCurrentPermissions",
      "wallet_renouncePermissions",
    ]);
    expect(calls[0]![1]).toBeNull();
  });
});
