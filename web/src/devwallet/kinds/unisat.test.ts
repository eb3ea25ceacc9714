import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import captured from "../../wallet/testing/answers/unisat-1.7.13.json";
import { memoryStore, MemoryChain, TEST_SETTINGS } from "../testing/chain";
import { DevWallet } from "../wallet";
import { unisatModel } from "./unisat";

interface Entry {
  method: string;
  params: unknown[];
  answer?: unknown;
  thrown?: unknown;
  popups: number;
  note: string;
}

/** The captured wallet's account has coin type 0 on every network, ours 1: its address and key stand for ours. */
const ADDRESS = "bcrt1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqvg32hk";
const PUBLIC_KEY = "03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115";
const PUP = { prefix: "dummy", id: "116:2", name: "LOBO•THE•WOLF•PUP", symbol: "🐺", divisibility: 8 };

let chain: MemoryChain;
let wallet: DevWallet;
let unisat: Record<string, (...params: any[]) => Promise<unknown>>;
let prompts = 0;
let approve = true;
let blocked: Promise<void> | undefined;

async function open(): Promise<void> {
  chain = new MemoryChain();
  chain.runes = async () => [PUP];
  const settings = { ...TEST_SETTINGS, kind: "unisat" as const, paymentType: "p2tr" as const };
  const opening = DevWallet.open(memoryStore(settings), chain, async () => (prompts++, await blocked, approve));
  wallet = await opening;
  unisat = unisatModel(opening) as never;
  prompts = 0;
  approve = true;
  blocked = undefined;
}

const called = async (method: string, ...params: unknown[]) => {
  try {
    return { answer: await unisat[method]!(...params) };
  } catch (thrown) {
    return { thrown };
  }
};

/** Utxos have no call here; PSBTs and signatures are of another key; the rest of a pending popup has its own test. */
const entries = (captured.entries as Entry[]).filter(
  ({ method, note, answer }) =>
    method !== "getBitcoinUtxos" &&
    !/while the popup|while a popup/.test(note) &&
    !(method === "signPsbt" && answer !== undefined),
);

describe("the captured Unisat 1.7.13, replayed in order", () => {
  beforeAll(async () => {
    await open();
    chain.addOutput(wallet.account.ordinals.address, 997_359);
    chain.addOutput(wallet.account.ordinals.address, 546, [{ id: PUP.id, amount: 500_000_000_000n }]);
  });

  /** What differs by keys and coins: signatures, ids, balances with the 546 sats of the rune's output. */
  const comparable = (outcome: { answer?: unknown; thrown?: unknown }, method: string) => {
    if (["signMessage", "sendBitcoin", "sendRunes"].includes(method) && typeof outcome.answer === "string")
      return outcome.answer.length;
    const texts = JSON.stringify(outcome)
      .replaceAll(wallet.account.ordinals.address, ADDRESS)
      .replaceAll(publicKey(), PUBLIC_KEY);
    return JSON.parse(texts, (key, value) =>
      key === "code" && (value === -1 || value === undefined) ? undefined : value,
    );
  };
  const publicKey = () => `02${wallet.account.ordinals.publicKeyHex}`;

  it.each(entries.map((entry, i) => [`${i} ${entry.method}: ${entry.note}`, entry] as const))(
    "%s",
    async (_, entry) => {
      approve = !/says no|closes/.test(entry.note);
      prompts = 0;
      const adapted = (param: unknown) =>
        JSON.parse(JSON.stringify(param).replaceAll(ADDRESS, wallet.account.ordinals.address));
      let outcome = await called(entry.method, ...entry.params.map(adapted));
      // undefined, which JSON has no word for
      if (entry.method === "disconnect") outcome = { answer: outcome.answer ?? null };
      const { answer, thrown } = entry;
      expect(comparable(outcome, entry.method)).toEqual(
        comparable(thrown === undefined ? { answer } : { thrown }, entry.method),
      );
      expect(prompts).toBe(entry.popups);
    },
  );
});

describe("Unisat's popups", () => {
  beforeEach(open);

  it("come one at a time; calls that only read are answered meanwhile", async () => {
    await wallet.grant();
    let go = (): void => {};
    blocked = new Promise((done) => (go = done));
    const first = called("signMessage", "one", "bip322-simple");
    const pending = { code: -32603, message: "Another approval request is already pending" };
    await expect.poll(() => prompts).toBe(1);
    expect(await called("signMessage", "two", "bip322-simple")).toMatchObject({ thrown: pending });
    expect(await called("getAccounts")).toEqual({ answer: [wallet.account.ordinals.address] });
    expect(await called("getPublicKey")).toMatchObject({ answer: expect.stringMatching(/^0[23]/) });
    go();
    expect(await first).toMatchObject({ answer: expect.any(String) });
    expect(await called("signMessage", "two", "bip322-simple")).toMatchObject({ answer: expect.any(String) });
  });

  it("of a locked wallet ask for the password first, and until then it returns no account", async () => {
    await wallet.grant();
    wallet.misbehave({ locked: true });
    expect(await called("getAccounts")).toEqual({ answer: [] });
    expect(prompts).toBe(0);
    expect(await called("getBalance")).toEqual({ answer: { confirmed: 0, unconfirmed: 0, total: 0 } });
    expect(prompts).toBe(1);
    expect(await called("getAccounts")).toEqual({ answer: [wallet.account.ordinals.address] });
  });

  it("reject with a plain object, not an Error", async () => {
    approve = false;
    const { thrown } = await called("requestAccounts");
    expect(thrown).not.toBeInstanceOf(Error);
    expect(thrown).toEqual({ code: 4001, message: "User rejected the request." });
  });
});

describe("Unisat's events", () => {
  beforeEach(open);

  it("are the captured ones: two for a change of chain, an empty list for a disconnect", async () => {
    const received: unknown[] = [];
    for (const event of ["accountsChanged", "networkChanged", "chainChanged"])
      unisat["on"]!(event, (data: unknown) => received.push([event, data]));
    for (const { after, events } of captured.events.heard) {
      received.length = 0;
      const [, chainName] = /switchChain to (\w+)/.exec(after) ?? [];
      await (chainName
        ? called("switchChain", chainName)
        : called(after === "disconnect()" ? "disconnect" : "requestAccounts"));
      expect(received, after).toEqual(events);
    }
  });
});
