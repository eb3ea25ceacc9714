// @vitest-environment node
import { expect, it, vi } from "vitest";
import { splitBudget, readDetails } from "./details.ts";
import { checkReward, type RewardCheck } from "./reward.ts";
import { readSigned } from "./statement.ts";
import { changed, sign, vectors } from "./testing/vectors.ts";
import { readProof } from "./tree.ts";

const { key, statements } = vectors.chains[0]!;
const last = statements.at(-1)!;
const s = readSigned(last.signed);
const { owner, reward } = splitBudget(s.budget.amount, readDetails(last.details).inputs)[0]!;
const proof = last.proofs.find((text) => readProof(text).owner === owner)!;
const base = "https://x.example/lobo/statements";

const honest = (): Record<string, string | undefined> => ({
  head: last.signed,
  [`${s.sequence - 1}`]: statements.at(-2)!.signed,
  [`${s.sequence}/details`]: last.details,
  [`${s.sequence}/proofs/${owner}`]: proof,
});

async function run(
  change: (answers: Record<string, string | undefined>) => void = () => {},
  { shown = reward as bigint | null, of = owner } = {},
): Promise<{ check: RewardCheck; failed: string[] }> {
  const answers = honest();
  change(answers);
  vi.stubGlobal("fetch", (address: string) => {
    const found = answers[address.slice(base.length + 1)];
    return Promise.resolve(new Response(found ?? "", { status: found === undefined ? 404 : 200 }));
  });
  const check = await checkReward({
    base, key, owner: of, shown: (epoch) => (shown === null ? null : { epoch, reward: shown }),
  });
  const lines = check.state === "checked" ? check.lines : [];
  return { check, failed: lines.filter(({ outcome }) => outcome === "failed").map(({ step }) => step) };
}

it("passes every step for an honest server", async () => {
  const { check } = await run();
  expect(check).toMatchObject({ state: "checked", epoch: s.epoch, reward });
  expect(check.state === "checked" && check.lines.map(({ outcome }) => outcome)).toEqual(Array(5).fill("passed"));
});

it("fails the step that a dishonest answer concerns", async () => {
  expect((await run(undefined, { shown: reward + 1n })).failed).toEqual(["shown"]);
  expect((await run((all) => delete all[`${s.sequence}/proofs/${owner}`])).failed).toEqual(["counted", "shown"]);
  const otherProof = last.proofs.find((text) => text !== proof);
  expect((await run((all) => (all[`${s.sequence}/proofs/${owner}`] = otherProof))).failed).toContain("counted");
  expect((await run((all) => (all["head"] = sign(last.statement, "11".repeat(32))))).failed).toContain("signature");
  expect((await run((all) => (all["head"] = last.signed.replace("lobo", "wolf")))).failed).toEqual(["signature"]);
  const fork = sign(changed(statements.at(-2)!.statement, (s) => (s["as_of"].time = 1)));
  expect((await run((all) => (all[`${s.sequence - 1}`] = fork))).failed).toEqual(["chain"]);
  const other = statements.at(-2)!.details;
  expect((await run((all) => (all[`${s.sequence}/details`] = other))).failed).toContain("recomputed");
});

it("knows an owner who was not rewarded, and an epoch that the page does not show yet", async () => {
  const stranger = await run(undefined, { shown: 0n, of: "bcrt1qstranger" });
  expect(stranger.failed).toEqual([]);
  expect(stranger.check).toMatchObject({ reward: 0n });
  const { check } = await run(undefined, { shown: null });
  expect(check.state === "checked" && check.lines.at(-1)).toMatchObject({ step: "shown", outcome: "unchecked" });
});

it("says that there is no statement, or no answer", async () => {
  expect((await run((all) => delete all["head"])).check).toEqual({ state: "none" });
  vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
  expect(await checkReward({ base, key, owner, shown: () => null })).toEqual({ state: "unreachable" });
});
