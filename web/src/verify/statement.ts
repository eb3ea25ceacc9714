import { schnorr } from "@noble/curves/secp256k1.js";
import { addAmounts } from "./amount.ts";
import { DocumentError } from "./errors.ts";
import { hexToBytes, tagged } from "./hash.ts";
import { Reader } from "./reader.ts";

export interface Block {
  height: number;
  hash: string;
}

/** The three amounts of an owner, or of all owners below a node, in base units. */
export interface Sums {
  stake: bigint;
  reward: bigint;
  owed: bigint;
}

export interface Liability {
  kind: string;
  runes: bigint;
  sats: bigint;
}

export interface Reserve {
  outpoint: string;
  kind: string;
  /** Of a stake; else empty. */
  custody: "self" | "operator" | "";
  script: string;
  sats: bigint;
  runes: bigint;
}

export interface Incident {
  time: number;
  kind: string;
  detail: string;
}

/** The statement of a settled epoch. docs/statements.md describes the members. */
export interface Statement {
  network: string;
  community: string;
  rune: string;
  sequence: number;
  previous: string;
  epoch: number;
  start: number;
  end: number;
  cut: Block;
  asOf: Block & { time: number };
  budget: { amount: bigint; source: string };
  rewards: { count: number; total: bigint; digest: string };
  owners: Sums & { count: number; root: string };
  liabilities: Liability[];
  reserves: Reserve[];
  incidents: Incident[];
}

/** A statement with its id and the key that signed it. */
export interface Signed extends Statement {
  id: string;
  key: string;
}

const LIABILITIES = ["contested", "delivering", "payments", "refunds", "rewards", "stakes"];
const NO_HASH = "0".repeat(64);

/**
 * Reads a signed statement. Throws DocumentError unless the text is canonical, the statement follows the rules 1 to 3
 * of docs/statements.md, and the signature is of the statement by its key. The caller compares the key with the one
 * that the community publishes.
 */
export function readSigned(text: string): Signed {
  const r = new Reader(text);
  r.token(`{"key":`);
  const key = r.hash();
  r.token(`,"signature":`);
  const signature = r.signature();
  r.token(`,"statement":`);
  const from = r.at;
  const statement = readStatement(r);
  const body = text.slice(from, r.at);
  r.token("}");
  r.end();
  checkSums(statement);
  const id = statementId(body);
  if (!isSignature(signature, id, key)) {
    throw new DocumentError(`the signature is not of this statement by the key ${key}`);
  }
  return { ...statement, id, key };
}

/** Returns the id of the statement with the given canonical text. */
export const statementId = (canonical: string): string => tagged("moonfund/statement", canonical);

/** Whether a BIP-340 signature is of a hash, by an x-only key. All are in hex. */
export function isSignature(signature: string, hash: string, key: string): boolean {
  try {
    return schnorr.verify(hexToBytes(signature), hexToBytes(hash), hexToBytes(key));
  } catch {
    return false; // the key is not a point of the curve
  }
}

function readStatement(r: Reader): Statement {
  const s = {} as Statement;
  r.token(`{"as_of":`);
  s.asOf = readSnapshot(r);
  r.token(`,"budget":{"amount":`);
  const amount = r.amount();
  r.token(`,"source":`);
  s.budget = { amount, source: r.name() };
  r.token(`},"community":`);
  s.community = r.name();
  r.token(`,"cut":`);
  s.cut = readBlock(r);
  r.token(`,"end":`);
  s.end = r.integer();
  r.token(`,"epoch":`);
  s.epoch = r.integer();
  r.token(`,"format":"moonfund/statement/1","incidents":`);
  s.incidents = r.list(() => readIncident(r));
  r.token(`,"liabilities":`);
  s.liabilities = r.list(() => readLiability(r));
  r.token(`,"network":`);
  s.network = r.network();
  r.token(`,"owners":`);
  s.owners = readOwners(r);
  r.token(`,"previous":`);
  s.previous = r.hash();
  r.token(`,"reserves":`);
  s.reserves = r.list(() => readReserve(r));
  r.token(`,"rewards":`);
  s.rewards = readRewards(r);
  r.token(`,"rune":`);
  s.rune = r.runeId();
  r.token(`,"sequence":`);
  s.sequence = r.integer();
  r.token(`,"start":`);
  s.start = r.integer();
  r.token("}");
  r.ascending(s.liabilities, ({ kind }) => kind);
  r.ascending(s.reserves, ({ outpoint }) => outpoint);
  if (s.incidents.some((here, i) => i > 0 && isBefore(here, s.incidents[i - 1]!))) {
    r.fail("the incidents are not in order");
  }
  return s;
}

function readBlock(r: Reader): Block {
  r.token(`{"hash":`);
  const hash = r.hash();
  r.token(`,"height":`);
  const height = r.integer();
  r.token("}");
  return { height, hash };
}

function readSnapshot(r: Reader): Statement["asOf"] {
  r.token(`{"hash":`);
  const hash = r.hash();
  r.token(`,"height":`);
  const height = r.integer();
  r.token(`,"time":`);
  const time = r.integer();
  r.token("}");
  return { height, hash, time };
}

