import { base64, base64urlnopad, hex } from "@scure/base";
import { describe, expect, it, vi } from "vitest";
import { RpcCode } from "../errors.ts";
import * as client from "../index.ts";
import { fault, PSBT, PSBT_TXID, TXID, unknownResponse } from "../testing/provider.ts";
import { installRecorded, throws, type Kind } from "../testing/recorded.ts";
import { walletTexts } from "../texts.ts";

const SEGWIT = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const TAPROOT = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";
const X_ONLY = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const KEY = `02${X_ONLY}`;
const both = { payment: { address: SEGWIT, publicKey: KEY }, ordinals: { address: TAPROOT, publicKey: X_ONLY } };
const one = { payment: { address: TAPROOT, publicKey: X_ONLY }, ordinals: { address: TAPROOT, publicKey: X_ONLY } };

let calls: unknown[][];
let emit: (event: string, data: unknown) => void;

/** Puts a kind on the page with its recorded answers, some of them changed. */
function install(kind: Kind, changes: Record<string, unknown> = {}): void {
  ({ calls, emit } = installRecorded(kind, changes));
}

/** Assertions for every wallet that cannot send runes. */
async function hasNoRunes(id: string): Promise<void> {
  expect(await client.supports(id, "runes_transfer")).toBe(false);
  const transfer = client.transferRunes(
    { runeName: "LOBO", runeId: "1:1", amount: 1n, recipient: TAPROOT },
    { provider: id },
  );
  await expect(transfer).rejects.toEqual(
    fault(RpcCode.methodNotSupported, `Error while rune transfer: ${walletTexts.notSupported}`),
  );
}

describe("Leather", () => {
  const ID = "LeatherProvider";
  const answer = (result: unknown) => ({ jsonrpc: "2.0", id: "1", result });

  it("connects with its segwit and its taproot address", async () => {
    install("leather");
    expect(await client.connect(ID, { network: "Mainnet" })).toEqual(both);
  });

  it("pays, signs messages and signs PSBTs by its own API", async () => {
    install("leather");
    await client.connect(ID);
    calls.length = 0;
    expect(await client.sendTransfer([{ address: SEGWIT, amount: 5 }, { address: TAPROOT, amount: 6 }])).toBe(TXID);
    expect(await client.signMessage(TAPROOT, "m")).toEqual({
      signature: "c2ln",
      messageHash: "",
      address: TAPROOT,
      protocol: "BIP322",
    });
    expect(await client.signPsbt({ psbt: PSBT, signInputs: { [TAPROOT]: [0, 2] }, broadcast: true })).toEqual({
      psbt: PSBT,
      txid: PSBT_TXID,
    });
    expect(calls).toEqual([
      [
        "sendTransfer",
        {
          recipients: [
            { address: SEGWIT, amount: "5" },
            { address: TAPROOT, amount: "6" },
          ],
          network: "mainnet",
        },
      ],
      ["signMessage", { message: "m", paymentType: "p2tr", network: "mainnet" }],
      [
        "signPsbt",
        {
          hex: hex.encode(base64.decode(PSBT)),
          broadcast: true,
          finalize: true,
          signAtIndex: [0, 2],
          network: "mainnet",
        },
      ],
    ]);
  });

  it("converts thrown errors: a rejection is −32000", async () => {
    install("leather", { sendTransfer: throws({ jsonrpc: "2.0", id: "1", error: { code: 4001, message: "no" } }) });
    const paid = client.sendTransfer([{ address: SEGWIT, amount: 5 }], { provider: ID });
    await expect(paid).rejects.toEqual(
      fault(RpcCode.userRejection, "User cancelled action. Please complete acyion for payment."),
    );
  });

  it("supports Stacks methods, and has no runes and no events", async () => {
    install("leather");
    await client.connect(ID);
    expect(await client.request("stx_signMessage", { message: "m" })).toEqual({ signature: "00", publicKey: "02" });
    expect((await client.walletInfo(ID)).version).toBe("6.80.0");
    await hasNoRunes(ID);
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    client.onWalletEvent("accountChange", () => {});
    await vi.waitFor(() => expect(log).toHaveBeenCalledWith(walletTexts.noListener));
  });

  it.each([{}, { addresses: "none" }, null, { addresses: [{ symbol: "BTC", type: "p2tr", address: "nonsense" }] }])(
    "%j are no addresses",
    async (addresses) => {
      install("leather", { getAddresses: answer(addresses) });
      await expect(client.connect(ID)).rejects.toMatchObject({ name: "WalletError" });
      expect(client.readSession()).toBeNull();
    },
  );
});

