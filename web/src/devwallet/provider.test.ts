import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getProviderById, request as stockRequest, type RpcResult } from "@sats-connect/core";
import { base64 } from "@scure/base";
import { Transaction } from "@scure/btc-signer";
import * as client from "../wallet";
import { control, type Control } from "./control";
import { Code } from "./fault";
import { methods } from "./methods";
import { bitcoinProvider, type BitcoinProvider } from "./provider";
import { Questions } from "./questions";
import { LOBO, memoryStore, MemoryChain, TEST_SETTINGS } from "./testing/chain";
import { DevWallet } from "./wallet";

const ID = "MoonDevWallet.BitcoinProvider";
const page = window as unknown as Record<string, unknown>;
const PURPOSES = ["payment", "ordinals"];

let chain: MemoryChain;
let wallet: DevWallet;
let provider: BitcoinProvider;
let controls: Control;

beforeEach(async () => {
  chain = new MemoryChain();
  const questions = new Questions(() => {});
  const opening = DevWallet.open(memoryStore({ ...TEST_SETTINGS, autoConfirm: true }), chain, questions.ask);
  wallet = await opening;
  provider = bitcoinProvider(opening);
  controls = control(opening, questions);
  page["MoonDevWallet"] = { BitcoinProvider: provider, control: controls };
  page["btc_providers"] = [{ id: ID, name: "Moon Dev Wallet", icon: "" }];
});

afterEach(() => {
  delete page["MoonDevWallet"];
  delete page["btc_providers"];
  localStorage.clear();
});

const fund = () => {
  chain.addOutput(wallet.account.payment.address, 100_000);
  chain.addOutput(wallet.account.ordinals.address, 546, [{ id: LOBO.id, amount: 1_000n }]);
};

describe("with the product's own client", () => {
  it("connects, reads, sends, signs and disconnects", async () => {
    fund();
    const session = await client.connect(ID);
    const { payment, ordinals } = wallet.account;
    expect(session).toEqual({
      payment: { address: payment.address, publicKey: payment.publicKeyHex },
      ordinals: { address: ordinals.address, publicKey: ordinals.publicKeyHex },
    });
    expect(await client.getNetwork()).toBe("Regtest");
    expect(await client.runeBalance("LOBOMOONDOGS")).toBe(1_000n);
    expect(await client.btcBalance()).toEqual({ confirmed: 100_000n, total: 100_000n });
    const runesTx = await client.transferRunes({ runeName: LOBO.name, amount: 400n, recipient: ordinals.address });
    const satsTx = await client.sendTransfer([{ address: payment.address, amount: 5_000 }]);
    expect(chain.sent.map(({ id }) => id)).toEqual([runesTx, satsTx]);
    expect(await client.signMessage(ordinals.address, "Moon")).toMatchObject({
      protocol: "BIP322",
      address: ordinals.address,
    });
    await client.disconnect();
    expect(wallet.settings.connected).toBe(false);
  });

  it("has every method of the client", async () => {
    const { methods: listed } = await client.walletInfo(ID);
    expect(listed).toEqual(Object.keys(methods));
  });

  it("shows a rejection with the specification's sentence", async () => {
    await controls.misbehave({ reject: true });
    await expect(client.connect(ID)).rejects.toMatchObject({
      code: Code.userRejection,
      message: client.walletTexts.connectionRefused,
    });
  });

  it("reports a change of account and of network", async () => {
    await client.connect(ID);
    const events: string[] = [];
    const unsubscribes = (["accountChange", "networkChange", "disconnect"] as const).map((event) =>
      client.onWalletEvent(event, () => void events.push(event)),
    );
    await controls.ready();
    await controls.useAccount(1);
    expect((await client.refreshSession()).ordinals.address).toBe(wallet.account.ordinals.address);
    await client.changeNetwork("Signet");
    await controls.disconnect();
    unsubscribes.forEach((stop) => stop());
    await controls.useAccount(0);
    expect(events).toEqual(["accountChange", "networkChange", "disconnect"]);
  });
});

