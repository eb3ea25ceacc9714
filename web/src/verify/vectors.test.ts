// @vitest-environment node
import { expect, it } from "vitest";
import { parseAmount } from "./amount.ts";
import { verifySuccessor } from "./chain.ts";
import { readDetails, splitBudget, verifyDetails, type Details } from "./details.ts";
import { hexToBytes, tagged } from "./hash.ts";
import { verifyContinues } from "./instruction.ts";
import { readSigned, shortfalls, type Signed, type Sums } from "./statement.ts";
import { sign, vectors } from "./testing/vectors.ts";
import { leafOf, readProof, rootOf, verifyProof, type Node } from "./tree.ts";

const sumsOf = ({ stake, reward, owed }: Record<keyof Sums, string>): Sums => ({
  stake: parseAmount(stake),
  reward: parseAmount(reward),
  owed: parseAmount(owed),
});

it("agrees with the tagged hashes and the amounts", () => {
  for (const { tag, message, hash } of vectors.tagged) expect(tagged(tag, hexToBytes(message))).toBe(hash);
  for (const text of vectors.amounts.valid) expect(String(parseAmount(text))).toBe(text);
  for (const text of vectors.amounts.invalid) expect(() => parseAmount(text), text).toThrow();
});

it("agrees with the splits", () => {
  for (const { budget, inputs, owners } of vectors.splits) {
    const units = inputs.map((input) => ({ ...input, amount: parseAmount(input.amount) }));
    const want = owners.map(({ owner, stake, reward }) => ({
      owner,
      stake: parseAmount(stake),
      reward: parseAmount(reward),
    }));
    expect(splitBudget(parseAmount(budget), units)).toEqual(want);
  }
});

it("agrees with the trees and their proofs", () => {
  for (const { network, community, epoch, leaves, leaf_hashes, root, siblings } of vectors.trees) {
    const binding = { network, community, epoch };
    const nodes = leaves.map((leaf) => leafOf(binding, leaf.owner, sumsOf(leaf)));
    expect(nodes.map(({ hash }) => hash)).toEqual(leaf_hashes);
    const want: Node = { hash: root.hash, ...sumsOf(root) };
    expect(rootOf(binding, nodes)).toEqual(want);
    const statement = { ...binding, id: "", owners: { count: leaves.length, root: root.hash, ...sumsOf(root) } };
    leaves.forEach((leaf, index) => {
      const path = siblings[index]!.map((node) => ({ hash: node.hash, ...sumsOf(node) }));
      const proof = { ...binding, statement: "", owner: leaf.owner, ...sumsOf(leaf), index, count: leaves.length };
      verifyProof({ ...proof, siblings: path }, statement);
    });
  }
});

it("accepts the chains with their details and proofs", () => {
  for (const { key, statements } of vectors.chains) {
    let before: Signed | undefined;
    let earlier: Details | undefined;
    for (const vector of statements) {
      const s = readSigned(vector.signed);
      expect([s.id, s.key, shortfalls(s)]).toEqual([vector.id, key, []]);
      expect(sign(vector.statement)).toBe(vector.signed);
      if (before) verifySuccessor(s, before);
      before = s;
      const details = readDetails(vector.details);
      verifyDetails(details, s);
      if (earlier) verifyContinues(details, earlier);
      earlier = details;
      const hashes = (vector.messages ?? []).map((text) => tagged("moonfund/message", text)).sort();
      expect(details.instructions.map(({ message }) => message).sort()).toEqual(hashes);
      expect(vector.proofs.map((text) => readProof(text).owner)).toEqual(details.owners.map(({ owner }) => owner));
      for (const text of vector.proofs) verifyProof(readProof(text), s);
    }
  }
});
