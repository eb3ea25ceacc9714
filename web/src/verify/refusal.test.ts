// @vitest-environment node
import { expect, it } from "vitest";
import { verifySuccessor } from "./chain.ts";
import { earlierEpoch, readDetails, splitBudget, verifyDetails } from "./details.ts";
import { DocumentError, ForkError } from "./errors.ts";
import { tagged } from "./hash.ts";
import { readSigned, shortfalls, type Signed, type Sums } from "./statement.ts";
import { after, before, canonical, changed, changes, middle, sign, vectors } from "./testing/vectors.ts";
import { leafOf, readProof, rootOf, verifyProof } from "./tree.ts";

/** Returns the result, or null if it is refused. Any other error fails the test. */
function accepted<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

const isAccepted = (check: () => void): boolean => accepted(() => (check(), true)) ?? false;

const MOST = (1n << 128n) - 1n;
const fields: (keyof Sums)[] = ["stake", "reward", "owed"];

it("refuses each change of a signed statement", () => {
  const all = changes(middle.signed);
  expect(all.length).toBeGreaterThan(1000);
  expect(all.filter(({ text }) => isAccepted(() => readSigned(text)))).toEqual([]);
});

it("refuses each change that is signed again, by itself or in the chain", () => {
  const [first, last] = [readSigned(before.signed), readSigned(after.signed)];
  let wellFormed = 0;
  for (const { path, text } of changes(middle.statement)) {
    const s = accepted(() => readSigned(sign(text)));
    if (!s) continue;
    wellFormed += 1;
    const fits = isAccepted(() => verifySuccessor(s, first)) && isAccepted(() => verifySuccessor(last, s));
    expect(fits, path).toBe(false);
  }
  expect(wellFormed).toBeGreaterThan(20);
});

it("refuses each change of details, also if the operator signs their digest", () => {
  const s = readSigned(middle.signed);
  for (const { path, text } of changes(middle.details)) {
    const details = accepted(() => readDetails(text));
    if (!details) continue;
    expect(isAccepted(() => verifyDetails(details, s)), path).toBe(false);
    const again = changed(middle.statement, (s) => (s["rewards"].digest = tagged("moonfund/details", text)));
    const fits = isAccepted(() => verifyDetails(details, readSigned(sign(again))));
    if (!path.includes(".unit=")) expect(fits, path).toBe(false);
  }
});

it("refuses instructions that contradict the inputs or each other, also if the operator signs them", () => {
  const { statement, details } = vectors.chains[2]!.statements[1]!;
  type Change = { id: string; owner: string; first: number; ended: number; end: string; rewards: number[] };
  const wrong: [string, (compounding: Change, other: Change) => void][] = [
    ["covers the epochs", (one) => (one.first = 8)],
    ["no input of its owner", (one) => (one.owner = "bcrt1pnobody")],
    ["no input of its owner", (_, other) => (other.rewards = [7])],
    ["are active", (one, other) => (other.owner = one.owner)],
    ["compounded reward", (one, other) =>
      Object.assign(other, { owner: one.owner, rewards: one.rewards, end: "ended", ended: 1 })],
    ["ended at 5", (one) => (one.ended = 5)],
    ["not ascending", (one) => (one.rewards = [7, 7])],
    ["19 to 18", (one) => (one.first = 19)],
  ];
  for (const [problem, change] of wrong) {
    const text = changed(details, (d) => {
      const all = d["instructions"] as Change[];
      const compounding = all.find(({ rewards }) => rewards.length > 0)!;
      change(compounding, all.find((one) => one !== compounding)!);
    });
    const again = changed(statement, (s) => (s["rewards"].digest = tagged("moonfund/details", text)));
    expect(() => verifyDetails(readDetails(text), readSigned(sign(again))), problem).toThrow(problem);
  }
});

it("refuses each change of a proof", () => {
  const s = readSigned(after.signed);
  for (const { path, text } of after.proofs.flatMap(changes)) {
    expect(isAccepted(() => verifyProof(readProof(text), s)), path).toBe(false);
  }
});