describe("with the stock client of @sats-connect/core", () => {
  /** The stock client's answer, which must be a success. */
  async function call(method: string, params: unknown): Promise<any> {
    const answer = (await stockRequest(method as never, params as never, ID)) as RpcResult<"getInfo">;
    if (answer.status === "error") throw new Error(answer.error.message);
    return answer.result;
  }

  it("connects, reads, signs and sends", async () => {
    fund();
    expect(getProviderById(ID)).toBe(provider);
    expect(await call("wallet_requestPermissions", undefined)).toBe(true);
    const accounts = await call("getAccounts", { purposes: PURPOSES, message: "Moon Fund" });
    expect(accounts.map(({ purpose, addressType }: any) => [purpose, addressType])).toEqual([
      ["payment", "p2wpkh"],
      ["ordinals", "p2tr"],
    ]);
    expect((await call("wallet_getAccount", null)).addresses).toEqual(accounts);
    expect((await call("wallet_connect", null)).network.bitcoin.name).toBe("Regtest");
    expect(await call("wallet_getCurrentPermissions", undefined)).toHaveLength(2);
    const [payment, ordinals] = accounts;
    const signed = await call("signMessage", { address: ordinals.address, message: "Moon" });
    expect(base64.decode(signed.signature)).toHaveLength(66); // one witness item of 64 bytes
    const { balances } = await call("runes_getBalance", null);
    expect(balances).toEqual([
      {
        runeName: LOBO.name,
        amount: "1000",
        divisibility: 8,
        symbol: LOBO.symbol,
        inscriptionId: null,
        spendableBalance: "1000",
      },
    ]);
    const runes = await call("runes_transfer", {
      recipients: [{ runeName: LOBO.name, amount: "1000", address: ordinals.address }],
    });
    const sats = await call("sendTransfer", { recipients: [{ address: payment.address, amount: 1_000 }] });
    expect(chain.sent.map(({ id }) => id)).toEqual([runes.txid, sats.txid]);
    expect(await call("wallet_renouncePermissions", undefined)).toBeNull();
  });

  it("returns a rejection as −32000", async () => {
    await controls.misbehave({ reject: true });
    const answer = await stockRequest("getAccounts", { purposes: PURPOSES } as never, ID);
    expect(answer).toEqual({ status: "error", error: { code: Code.userRejection, message: "User rejected request" } });
  });
});

describe("answers", () => {
  const errorOf = async (method: string, params?: unknown) => (await provider.request(method, params)).error?.code;

  it("have the right code for missing methods, missing permissions and invalid params", async () => {
    expect(await errorOf("stx_signMessage", {})).toBe(Code.methodNotFound);
    expect(await errorOf("toString")).toBe(Code.methodNotFound);
    for (const method of [
      "wallet_getAccount",
      "wallet_getNetwork",
      "getBalance",
      "runes_getBalance",
      "wallet_getWalletType",
    ]) {
      expect(await errorOf(method)).toBe(Code.accessDenied);
    }
    expect(await errorOf("wallet_requestPermissions", [])).toBe(Code.internalError);
    expect(await errorOf("getAccounts", {})).toBe(Code.invalidParams);
    expect(await errorOf("getAccounts", { purposes: ["moon"] })).toBe(Code.invalidParams);
    expect(await errorOf("wallet_connect", { message: "x".repeat(81) })).toBe(Code.invalidParams);
    expect(await errorOf("signMessage", { address: "bcrt1qother", message: "m" })).toBe(Code.invalidParams);
    const ordinals = wallet.account.ordinals.address;
    expect(await errorOf("signMessage", { address: ordinals, message: "m", protocol: "ECDSA" })).toBe(
      Code.methodNotSupported,
    );
    for (const amount of ["0", "1.5", "-1", 5, `${1n << 128n}`]) {
      const recipients = [{ runeName: LOBO.name, amount, address: ordinals }];
      expect(await errorOf("runes_transfer", { recipients })).toBe(Code.invalidParams);
    }
    expect(
      await errorOf("runes_transfer", { recipients: [{ runeName: "NOPE", amount: "1", address: ordinals }] }),
    ).toBe(Code.invalidParams);
    expect(await errorOf("sendTransfer", { recipients: [{ address: ordinals, amount: 1e5 }] })).toBe(
      Code.internalError,
    );
    expect(chain.sent).toEqual([]);
  });

  it("have no Stacks address, even if it is requested", async () => {
    const { result } = await provider.request("getAccounts", { purposes: ["stacks", "ordinals"] });
    expect((result as { purpose: string }[]).map(({ purpose }) => purpose)).toEqual(["ordinals"]);
  });
});

