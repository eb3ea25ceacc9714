import { schnorr } from "@noble/curves/secp256k1.js";
import { hex } from "@scure/base";
import { expect, it } from "vitest";
import type { StakeTarget } from "../api/actions.ts";
import { later } from "../lib/laterText.ts";
import { session } from "../testing/wire.ts";
import { stakeAddress, xOnly } from "../wallet/stakeScript.ts";
import { requireTarget, TargetMismatch } from "./target.ts";

const owner = session.ordinals;
const wanted = { custody: "self", delay: 8_064, owner } as const;
const words = later.stake;
const keyOf = (secret: number) => schnorr.getPublicKey(new Uint8Array(32).fill(secret));

/** The answer of a server for this key of the owner; `change` makes it hostile. */
function target(change: Partial<StakeTarget> = {}, ownersKey = xOnly(owner.publicKey)): StakeTarget {
  const { delay = 8_064 } = change;
  const keys = { owner: ownersKey, community: keyOf(2), delay: Math.min(Math.max(delay, 1), 65_535) };
  const address = stakeAddress(keys, owner.address);
  return { address, actionId: "a", custody: "self", communityKey: hex.encode(keyOf(2)), delay, ...change };
}

it("accepts the address of this owner's stake, with each form of the key", () => {
  requireTarget(target(), wanted);
  requireTarget(target(), { ...wanted, owner: { ...owner, publicKey: `02${owner.publicKey}` } });
});

it("accepts any address in operator custody, if that was requested", () => {
  requireTarget(target({ custody: "operator", address: owner.address }), { ...wanted, custody: "operator" });
});

it.each<[string, StakeTarget, string]>([
  ["in operator custody", target({ custody: "operator" }), words.otherCustody],
  ["without a custody", target({ custody: "" as "self" }), words.otherCustody],
  ["of another owner", target({}, keyOf(9)), words.otherAddress],
  ["of another community's key", target({ communityKey: hex.encode(keyOf(3)) }), words.otherAddress],
  ["with a key that is none", target({ communityKey: "" }), words.otherAddress],
  ["with a key that is no point", target({ communityKey: "ff".repeat(32) }), words.otherAddress],
  ["of the community alone", target({ address: owner.address }), words.otherAddress],
  ["on another network", target({ address: target().address.replace(/^bcrt/, "tb") }), words.otherAddress],
  ["with a longer delay", target({ delay: 8_065 }), words.otherDelay],
  ["with a shorter delay", target({ delay: 1 }), words.otherDelay],
])("refuses an address %s", (_, wrong, sentence) => {
  expect(() => requireTarget(wrong, wanted)).toThrow(new TargetMismatch(sentence));
});

it.each([0, 65_536, -1])("refuses a delay of %d, even if it is the community's", (delay) => {
  expect(() => requireTarget(target({ delay }), { ...wanted, delay })).toThrow(new TargetMismatch(words.otherAddress));
});

it("refuses self-custody if operator custody was requested", () => {
  expect(() => requireTarget(target(), { ...wanted, custody: "operator" })).toThrow(words.otherCustody);
});