it("refuses a proof of another tree, also with the other statement's place in it", () => {
  const all = vectors.chains.flatMap(({ statements }) => statements);
  all.forEach(({ signed }, i) => {
    const s = readSigned(signed);
    all.forEach(({ proofs }, k) => {
      for (const proof of proofs.map(readProof)) {
        expect(isAccepted(() => verifyProof(proof, s)), `proof of ${k} for ${i}`).toBe(i === k);
        const { network, community, epoch, id, owners } = s;
        const adapted = { ...proof, network, community, epoch, statement: id, count: owners.count };
        expect(isAccepted(() => verifyProof(adapted, s)), `adapted proof of ${k} for ${i}`).toBe(i === k);
      }
    });
  });
});

it("refuses amounts that are moved between a leaf and its siblings, and huge ones", () => {
  const s = readSigned(middle.signed);
  for (const text of middle.proofs) {
    for (const field of fields) {
      readProof(text).siblings.forEach((sibling, i) => {
        if (sibling[field] === 0n) return;
        const moved = readProof(text);
        moved[field] += 1n;
        moved.siblings[i]![field] -= 1n;
        expect(isAccepted(() => verifyProof(moved, s)), `${field} of sibling ${i}`).toBe(false);
        const huge = readProof(text);
        huge.siblings[i]![field] = MOST;
        expect(isAccepted(() => verifyProof(huge, s)), `huge ${field} of sibling ${i}`).toBe(false);
      });
    }
  }
});

it("refuses sums that are not below 2^128", () => {
  const binding = { network: "regtest", community: "lobo", epoch: 1 };
  const leaf = (owner: string, owed: bigint) => leafOf(binding, owner, { stake: 0n, reward: 0n, owed });
  expect(() => rootOf(binding, [leaf("a", MOST), leaf("b", 1n)])).toThrow("not below 2^128");
  const input = (unit: string) => ({ unit, owner: unit, amount: MOST });
  expect(() => splitBudget(1n, [input("a"), input("b")])).toThrow("not below 2^128");
});

it("refuses gaps and names forks", () => {
  const [first, second, third] = vectors.chains[0]!.statements.map(({ signed }) => readSigned(signed)) as [
    Signed,
    Signed,
    Signed,
  ];
  const statement = vectors.chains[0]!.statements[1]!.statement;
  const fork = readSigned(sign(changed(statement, (s) => (s["as_of"].time = 1))));
  const otherKey = readSigned(sign(statement, "11".repeat(32)));
  const elsewhere = readSigned(vectors.chains[1]!.statements[1]!.signed);
  const refused: [string, Signed, Signed][] = [
    ["gap", first, third],
    ["backwards", second, first],
    ["after the fork", fork, third],
    ["wrong key", first, otherKey],
    ["another community", first, elsewhere],
  ];
  for (const [name, before, s] of refused) {
    expect(isAccepted(() => verifySuccessor(s, before)), name).toBe(false);
    expect(() => verifySuccessor(s, before)).not.toThrow(ForkError);
  }
  expect(() => verifySuccessor(fork, second)).toThrow(ForkError);
  verifySuccessor(fork, first);
});

it("reports reserves that are less than what they back", () => {
  for (const kind of ["stake", "treasury"]) {
    const poor = changed(middle.statement, (s) => {
      for (const reserve of s["reserves"]) if (reserve.kind === kind) reserve.runes = "1";
    });
    expect(shortfalls(readSigned(sign(poor))).map((one) => one.kind)).toEqual([kind]);
  }
});