describe("misbehaviour", () => {
  const pay = () =>
    provider.request("sendTransfer", { recipients: [{ address: wallet.account.payment.address, amount: 2_000 }] });

  it("reports a rejection after it has sent", async () => {
    fund();
    await controls.misbehave({ rejectAfterBroadcast: true });
    expect((await pay()).error?.code).toBe(Code.userRejection);
    expect(chain.sent).toHaveLength(1);
  });

  it("changes a PSBT, or spends its coins elsewhere", async () => {
    fund();
    const { payment } = wallet.account;
    const [coin] = await chain.coins(payment.address);
    const tx = new Transaction({ version: 2 });
    const witnessUtxo = { script: payment.script, amount: BigInt(coin!.value) };
    tx.addInput({ txid: coin!.txid, index: coin!.vout, witnessUtxo });
    tx.addOutput({ script: payment.script, amount: witnessUtxo.amount - 500n });
    const sign = async () => {
      const params = { psbt: base64.encode(tx.toPSBT(0)), signInputs: { [payment.address]: [0] } };
      const { result } = await provider.request("signPsbt", params);
      return Transaction.fromPSBT(base64.decode((result as { psbt: string }).psbt));
    };
    expect((await sign()).getOutput(0).amount).toBe(witnessUtxo.amount - 500n);
    await controls.misbehave({ changesPsbt: true });
    expect((await sign()).getOutput(0).amount).toBe(witnessUtxo.amount - 1_500n);
    expect(chain.sent).toEqual([]);
    await controls.misbehave({ changesPsbt: false, spendsElsewhere: true });
    await sign();
    expect(chain.sent[0]!.getInput(0).txid).toEqual(tx.getInput(0).txid);
    expect(chain.sent[0]!.getOutput(0).script).toEqual(payment.script);
  });

  it("is on the wrong network, and returns", async () => {
    await controls.misbehave({ wrongNetwork: true });
    const { result } = await provider.request("getAccounts", { purposes: PURPOSES });
    expect((result as { address: string }[])[0]!.address).toMatch(/^tb1q/);
    expect((await provider.request("wallet_getNetwork")).result).toMatchObject({ bitcoin: { name: "Testnet" } });
    expect((await pay()).error?.message).toContain("the wallet is on Testnet");
    await controls.misbehave({ wrongNetwork: false });
    expect((await controls.status()).network).toBe("Regtest");
  });

  it("throws, returns false data, and changes the account between calls", async () => {
    fund();
    await controls.misbehave({ throws: true });
    await expect(client.getNetwork({ provider: ID })).rejects.toMatchObject({
      code: Code.internalError,
      message: "The wallet broke.",
    });
    await controls.misbehave({ throws: false, lies: true });
    await expect(client.connect(ID)).rejects.toMatchObject({ message: client.walletTexts.invalidAddress });
    await expect(
      client.sendTransfer([{ address: wallet.account.payment.address, amount: 2_000 }], { provider: ID }),
    ).rejects.toMatchObject({
      message: client.walletTexts.unknownResponse,
    });
    await controls.misbehave({ lies: false, switches: true });
    const session = await client.connect(ID);
    expect(wallet.settings.account).toBe(1);
    // The page keeps the answer, and learns of the change at its next request.
    expect((await client.refreshSession()).ordinals.address).toBe(wallet.account.ordinals.address);
    expect(session.payment.address).toBeTruthy();
    expect((await controls.status()).misbehaviour.switches).toBe(false);
  });

  it("responds late, malformed, or never", async () => {
    await controls.misbehave({ garbled: true });
    await expect(client.request("getInfo", null, { provider: ID })).rejects.toMatchObject({
      message: client.walletTexts.unknownResponse,
    });
    await controls.misbehave({ garbled: false, silent: true });
    const silent = client.request("getInfo", null, { provider: ID, timeout: 5 });
    await expect(silent).rejects.toMatchObject({ message: client.walletTexts.noAnswer("getInfo") });
    vi.useFakeTimers();
    await controls.misbehave({ silent: false, late: 5_000 });
    let answered = false;
    const response = provider.request("getInfo").then(() => (answered = true));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await response;
    vi.useRealTimers();
  });
});

