import { schnorr } from "@noble/curves/secp256k1.js";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bytesToHex, hexToBytes } from "../hash.ts";
import { statementId } from "../statement.ts";

interface LeafVector {
  owner: string;
  stake: string;
  reward: string;
  owed: string;
}

interface NodeVector {
  hash: string;
  stake: string;
  reward: string;
  owed: string;
}

export interface StatementVector {
  id: string;
  statement: string;
  signed: string;
  details: string;
  proofs: string[];
  /** The signed messages of the instructions. */
  messages?: string[];
}

interface Vectors {
  tagged: { tag: string; message: string; hash: string }[];
  amounts: { valid: string[]; invalid: string[] };
  splits: { budget: string; inputs: { unit: string; owner: string; amount: string }[]; owners: LeafVector[] }[];
  trees: {
    network: string;
    community: string;
    epoch: number;
    leaves: LeafVector[];
    leaf_hashes: string[];
    root: NodeVector;
    siblings: NodeVector[][];
  }[];
  secret: string;
  chains: { key: string; statements: StatementVector[] }[];
  receipt_secret: string;
  receipts: { key: string; receipts: string[]; files: string[] }[];
}

/** internal/signed/statement/testdata/vectors.json, which a Python program wrote from docs/statements.md. */
export const vectors = JSON.parse(
  readFileSync(join(process.cwd(), "..", "internal/signed/statement/testdata/vectors.json"), "utf8"),
) as Vectors;

/** The last three statements of the first chain: the middle one has neighbours. */
export const [before, middle, after] = vectors.chains[0]!.statements.slice(-3) as [
  StatementVector,
  StatementVector,
  StatementVector,
];

/** Returns the signed statement of canonical text, signed with 32 zero bytes of auxiliary randomness. */
export function sign(statement: string, secret = vectors.secret): string {
  const bytes = hexToBytes(secret);
  const signature = bytesToHex(schnorr.sign(hexToBytes(statementId(statement)), bytes, new Uint8Array(32)));
  const key = bytesToHex(schnorr.getPublicKey(bytes));
  return `{"key":"${key}","signature":"${signature}","statement":${statement}}`;
}

/** A JSON value for a change. The integers of the vectors fit a double. */
export type Json = null | boolean | number | string | Raw | Json[] | { [name: string]: Json };

/** A number that is written digit by digit, because a double may be unable to represent it. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Writes JSON in canonical form. */
export function canonical(value: Json): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`);
  return `{${members.join(",")}}`;
}

/** Returns a statement with some of its members changed, in canonical form. */
export function changed(statement: string, change: (s: Record<string, any>) => void): string {
  const s = JSON.parse(statement) as Record<string, Json>;
  change(s);
  return canonical(s);
}

export interface Change {
  path: string;
  text: string;
}

/**
 * Returns a document with each value replaced by others of the same type and of another type, each member removed,
 * renamed or added, and each element of a list removed, doubled and swapped with the next.
 */
export function changes(text: string): Change[] {
  const all: Change[] = [];
  let root: Json = JSON.parse(text);
  const add = (path: string): void => void all.push({ path, text: canonical(root) });

  function visit(path: string, value: Json, set: (value: Json) => void): void {
    for (const other of others(value)) {
      set(other);
      add(`${path}=${canonical(other)}`);
    }
    set(value);
    if (Array.isArray(value)) visitList(path, value, set);
    else if (typeof value === "object" && value !== null && !(value instanceof Raw)) visitMembers(path, value);
  }

  function visitMembers(path: string, value: { [name: string]: Json }): void {
    for (const [name, member] of Object.entries(value)) {
      visit(`${path}.${name}`, member, (v) => (value[name] = v));
      delete value[name];
      add(`${path} without ${name}`);
      value[name.toUpperCase()] = member;
      add(`${path} with upper-case ${name}`);
      delete value[name.toUpperCase()];
      value[name] = member;
    }
    value["zz"] = "0";
    add(`${path} with one more`);
    delete value["zz"];
  }

  function visitList(path: string, value: Json[], set: (value: Json) => void): void {
    value.forEach((element, i) => {
      const here = `${path}[${i}]`;
      visit(here, element, (v) => (value[i] = v));
      const lists: [string, Json[]][] = [
        ["removed", value.toSpliced(i, 1)],
        ["doubled", value.toSpliced(i, 0, element)],
      ];
      if (i + 1 < value.length) lists.push(["swapped", value.toSpliced(i, 2, value[i + 1]!, element)]);
      for (const [what, list] of lists) {
        set(list);
        add(`${here} ${what}`);
      }
      set(value);
    });
  }

  visit("", root, (v) => (root = v));
  return all;
}

/** Returns replacements for a value. */
function others(value: Json): Json[] {
  if (typeof value === "number") {
    const numbers = [`${value + 1}`, "-1", "9007199254740992", `${value}.0`, `${value}e0`];
    return [...numbers.map((text) => new Raw(text)), `${value}`, null, true];
  }
  if (Array.isArray(value)) return [null, "", {}];
  if (typeof value !== "string") return [];
  const most = "340282366920938463463374607431768211455";
  const list: Json[] = [`${value}0`, `${value} `, "", `0${value}`, `-${value}`, `${value}é`, 1, null, "9".repeat(40)];
  list.push("340282366920938463463374607431768211456", []);
  if (/^[0-9]+$/.test(value)) list.push(`${BigInt(value) + 1n}`, most);
  else if (value !== "") list.push(value.slice(0, -1) + (value.endsWith("0") ? "1" : "0"));
  return list.filter((other) => other !== value);
}