const contradictions: Record<string, (s: Record<string, any>) => void> = {
  "the liabilities are": (s) => (s["owners"].owed = "1"),
  "is not above": (s) => s["reserves"].reverse(),
  "are due": (s) => (s["rewards"].total = "1"),
  "ends before it starts": (s) => (s["end"] = s["start"]),
  "before the epoch's last block": (s) => (s["as_of"].height = 1),
  "as the one before": (s) => (s["previous"] = "0".repeat(64)),
  "source of the budget": (s) => (s["budget"].source = "gift"),
  "owners have a reward": (s) => (s["rewards"].count = 99),
  "there is no network": (s) => (s["network"] = "othernet"),
  "is not the id of a rune": (s) => (s["rune"] = "01:2"),
  "is not an outpoint": (s) => (s["reserves"][0].outpoint = "ab:0"),
  "of kind stake in the custody": (s) => {
    s["reserves"].find((one: { kind: string }) => one.kind === "stake").custody_kind = "";
  },
  "of kind treasury in the custody": (s) => {
    s["reserves"].find((one: { kind: string }) => one.kind === "treasury").custody_kind = "operator";
  },
  "want a script": (s) => (s["reserves"][0].script = "abc"),
  "there is no liability stakes": (s) => s["liabilities"].pop(),
  "not below 2^128": (s) => s["reserves"].slice(0, 2).forEach((one: { sats: string }) => (one.sats = String(MOST))),
  "the incidents are not in order": (s) =>
    (s["incidents"] = [2, 1].map((time) => ({ detail: "", kind: "pause", time }))),
};

it.each(Object.entries(contradictions))("refuses a statement that contradicts itself: %s", (want, change) => {
  expect(() => readSigned(sign(changed(middle.statement, change)))).toThrow(want);
});

const breaks: Record<string, (s: Record<string, any>) => void> = {
  "is of epoch 3": (s) => (s["epoch"] = 3),
  "its epoch does not start": (s) => (s["start"] = 1),
  "can't be after block": (s) => (s["cut"].height = 1),
  "the one before of lobo": (s) => (s["rune"] = "840000:36"),
  "is of wolf (regtest": (s) => (s["community"] = "wolf"),
};

it.each(Object.entries(breaks))("refuses a successor that does not continue: %s", (want, change) => {
  const s = readSigned(sign(changed(middle.statement, change)));
  expect(() => verifySuccessor(s, readSigned(before.signed))).toThrow(want);
});

it("refuses an owner in two leaves", () => {
  const details = JSON.parse(middle.details);
  details.owners.push({ owner: details.owners.at(-1).owner, owed: "5", reward: "0", stake: "0" });
  expect(() => readDetails(canonical(details))).toThrow("is not above");
});

it("refuses another number of rewards", () => {
  const s = readSigned(sign(changed(middle.statement, (s) => (s["rewards"].count = 1))));
  expect(() => verifyDetails(readDetails(middle.details), s)).toThrow("owners have a reward, the statement says 1");
});

it("accepts compounded rewards of earlier epochs to their owner only", () => {
  const details = JSON.parse(middle.details);
  const input = details.inputs.find(({ unit }: { unit: string }) => unit.startsWith("reward:1:"));
  const rest = input.unit.slice("reward:1:".length);
  expect(earlierEpoch(input)).toBe(1);
  const wrong = [`reward:2:${rest}`, `reward:01:${rest}`, `reward:1:${"0".repeat(16)}`, `reward::${rest}`, "reward:1"];
  for (const unit of [...wrong, `reward:-1:${rest}`]) {
    input.unit = unit;
    expect(() => readDetails(canonical(details)), unit).toThrow("neither an outpoint nor a reward");
  }
});

it("refuses other ways of writing the same JSON", () => {
  const ways = [` ${middle.signed}`, `${middle.signed}\n`, middle.signed.replace(",", ", ")];
  ways.push(middle.signed.replace(`"epoch":2`, `"epoch":02`));
  ways.push(middle.signed.replace(`"epoch":2`, `"epoch":2,"epoch":2`));
  ways.push(middle.signed.replace("regtest", "\\u0072egtest"), `\uFEFF${middle.signed}`);
  expect(new Set([...ways, middle.signed]).size).toBe(8);
  for (const text of ways) expect(isAccepted(() => readSigned(text)), text.slice(0, 60)).toBe(false);
});