describe("questions", () => {
  beforeEach(() => controls.autoConfirm(false));

  it("are shown one at a time, and answers are applied", async () => {
    const { ordinals } = wallet.account;
    const first = provider.request("signMessage", { address: ordinals.address, message: "one" });
    const second = provider.request("signMessage", { address: ordinals.address, message: "two" });
    await vi.waitFor(() => expect(controls.question()).toMatchObject({ title: "Sign this message?", text: "one" }));
    controls.answer(true);
    expect((await first).result).toBeDefined();
    expect(controls.question()?.text).toBe("two");
    controls.answer(false);
    expect((await second).error?.code).toBe(Code.userRejection);
    expect(controls.question()).toBeNull();
    expect(() => controls.answer(true)).toThrow("No question is open.");
  });

  it("show what is sent and what it costs", async () => {
    fund();
    const { ordinals } = wallet.account;
    const recipients = [{ runeName: LOBO.name, amount: "150", address: ordinals.address }];
    const sending = provider.request("runes_transfer", { recipients });
    await vi.waitFor(() => expect(controls.question()).not.toBeNull());
    const facts = Object.fromEntries(controls.question()!.facts);
    expect(facts).toMatchObject({ Send: `0.0000015 🐺 (${LOBO.name})`, To: ordinals.address });
    expect(facts["Network fee"]).toMatch(/^[0-9,]+ sats$/);
    controls.answer(false);
    expect((await sending).error?.code).toBe(Code.userRejection);
    expect(chain.sent).toEqual([]);
  });

  it("for the permission to read are asked once", async () => {
    const pending = provider.request("wallet_requestPermissions", null);
    await vi.waitFor(() => expect(controls.question()?.title).toBe("Let this site see your account?"));
    controls.answer(true);
    expect((await pending).result).toBe(true);
    expect((await provider.request("getAccounts", { purposes: PURPOSES })).result).toHaveLength(2);
  });
});

describe("settings", () => {
  const minting = {
    runeName: "LOBO•MOON•DOGS",
    repeats: 1,
    destinationAddress: "bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6",
    refundAddress: "bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080",
    feeRate: 2,
    network: "Regtest",
  } as const;

  it("add runes_mint as the wallet's own method", async () => {
    fund();
    expect(await client.supports(ID, "runes_mint")).toBe(false);
    await expect(client.mintRunes(minting, { provider: ID })).rejects.toMatchObject({
      message: "Ordinals API does not support Regtest network",
    });
    await controls.haveOrders(true);
    const called: [string, object][] = [];
    chain.orders = async (path: string, body: object) => {
      called.push([path, body]);
      return { orderId: "o-1", fundAddress: minting.refundAddress, fundAmount: 5_000 };
    };
    page["MoonDevWallet"] = { BitcoinProvider: { ...provider }, control: controls }; // a reloaded page asks again
    const funded = await client.mintRunes(minting, { provider: ID });
    expect(funded).toEqual({
      orderId: "o-1",
      fundTransactionId: chain.sent[0]!.id,
      fundingAddress: minting.refundAddress,
    });
    const { network: _network, ...fields } = minting;
    expect(called).toEqual([
      ["runes/mint/orders", fields],
      ["runes/mint/orders/o-1/execute", { fundTransactionId: chain.sent[0]!.id }],
    ]);
  });

  it("give one address for both purposes, also after a restore", async () => {
    const count = () => new Set(wallet.addresses().map(({ address }) => address)).size;
    await controls.usePaymentType("p2tr");
    expect(count()).toBe(1);
    await controls.restore();
    expect(count()).toBe(1);
    await controls.usePaymentType("p2wpkh");
    expect(count()).toBe(2);
  });
});

describe("the seed", () => {
  it("is stored, and gives the same addresses again", async () => {
    const store = memoryStore();
    const approve = async () => true;
    const opened = await DevWallet.open(store, chain, approve);
    const again = await DevWallet.open(store, chain, approve);
    expect(again.addresses()).toEqual(opened.addresses());
    await again.restore(TEST_SETTINGS.mnemonic);
    expect(again.addresses()).toEqual(wallet.addresses());
    await again.usePaymentType("p2sh-p2wpkh");
    expect(again.addresses()[0]).toMatchObject({ addressType: "p2sh", address: expect.stringMatching(/^2/) });
  });
});

describe("in several tabs of an origin", () => {
  it("has one permission, one account and one network, and tells each tab of changes", async () => {
    const store = memoryStore({ ...TEST_SETTINGS, autoConfirm: true });
    const [first, second] = [await DevWallet.open(store, chain, deny), await DevWallet.open(store, chain, deny)];
    const events: string[] = [];
    for (const name of ["accountChange", "networkChange", "disconnect"])
      second.listen(name, ({ type }) => void events.push(type));
    await first.grant();
    expect(second.settings.connected).toBe(true);
    await first.useAccount(1);
    expect(second.addresses()).toEqual(first.addresses());
    await first.useNetwork("Signet");
    await first.setAutoConfirm(false);
    await first.revoke();
    expect(second.settings.connected).toBe(false);
    expect(events).toEqual(["accountChange", "networkChange", "disconnect"]);
  });
});

const deny = async () => false;