describe("OKX", () => {
  const ID = "okxwallet.bitcoin";

  it("connects with one address for both purposes, pays, signs and disconnects", async () => {
    install("okx");
    expect(await client.connect(ID, { network: "Mainnet" })).toEqual(one);
    expect(await client.btcBalance()).toEqual({ confirmed: 7n, total: 8n });
    expect(await client.sendTransfer([{ address: SEGWIT, amount: 5 }])).toBe(TXID);
    expect((await client.signMessage(TAPROOT, "m")).protocol).toBe("BIP322");
    expect(await client.signPsbt({ psbt: PSBT, signInputs: { [TAPROOT]: [0] }, broadcast: true })).toEqual({
      psbt: PSBT,
      txid: PSBT_TXID,
    });
    expect(calls.filter(([name]) => name !== "getAccounts").slice(1)).toEqual([
      ["getBalance"],
      ["sendBitcoin", SEGWIT, 5],
      ["signMessage", "m", "bip322-simple"],
      [
        "signPsbt",
        hex.encode(base64.decode(PSBT)),
        { autoFinalized: true, toSignInputs: [{ index: 0, address: TAPROOT }] },
      ],
      ["pushPsbt", hex.encode(base64.decode(PSBT))],
    ]);
    await client.disconnect();
    expect(calls.at(-1)).toEqual(["disconnect"]);
  });

  it("has no runes, one recipient, no Stacks, and only the main network", async () => {
    install("okx");
    await hasNoRunes(ID);
    const two = [{ address: SEGWIT, amount: 5 }, { address: SEGWIT, amount: 5 }];
    await expect(client.sendTransfer(two, { provider: ID })).rejects.toEqual(
      fault(RpcCode.internalError, walletTexts.oneRecipient),
    );
    await expect(client.request("getAccounts", { purposes: ["stacks"] }, { provider: ID })).rejects.toEqual(
      fault(RpcCode.internalError, walletTexts.onlyBitcoin),
    );
    await expect(client.connect(ID, { network: "Regtest" })).rejects.toEqual(
      fault(RpcCode.invalidParams, walletTexts.wrongNetwork("Regtest")),
    );
  });

  it("signs nothing with another account; a rejection is −32000, any other error −32603", async () => {
    install("okx", { getAccounts: [SEGWIT] });
    await expect(client.signMessage(TAPROOT, "m", { provider: ID })).rejects.toEqual(
      fault(RpcCode.accessDenied, walletTexts.otherAccount(TAPROOT)),
    );
    install("okx", { sendBitcoin: throws({ code: 4001, message: "no" }) });
    await expect(
      client.request("sendTransfer", { recipients: [{ address: SEGWIT, amount: 5 }] }, { provider: ID }),
    ).rejects.toEqual(fault(RpcCode.userRejection, "no"));
    install("okx", { sendBitcoin: throws({ code: -32000, message: "no coins" }) });
    await expect(
      client.request("sendTransfer", { recipients: [{ address: SEGWIT, amount: 5 }] }, { provider: ID }),
    ).rejects.toEqual(fault(RpcCode.internalError, "no coins"));
  });

  it("reports another account, and an empty list as a disconnect", async () => {
    install("okx");
    await client.connect(ID);
    const listener = vi.fn();
    const stop = client.onWalletEvent("accountChange", listener);
    await client.walletInfo(ID);
    emit("accountsChanged", [SEGWIT]);
    emit("accountsChanged", []);
    expect(listener).toHaveBeenCalledOnce();
    stop();
    emit("accountsChanged", [SEGWIT]);
    expect(listener).toHaveBeenCalledOnce();
  });
});