function readIncident(r: Reader): Incident {
  r.token(`{"detail":`);
  const detail = r.str();
  r.token(`,"kind":`);
  const kind = r.name();
  r.token(`,"time":`);
  const time = r.integer();
  r.token("}");
  return { time, kind, detail };
}

function readLiability(r: Reader): Liability {
  r.token(`{"kind":`);
  const kind = r.name();
  r.token(`,"runes":`);
  const runes = r.amount();
  r.token(`,"sats":`);
  const sats = r.amount();
  r.token("}");
  return { kind, runes, sats };
}

function readOwners(r: Reader): Statement["owners"] {
  r.token(`{"count":`);
  const count = r.integer();
  r.token(`,"owed":`);
  const owed = r.amount();
  r.token(`,"reward":`);
  const reward = r.amount();
  r.token(`,"root":`);
  const root = r.hash();
  r.token(`,"stake":`);
  const stake = r.amount();
  r.token("}");
  return { count, root, stake, reward, owed };
}

function readReserve(r: Reader): Reserve {
  r.token(`{"custody_kind":`);
  const custody = r.str();
  r.token(`,"kind":`);
  const kind = r.name();
  if (!isCustodyOf(custody, kind)) r.fail(`a reserve of kind ${kind} in the custody ${JSON.stringify(custody)}`);
  r.token(`,"outpoint":`);
  const outpoint = r.outpoint();
  r.token(`,"runes":`);
  const runes = r.amount();
  r.token(`,"sats":`);
  const sats = r.amount();
  r.token(`,"script":`);
  const script = r.script();
  r.token("}");
  return { outpoint, kind, custody, script, sats, runes };
}

/** Whether a reserve may name a kind of custody: a stake has one, other reserves have none. */
function isCustodyOf(custody: string, kind: string): custody is Reserve["custody"] {
  return kind === "stake" ? custody === "self" || custody === "operator" : custody === "";
}

function readRewards(r: Reader): Statement["rewards"] {
  r.token(`{"count":`);
  const count = r.integer();
  r.token(`,"digest":`);
  const digest = r.hash();
  r.token(`,"total":`);
  const total = r.amount();
  r.token("}");
  return { count, total, digest };
}

function isBefore(a: Incident, b: Incident): boolean {
  if (a.time !== b.time) return a.time < b.time;
  return a.kind === b.kind ? a.detail < b.detail : a.kind < b.kind;
}

const sum = (amounts: bigint[]): bigint => amounts.reduce(addAmounts, 0n);

/** Checks the rules inside a statement that are not shortfalls. */
function checkSums(s: Statement): void {
  const missing = LIABILITIES.find((kind) => !s.liabilities.some((one) => one.kind === kind));
  const owed = sum(s.liabilities.map(({ runes }) => runes));
  sum(s.liabilities.map(({ sats }) => sats));
  sum(s.reserves.map(({ runes }) => runes));
  sum(s.reserves.map(({ sats }) => sats));
  const due = s.owners.stake === 0n ? 0n : s.budget.amount;
  const broken = [
    missing !== undefined && `there is no liability ${missing}`,
    s.start >= s.end && "the epoch ends before it starts",
    s.asOf.height < s.cut.height &&
      `it is as of block ${s.asOf.height}, before the epoch's last block ${s.cut.height}`,
    (s.sequence === 0) !== (s.previous === NO_HASH) &&
      `statement ${s.sequence} names ${s.previous} as the one before`,
    !["planned", "treasury"].includes(s.budget.source) && `the source of the budget is ${s.budget.source}`,
    s.owners.owed !== owed && `the owners are owed ${s.owners.owed}, the liabilities are ${owed}`,
    (s.owners.reward !== due || s.rewards.total !== due) &&
      `the owners' rewards are ${s.owners.reward} and their total is ${s.rewards.total}, ${due} are due`,
    s.rewards.count > s.owners.count && `${s.rewards.count} of ${s.owners.count} owners have a reward`,
  ].find((message) => message !== false);
  if (broken) throw new DocumentError(`the statement contradicts itself: ${broken}`);
}

/** A kind of reserves that holds less than it must cover. */
export interface Shortfall {
  kind: "stake" | "treasury";
  held: bigint;
  owed: bigint;
}

/** Returns the runes of the stake outputs, and the part that nothing moves without the owners' signatures. */
export function stakesOf(s: Statement): { all: bigint; self: bigint } {
  const held = (of: (one: Reserve) => boolean) => sum(s.reserves.filter(of).map(({ runes }) => runes));
  return { all: held(({ kind }) => kind === "stake"), self: held(({ custody }) => custody === "self") };
}

/** Returns the kinds of reserves that hold less than they must cover (rule 4). */
export function shortfalls(s: Statement): Shortfall[] {
  const held = (kind: string) => sum(s.reserves.filter((one) => one.kind === kind).map(({ runes }) => runes));
  const owed = (kind: string) => s.liabilities.find((one) => one.kind === kind)?.runes ?? 0n;
  const all: Shortfall[] = [
    { kind: "stake", held: held("stake"), owed: owed("stakes") },
    { kind: "treasury", held: held("treasury"), owed: owed("rewards") },
  ];
  return all.filter((one) => one.held < one.owed);
}
