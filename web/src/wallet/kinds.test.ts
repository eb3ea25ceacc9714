import { base64, base64urlnopad, hex } from "@scure/base";
import { beforeEach, describe, expect, it, vi } from "vitest";
import * as client from "./index.ts";
import type { Method, Session } from "./index.ts";
import { PSBT } from "./testing/provider.ts";
import { entriesOf, installRecorded, kinds, pathOf, successesOf, throws } from "./testing/recorded.ts";
import type { Kind, Recorded } from "./testing/recorded.ts";
import { variantsOf } from "./testing/variants.ts";

// The library with each kind of wallet, which gives its recorded answers (testing/answers).

const REGTEST = {
  payment: {
    address: "bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk",
    publicKey: "02e7ab2537b5d49e970309aae06e9e49f36ce1c9febbd44ec8e0d1cca0b4f9c319",
  },
  ordinals: {
    address: "bcrt1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqjeprhg",
    publicKey: "55355ca83c973f1d97ce0e3843c85d78905af16b4dc531bc488e57212d230116",
  },
};
const UNISAT = {
  address: "bcrt1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqvg32hk",
  publicKey: "cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115",
};
const X_ONLY = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const SEGWIT = { address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", publicKey: `02${X_ONLY}` };
const TAPROOT = {
  address: "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
  publicKey: X_ONLY,
};
const documented = { payment: SEGWIT, ordinals: TAPROOT };

const same = (account: typeof SEGWIT): Session => ({ payment: account, ordinals: account });

/**
 * The session with each kind, the method that it connects by, its name of signPsbt, and whether it reports a disconnect
 * by an empty list of accounts.
 */
const facts: Record<Kind, { session: Session; connects: string; signs: string; disconnects?: true }> = {
  xverse: { session: REGTEST, connects: "wallet_connect", signs: "signPsbt" },
  unisat: { session: same(UNISAT), connects: "requestAccounts", signs: "signPsbt", disconnects: true },
  leather: { session: documented, connects: "getAddresses", signs: "signPsbt" },
  okx: { session: same(TAPROOT), connects: "connect", signs: "signPsbt", disconnects: true },
  magicEden: { session: documented, connects: "connect", signs: "signTransaction", disconnects: true },
  phantom: { session: documented, connects: "requestAccounts", signs: "signPSBT", disconnects: true },
};

/**
 * yes: the library returns a checked result. no: it throws that the wallet has no such method. -: not recorded, or the
 * recorded wallet failed.
 */
const OUTCOMES = `
                              xverse unisat leather okx magicEden phantom
  getInfo                     yes    yes    yes     yes yes       yes
  wallet_connect              yes    yes    yes     yes yes       yes
  wallet_requestPermissions   yes    yes    yes     yes no        yes
  wallet_renouncePermissions  yes    yes    no      yes no        no
  wallet_disconnect           yes    yes    no      yes no        no
  wallet_getWalletType        yes    no     no      no  no        no
  wallet_getCurrentPermissions yes   yes    no      no  no        no
  wallet_getNetwork           yes    yes    no      yes yes       yes
  wallet_changeNetwork        no     yes    no      no  no        no
  wallet_getAccount           yes    yes    no      yes no        no
  getAccounts                 yes    yes    yes     yes yes       yes
  getAddresses                yes    yes    yes     yes yes       yes
  getBalance                  yes    yes    no      yes no        no
  signMessage                 yes    yes    yes     yes yes       yes
  signPsbt                    yes    yes    yes     yes yes       yes
  sendTransfer                yes    yes    yes     yes yes       no
  runes_getBalance            yes    no     no      no  no        no
  runes_transfer              yes    yes    no      no  no        no
  ord_getInscriptions         -      yes    no      no  no        no
  ord_sendInscriptions        -      no     no      no  no        no
  stx_getAccounts             -      no     no      no  no        no
  stx_signTransactions        -      no     no      no  no        no
  stx_signMessage             -      no     yes     no  no        no`;

const [names = [], ...rows] = OUTCOMES.trim()
  .split("\n")
  .map((line) => line.trim().split(/\s+/));
const cases = rows.flatMap(([method, ...outcomes]) =>
  outcomes.flatMap((outcome, i) => (outcome === "-" ? [] : [[names[i] as Kind, method as Method, outcome] as const])),
);

/** Params of a method: the recorded call's, or valid ones. */
function paramsOf(kind: Kind, method: Method): unknown {
  const { session } = facts[kind];
  const { address } = session.ordinals;
  const recorded = successesOf(kind).get(method)?.params;
  if (kind === "xverse" && recorded) return recorded;
  const psbt =
    kind === "unisat" && method === "signPsbt" ? base64.encode(hex.decode((recorded as [string])[0])) : PSBT;
  const valid: { [M in Method]?: unknown } = {
    wallet_changeNetwork: { name: "Testnet4" },
    getAccounts: { purposes: ["payment", "ordinals"] },
    getAddresses: { purposes: ["payment", "ordinals"] },
    signMessage: { address, message: "m" },
    signPsbt: { psbt, signInputs: { [address]: [0] }, broadcast: false },
    sendTransfer: { recipients: [{ address, amount: 1_000 }] },
    runes_transfer: { recipients: [{ runeName: "LOBO•THE•WOLF•PUP", runeId: "116:2", amount: "5", address }] },
    ord_getInscriptions: { offset: 0, limit: 10 },
    ord_sendInscriptions: { transfers: [{ address, inscriptionId: `${"ab".repeat(32)}i0` }] },
    stx_signTransactions: { transactions: ["00"] },
    stx_signMessage: { message: "m" },
  };
  return valid[method] ?? null;
}

const call = (kind: Kind, method: Method) =>
  client.request(method as "getInfo", paramsOf(kind, method) as null, { provider: pathOf(kind) });

describe("each method of the library with each kind", () => {
  it("names every kind", () => expect(names).toEqual(kinds));

  it.each(cases)("%s: %s: %s", async (kind, method, outcome) => {
    installRecorded(kind);
    await client.connect(pathOf(kind));
    const result = await call(kind, method).then(
      () => "yes",
      (error: unknown) => (error instanceof client.WalletError && error.unsupported ? "no" : `${error}`),
    );
    expect(result).toBe(outcome);
  });
});

describe.each(kinds)("%s", (kind) => {
  const { session, connects, signs } = facts[kind];
  const connect = () => client.connect(pathOf(kind));
  beforeEach(() => void localStorage.clear());

  it("connects to the addresses that the wallet has, asking once", async () => {
    const { calls } = installRecorded(kind);
    expect(await connect()).toEqual(session);
    expect(calls.filter(([method]) => method === connects)).toHaveLength(1);
  });

  it("maps each recorded rejection to −32000, and stores nothing of a rejected connection", async () => {
    const code = client.RpcCode.userRejection;
    const isRejection = ({ answer, thrown }: Recorded) =>
      /"code":(4001|-32000)\b/.test(JSON.stringify(answer ?? thrown));
    const rejectionsOf = (method: string) =>
      entriesOf(kind).filter((entry) => entry.method === method && isRejection(entry));
    const install = ({ method, answer, thrown }: Recorded) =>
      installRecorded(kind, { [method]: thrown === undefined ? answer : throws(thrown) });
    install(rejectionsOf(connects)[0]!);
    await expect(connect()).rejects.toMatchObject({ code, message: client.walletTexts.connectionRefused });
    expect([client.readSession(), client.defaultProvider()]).toEqual([null, null]);
    for (const [own, method] of [["signMessage", "signMessage"], [signs, "signPsbt"]] as const) {
      for (const rejection of rejectionsOf(own)) {
        install(rejection);
        await expect(call(kind, method)).rejects.toMatchObject({ code });
      }
    }
  });

  it("asks the wallet neither to finalize nor to send a PSBT", async () => {
    const { calls } = installRecorded(kind);
    await connect();
    await call(kind, "signPsbt");
    const [, ...args] = calls.find(([method]) => method === signs)!;
    const sent = JSON.stringify(kind === "magicEden" ? payloadOf(args[0] as string) : args);
    expect(sent).not.toMatch(/"(broadcast|finalize|autoFinalized)":true/);
    expect(calls.map(([method]) => method)).not.toContain("pushPsbt");
  });

  it("connects to these addresses or not at all if any part of the response is changed", async () => {
    for (const [change, changed] of variantsOf(successesOf(kind).get(connects)!.answer)) {
      installRecorded(kind, { [connects]: changed });
      const actual = await connect().catch((error: unknown) => error);
      if (actual instanceof client.WalletError) continue;
      expect(actual, change).toMatchObject({
        payment: { address: session.payment.address },
        ordinals: { address: session.ordinals.address },
      });
      localStorage.clear();
    }
  });

  it("does not connect with a wallet that throws", async () => {
    installRecorded(kind, { [connects]: throws(new Error("The wallet broke.")) });
    await expect(connect()).rejects.toBeInstanceOf(client.WalletError);
    expect(client.readSession()).toBeNull();
  });
});

const emptying = (Object.keys(facts) as Kind[]).filter((kind) => facts[kind].disconnects);
it.each(emptying)("%s reports a disconnect", async (kind) => {
  const { emit } = installRecorded(kind);
  await client.connect(pathOf(kind));
  const listener = vi.fn();
  const stop = client.onWalletEvent("disconnect", listener);
  await client.walletInfo(pathOf(kind)); // by then the listener is registered
  emit("accountsChanged", []);
  stop();
  emit("accountsChanged", []);
  expect(listener).toHaveBeenCalledOnce();
});

/** The payload of a token without a signature. */
const payloadOf = (token: string): unknown =>
  JSON.parse(new TextDecoder().decode(base64urlnopad.decode(token.split(".")[1]!)));