describe("Magic Eden", () => {
  const ID = "magicEden.bitcoin";
  /** The payload of the last call's token. */
  const lastPayload = (): unknown => {
    const [header, payload, signature] = (calls.at(-1)![1] as string).split(".");
    expect([JSON.parse(new TextDecoder().decode(base64urlnopad.decode(header!))), signature]).toEqual([
      { typ: "JWT", alg: "none" },
      "",
    ]);
    return JSON.parse(new TextDecoder().decode(base64urlnopad.decode(payload!)));
  };

  const bare = [
    { address: SEGWIT, publicKey: KEY, purpose: "payment" },
    { address: TAPROOT, publicKey: X_ONLY, purpose: "ordinals" },
  ];

  it.each([{}, { connect: bare }])("connects with a wrapped or a bare list", async (changes) => {
    install("magicEden", changes);
    expect(await client.connect(ID)).toEqual(both);
    expect(lastPayload()).toMatchObject({ purposes: ["payment", "ordinals"], network: { type: "Mainnet" } });
  });

  it("pays, signs and signs PSBTs by unsecured tokens", async () => {
    install("magicEden");
    await client.connect(ID);
    expect(await client.sendTransfer([{ address: TAPROOT, amount: 5 }])).toBe(TXID);
    expect(lastPayload()).toMatchObject({ recipients: [{ address: TAPROOT, amountSats: "5" }], senderAddress: SEGWIT });
    expect((await client.signMessage(TAPROOT, "mön")).signature).toBe("c2ln");
    expect(lastPayload()).toMatchObject({ address: TAPROOT, message: "mön", protocol: "BIP322" });
    expect(await client.signPsbt({ psbt: PSBT, signInputs: { [TAPROOT]: [0] }, broadcast: true })).toEqual({
      psbt: PSBT,
      txid: PSBT_TXID,
    });
    expect(lastPayload()).toMatchObject({
      psbtBase64: PSBT,
      broadcast: true,
      inputsToSign: [{ address: TAPROOT, signingIndexes: [0] }],
    });
  });

  it("has no runes, and does not pay from an unknown address", async () => {
    install("magicEden");
    await hasNoRunes(ID);
    await expect(client.sendTransfer([{ address: TAPROOT, amount: 5 }], { provider: ID })).rejects.toEqual(
      fault(RpcCode.accessDenied, "No wallet addresses"),
    );
  });

  it.each([undefined, null, {}, "text", [{ address: SEGWIT }]])("%j is not a list of addresses", async (answer) => {
    install("magicEden", { connect: answer });
    await expect(client.connect(ID)).rejects.toMatchObject({ name: "WalletError" });
  });
});

describe("Phantom", () => {
  const ID = "phantom.bitcoin";

  it("connects and signs; bytes become base64", async () => {
    install("phantom");
    expect(await client.connect(ID)).toEqual(both);
    expect(await client.signMessage(TAPROOT, "m")).toEqual({
      signature: "AQID",
      messageHash: "",
      address: TAPROOT,
      protocol: "BIP322",
    });
    expect(calls.at(-1)).toEqual(["signMessage", TAPROOT, new TextEncoder().encode("m")]);
  });

  it.each([base64.decode(PSBT), PSBT, hex.encode(base64.decode(PSBT))])(
    "returns a signed PSBT from bytes, base64 or hex",
    async (answer) => {
      install("phantom", { signPSBT: answer });
      expect(await client.signPsbt({ psbt: PSBT, signInputs: { [TAPROOT]: [0] } }, { provider: ID })).toEqual({
        psbt: PSBT,
      });
      expect(calls.at(-1)).toEqual([
        "signPSBT",
        base64.decode(PSBT),
        { inputsToSign: [{ address: TAPROOT, signingIndexes: [0] }] },
      ]);
    },
  );

  it("throws for sats, runes and broadcast, which it does not support", async () => {
    install("phantom");
    await hasNoRunes(ID);
    expect(await client.supports(ID, "sendTransfer")).toBe(false);
    const refused = fault(RpcCode.methodNotSupported, walletTexts.notSupported);
    await expect(client.sendTransfer([{ address: SEGWIT, amount: 5 }], { provider: ID })).rejects.toEqual(refused);
    await expect(client.signPsbt({ psbt: PSBT, signInputs: {}, broadcast: true }, { provider: ID })).rejects.toEqual(
      refused,
    );
  });

  it("refuses a malformed PSBT as an unknown response", async () => {
    install("phantom", { signPSBT: null });
    await expect(client.signPsbt({ psbt: PSBT, signInputs: {} }, { provider: ID })).rejects.toEqual(unknownResponse);
  });
});
