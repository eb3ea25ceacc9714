// @vitest-environment node
import { schnorr } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import { p2tr, Script, TEST_NETWORK } from "@scure/btc-signer";
import { describe, expect, it } from "vitest";
import { PsbtType, type PsbtEntry } from "./psbt.ts";
import { isTogether, leafEntries, stakeAddress, stakeOutput, xOnly, type StakeKeys } from "./stakeScript.ts";

const REGTEST = { ...TEST_NETWORK, bech32: "bcrt" };
const INTERNAL_KEY = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0";
const keyOf = (secret: number) => schnorr.getPublicKey(new Uint8Array(32).fill(secret));
const keys: StakeKeys = { owner: keyOf(1), community: keyOf(2), delay: 8_064 };
const OWNERS_ADDRESS = "bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6";

/** The same output by another implementation. */
function reference({ owner, community, delay }: StakeKeys) {
  const together = Script.encode([owner, "CHECKSIGVERIFY", community, "CHECKSIG"]);
  const alone = Script.encode([owner, "CHECKSIGVERIFY", delay, "CHECKSEQUENCEVERIFY"]);
  const leaves = [{ script: together }, { script: alone }];
  return { together, alone, ...p2tr(hex.decode(INTERNAL_KEY), leaves, REGTEST, true) };
}

describe("the output of a stake in self-custody", () => {
  it.each([1, 16, 17, 127, 128, 144, 255, 256, 8_064, 32_768, 65_535])("has the address of a delay of %d", (delay) => {
    const { address, script, together, alone } = reference({ ...keys, delay });
    expect(stakeAddress({ ...keys, delay }, OWNERS_ADDRESS)).toBe(address);
    const output = stakeOutput({ ...keys, delay });
    expect(output.script).toEqual(script);
    expect([output.together.script, output.alone.script]).toEqual([together, alone]);
  });

  it("does not depend on how the leaves are sorted", () => {
    for (let secret = 3; secret < 12; secret++) {
      const other = { ...keys, community: keyOf(secret) };
      expect(stakeAddress(other, OWNERS_ADDRESS)).toBe(reference(other).address);
    }
  });

  it("has another address for each key and delay, and on another network", () => {
    const all = [keys, { ...keys, owner: keyOf(3) }, { ...keys, community: keyOf(3) }, { ...keys, delay: 8_065 }];
    expect(new Set(all.map((one) => stakeAddress(one, OWNERS_ADDRESS))).size).toBe(4);
    expect(stakeAddress(keys, OWNERS_ADDRESS.toUpperCase())).toBe(stakeAddress(keys, OWNERS_ADDRESS));
    expect(stakeAddress(keys, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")).toMatch(/^bc1p/);
  });

  it.each([0, -1, 1.5, 65_536, Number.NaN])("does not exist with a delay of %d", (delay) => {
    expect(() => stakeOutput({ ...keys, delay })).toThrow(RangeError);
  });

  it("takes keys of each length", () => {
    const x = hex.encode(keys.owner);
    for (const form of [x, `02${x}`, `04${x}${"11".repeat(32)}`]) expect(xOnly(form)).toEqual(keys.owner);
    expect(() => stakeOutput({ ...keys, community: new Uint8Array(31) })).toThrow(RangeError);
    expect(() => stakeOutput({ ...keys, owner: new Uint8Array(33) })).toThrow(RangeError);
  });
});

describe("an input that the owner signs together with the community", () => {
  const { script, root, together, alone } = stakeOutput(keys);
  const entries = leafEntries(together, root);
  const changed = (bytes: Uint8Array, at: number) => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
  const change = (type: number, to: (entry: PsbtEntry) => PsbtEntry[]) =>
    entries.flatMap((entry) => (entry.type === type ? to(entry) : [entry]));
  const leaf = (to: (entry: PsbtEntry) => Partial<PsbtEntry>) =>
    change(PsbtType.tapLeafScript, (entry) => [{ ...entry, ...to(entry) }]);

  it("is accepted", () => {
    expect(isTogether(entries, script, keys.owner)).toBe(true);
    const { tapLeafScript } = reference(keys);
    const [control] = tapLeafScript!.find(([, one]) => hex.encode(one).startsWith(hex.encode(together.script)))!;
    expect(hex.encode(together.control)).toBe(
      hex.encode(Uint8Array.of(control.version, ...control.internalKey, ...control.merklePath[0]!)),
    );
  });

  it.each<[string, PsbtEntry[]]>([
    ["no leaf", change(PsbtType.tapLeafScript, () => [])],
    ["the leaf alone", leafEntries(alone, root)],
    ["both leaves", [...entries, ...leafEntries(alone, root).slice(0, 1)]],
    ["another script", leaf(({ value }) => ({ value: changed(value, 40) }))],
    ["another opcode between the keys", leaf(({ value }) => ({ value: changed(value, 33) }))],
    ["another opcode at the end", leaf(({ value }) => ({ value: changed(value, 67) }))],
    ["another leaf version", leaf(({ value }) => ({ value: changed(value, value.length - 1) }))],
    ["another parity", leaf(({ key }) => ({ key: changed(key, 0) }))],
    ["another internal key in the control block", leaf(({ key }) => ({ key: changed(key, 5) }))],
    ["another second leaf", leaf(({ key }) => ({ key: changed(key, 40) }))],
    ["a longer path", leaf(({ key }) => ({ key: Uint8Array.of(...key, ...root) }))],
    ["a path of one leaf", leaf(({ key }) => ({ key: key.slice(0, 33) }))],
    ["another internal key", change(PsbtType.tapInternalKey, (one) => [{ ...one, value: keys.community }])],
    ["no internal key", change(PsbtType.tapInternalKey, () => [])],
    ["another merkle root", change(PsbtType.tapMerkleRoot, (one) => [{ ...one, value: changed(one.value, 0) }])],
    ["no merkle root", change(PsbtType.tapMerkleRoot, () => [])],
  ])("is refused with %s", (_, wrong) => {
    expect(isTogether(wrong, script, keys.owner)).toBe(false);
  });

  it("is refused for another owner, and for another output", () => {
    expect(isTogether(entries, script, keys.community)).toBe(false);
    expect(isTogether(entries, changed(script, 10), keys.owner)).toBe(false);
    const other = stakeOutput({ ...keys, community: keyOf(3) });
    expect(isTogether(leafEntries(other.together, other.root), script, keys.owner)).toBe(false);
  });
});
