// @vitest-environment node
import { hex } from "@scure/base";
import { beforeEach, describe, expect, it } from "vitest";
import { deriveAccount, paymentTypes, rootKey, type Account, type PaymentType } from "./keys";
import { parseRuneId, runestoneScript } from "./runestone";
import { draftPayment, draftRunes, POSTAGE, scriptOf, signDraft, type Draft, type OwnCoin } from "./spend";
import { LOBO, MemoryChain, TEST_SETTINGS } from "./testing/chain";

const root = rootKey(TEST_SETTINGS.mnemonic);
const other = deriveAccount(root, 1, "p2wpkh", "Regtest");
const RATE = 3;

let chain: MemoryChain;
beforeEach(() => {
  chain = new MemoryChain();
});

const accountOf = (type: PaymentType) => deriveAccount(root, 0, type, "Regtest");

async function coinsOf({ payment, ordinals }: Account): Promise<OwnCoin[]> {
  const found = await Promise.all(
    [payment, ordinals].map(async (owner) => (await chain.coins(owner.address)).map((coin) => ({ ...coin, owner }))),
  );
  return found.flat();
}

const total = (items: { value: number }[]) => items.reduce((sum, { value }) => sum + value, 0);

/** Signs, and checks what holds for every draft. */
async function settle(draft: Draft) {
  const tx = await signDraft(draft, chain.transaction);
  expect(total(draft.inputs)).toBe(total(draft.outputs) + draft.fee);
  expect(draft.fee).toBeGreaterThanOrEqual(tx.vsize * RATE);
  expect(draft.fee).toBeLessThan(tx.vsize * RATE + 1000);
  expect(draft.inputs.filter(({ owner, runes }) => owner.purpose === "ordinals" && runes.length === 0)).toEqual([]);
  return tx;
}

describe.each(paymentTypes)("payments from %s", (type) => {
  const account = accountOf(type);

  it("pay all recipients and return the change", async () => {
    chain.addOutput(account.payment.address, 50_000);
    chain.addOutput(account.payment.address, 40_000);
    const outputs = [other.payment, other.ordinals].map(({ script }) => ({ script, value: 30_000 }));
    const draft = draftPayment(outputs, account, await coinsOf(account), RATE);
    const tx = await settle(draft);
    expect(draft.outputs.slice(0, 2)).toEqual(outputs);
    expect(hex.encode(draft.outputs[2]!.script)).toBe(hex.encode(account.payment.script));
    expect(tx.inputsLength).toBe(2);
  });

  it("send runes with their fee from the payment address", async () => {
    chain.addOutput(account.payment.address, 20_000);
    chain.addOutput(account.ordinals.address, 546, [{ id: LOBO.id, amount: 700n }]);
    chain.addOutput(account.ordinals.address, 546, [{ id: LOBO.id, amount: 500n }]);
    const orders = [{ id: LOBO.id, amount: 900n, script: other.ordinals.script }];
    const draft = draftRunes(orders, account, await coinsOf(account), RATE);
    await settle(draft);
    const [delivery, own, stone, change] = draft.outputs;
    expect(delivery).toEqual({ script: other.ordinals.script, value: POSTAGE });
    expect(own).toEqual({ script: account.ordinals.script, value: POSTAGE });
    const edicts = [{ id: parseRuneId(LOBO.id), amount: 900n, output: 0 }];
    expect(stone).toEqual({ script: runestoneScript({ edicts, pointer: 1 }), value: 0 });
    expect(change!.script).toEqual(account.payment.script);
  });
});

describe("coins", () => {
  const account = accountOf("p2wpkh");

  it("with runes never pay a fee or a payment", async () => {
    chain.addOutput(account.payment.address, 90_000, [{ id: LOBO.id, amount: 1n }]);
    chain.addOutput(account.payment.address, 9_000);
    const pay = [{ script: other.payment.script, value: 20_000 }];
    const coins = await coinsOf(account);
    expect(() => draftPayment(pay, account, coins, RATE)).toThrow("Insufficient balance");
    const draft = draftPayment([{ script: other.payment.script, value: 5_000 }], account, coins, RATE);
    expect(draft.inputs.map(({ value }) => value)).toEqual([9_000]);
  });

  it("with additional runes return them by the pointer", async () => {
    chain.addOutput(account.payment.address, 20_000);
    chain.addOutput(account.ordinals.address, 546, [{ id: "99:9", amount: 5n }, { id: LOBO.id, amount: 900n }]);
    const orders = [{ id: LOBO.id, amount: 900n, script: other.ordinals.script }];
    const draft = draftRunes(orders, account, await coinsOf(account), RATE);
    await settle(draft);
    expect(draft.outputs[1]).toEqual({ script: account.ordinals.script, value: POSTAGE });
  });

  it("that are confirmed come first", async () => {
    chain.addOutput(account.payment.address, 90_000, [], 0);
    chain.addOutput(account.payment.address, 20_000, [], 3);
    const draft = draftPayment([{ script: other.payment.script, value: 5_000 }], account, await coinsOf(account), RATE);
    expect(draft.inputs.map(({ confirmations }) => confirmations)).toEqual([3]);
  });

  it("that don't suffice throw an error", async () => {
    chain.addOutput(account.ordinals.address, 546, [{ id: LOBO.id, amount: 10n }]);
    const coins = await coinsOf(account);
    const order = (amount: bigint) => [{ id: LOBO.id, amount, script: other.ordinals.script }];
    expect(() => draftRunes(order(11n), account, coins, RATE)).toThrow("Insufficient rune balance.");
    expect(() => draftRunes(order(10n), account, coins, RATE)).toThrow("Insufficient balance to pay");
  });
});

describe("addresses", () => {
  it("of another network, or damaged, are refused", () => {
    const { address } = other.payment;
    expect(scriptOf(address, "Regtest")).toEqual(other.payment.script);
    expect(() => scriptOf(address, "Testnet")).toThrow("Invalid address");
    expect(() => scriptOf(`${address.slice(0, -1)}q`, "Regtest")).toThrow("Invalid address");
  });

  it("get no output below the dust limit", async () => {
    const account = accountOf("p2wpkh");
    chain.addOutput(account.payment.address, 20_000);
    const coins = await coinsOf(account);
    const pay = (value: number) => () => draftPayment([{ script: other.ordinals.script, value }], account, coins, RATE);
    expect(pay(329)).toThrow("less than the network relays");
    expect(pay(330)).not.toThrow();
  });
});
