// @vitest-environment node
import { expect, it, vi } from "vitest";
import { readDetails } from "./details.ts";
import { verifyContinues } from "./instruction.ts";
import { Report, type CheckName, type Outcome } from "./report.ts";
import { parseExact } from "./reserves.ts";
import { verifyAll, type Request } from "./run.ts";
import { readSigned } from "./statement.ts";
import { changed, middle, sign, vectors } from "./testing/vectors.ts";
import { inTokens } from "./tokens.ts";
import { readProof } from "./tree.ts";

const { key, statements } = vectors.chains[0]!;
const last = readSigned(statements.at(-1)!.signed);
const nothing: Request = {
  documents: [], server: "", key: "", seen: "", owner: "", servers: { esplora: "", ord: "" },
};
const documents = statements.flatMap(({ signed, details }, i) => [
  { place: `${i}.json`, text: signed },
  { place: `${i}-details.json`, text: details },
]);
const proof = { place: "proof.json", text: statements.at(-1)!.proofs[0]! };

async function outcomes(request: Partial<Request>): Promise<Partial<Record<CheckName, Outcome>>> {
  const report = new Report();
  await verifyAll({ ...nothing, ...request }, report);
  const all: Partial<Record<CheckName, Outcome>> = {};
  for (const { check, outcome } of report.lines) if (all[check] !== "failed") all[check] = outcome;
  return all;
}

/** Answers of servers by the end of their address. */
function serve(answers: Record<string, string>): void {
  vi.stubGlobal("fetch", (address: string) => {
    const found = answers[address.slice("https://x.example/".length)];
    return Promise.resolve(new Response(found ?? "", { status: found === undefined ? 404 : 200 }));
  });
}

it("passes what it can check, and names the rest as not checked", async () => {
  expect(await outcomes({ documents, key })).toEqual({
    form: "passed", key: "passed", chain: "passed", seen: "unchecked", reserves: "passed", rewards: "passed",
    compounded: "passed", instructions: "passed", proof: "unchecked", outputs: "unchecked", runes: "unchecked",
    receipts: "unchecked",
  });
  const owner = readProof(proof.text).owner;
  const whole = await outcomes({ documents: [...documents, proof], key, seen: last.id, owner });
  expect(whole).toMatchObject({ seen: "passed", proof: "passed", owner: "passed" });
});

it("says how much of the stakes is in self-custody", async () => {
  const report = new Report();
  await verifyAll({ ...nothing, documents, key }, report);
  const stakes = last.reserves.filter(({ kind }) => kind === "stake");
  const sum = (all: typeof stakes) => all.reduce((total, { runes }) => total + runes, 0n);
  const self = sum(stakes.filter(({ custody }) => custody === "self"));
  expect(self).not.toBe(sum(stakes));
  expect(report.lines.find(({ check }) => check === "reserves")?.values.slice(2)).toEqual([self, sum(stakes)]);
});

it("fails the check that a change concerns", async () => {
  const forged = sign(changed(middle.statement, (s) => (s["as_of"].time = 1)));
  const wrong: [CheckName, Partial<Request>][] = [
    ["key", { documents, key: "11".repeat(32) }],
    ["seen", { documents, seen: "11".repeat(32) }],
    ["chain", { documents: [...documents, { place: "fork", text: forged }] }],
    ["chain", { documents: documents.slice(2) }],
    ["form", { documents: [{ place: "x", text: middle.signed.replace(`"epoch":2`, `"epoch":3`) }] }],
    ["rewards", { documents: [documents[0]!, { place: "x", text: documents[1]!.text.replace("lobo", "wolf") }] }],
    ["proof", { documents: [documents[0]!, proof] }],
    ["owner", { documents: [...documents, proof], owner: "somebody" }],
  ];
  for (const [check, request] of wrong) expect((await outcomes(request))[check], check).toBe("failed");
});

it("says that nothing was checked without documents", async () => {
  const found = await outcomes({});
  expect(Object.values(found)).not.toContain("passed");
  expect(found.proof).toBe("unchecked");
});

it("fetches the chain of a server, and the newest statement twice", async () => {
  const answers: Record<string, string> = { "lobo/statements/head": statements.at(-1)!.signed };
  statements.forEach(({ signed, details }, i) => {
    answers[`lobo/statements/${i}`] = signed;
    answers[`lobo/statements/${i}/details`] = details;
  });
  serve(answers);
  const server = "https://x.example/lobo/statements/";
  expect(await outcomes({ server, key })).toMatchObject({ chain: "passed", rewards: "passed" });
  // Another history below its head.
  answers["lobo/statements/2"] = sign(changed(middle.statement, (s) => (s["as_of"].time = 1)));
  expect((await outcomes({ server, key })).chain).toBe("failed");
  serve({});
  expect(await outcomes({ server, key })).toMatchObject({ read: "unchecked", chain: "unchecked" });
});

it("knows the tokens of the server's statements, if the server says so of this rune", async () => {
  const answers: Record<string, string> = { "lobo/statements/head": statements.at(-1)!.signed };
  statements.forEach(({ signed }, i) => (answers[`lobo/statements/${i}`] = signed));
  const tokensOf = async (data: object) => {
    serve({ ...answers, "lobo/community": JSON.stringify({ success: true, data }) });
    const report = new Report();
    await verifyAll({ ...nothing, server: "https://x.example/lobo/statements" }, report);
    expect(report.lines.find(({ check }) => check === "reserves")!.values[0]).toBe(last.owners.owed);
    return report.tokens;
  };
  const community = { prefix: "lobo", rune_id: last.rune, token: "LOBO", divisibility: 2 };
  const tokens = (await tokensOf(community))!;
  expect(inTokens(123_450n, tokens, "en")).toBe("1,234.5 LOBO");
  expect(inTokens(7n, tokens, "de")).toBe("0,07 LOBO");
  expect(inTokens(7n, { ...tokens, decimals: 0 }, "en")).toBe("7 LOBO");
  for (const wrong of [{ rune_id: "1:1" }, { divisibility: -1 }, { divisibility: 39 }, { token: 1 }])
    expect(await tokensOf({ ...community, ...wrong }), JSON.stringify(wrong)).toBeNull();
});

function explorer(): Record<string, any> {
  const answers: Record<string, any> = {};
  for (const { height, hash } of [last.cut, last.asOf]) answers[`api/block-height/${height}`] = hash;
  for (const { outpoint, sats, script } of last.reserves) {
    const [txid, vout] = outpoint.split(":");
    const tx = (answers[`api/tx/${txid}`] ??= { vout: [], status: { confirmed: true, block_height: 1 } });
    tx.vout[Number(vout)] = { value: Number(sats), scriptpubkey: script };
    answers[`api/tx/${txid}/outspend/${vout}`] = { spent: false };
  }
  return answers;
}

const asText = (answers: Record<string, any>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(answers).map(([path, one]) => [path, typeof one === "string" ? one : JSON.stringify(one)]),
  );

it("compares outputs with Esplora, which shows no runes", async () => {
  const servers = { esplora: "https://x.example/api", ord: "" };
  serve(asText(explorer()));
  expect(await outcomes({ documents, servers })).toMatchObject({ outputs: "passed", runes: "unchecked" });
  const [txid, vout] = last.reserves[0]!.outpoint.split(":");
  for (const change of [
    (all: Record<string, any>) => (all[`api/tx/${txid}`].vout[Number(vout)].value += 1),
    (all: Record<string, any>) => (all[`api/tx/${txid}`].vout[Number(vout)].scriptpubkey = "51"),
    (all: Record<string, any>) => delete all[`api/tx/${txid}`],
    (all: Record<string, any>) => (all[`api/block-height/${last.cut.height}`] = "00".repeat(32)),
    (all: Record<string, any>) =>
      (all[`api/tx/${txid}/outspend/${vout}`] = {
        spent: true, txid: "x", status: { confirmed: true, block_height: 1 },
      }),
  ]) {
    const answers = explorer();
    change(answers);
    serve(asText(answers));
    expect((await outcomes({ documents, servers })).outputs, String(change)).toBe("failed");
  }
});

it("compares outputs and runes with ord", async () => {
  const rune = `{"id":"${last.rune}","entry":{"spaced_rune":"A•B"}}`;
  const answers: Record<string, string> = { [`rune/${last.rune}`]: rune };
  for (const { height, hash } of [last.cut, last.asOf]) answers[`blockhash/${height}`] = `"${hash}"`;
  for (const { outpoint, sats, script, runes } of last.reserves) {
    const balances = runes > 0n ? `{"A•B":{"amount":${runes}}}` : "{}";
    answers[`output/${outpoint}`] =
      `{"indexed":true,"script_pubkey":"${script}","spent":false,"value":${sats},"runes":${balances}}`;
  }
  serve(answers);
  const servers = { esplora: "", ord: "https://x.example" };
  expect(await outcomes({ documents, servers })).toMatchObject({ outputs: "passed", runes: "passed" });
  const { outpoint, runes } = last.reserves.find((one) => one.runes > 0n)!;
  answers[`output/${outpoint}`] = answers[`output/${outpoint}`]!.replace(`"amount":${runes}`, `"amount":${runes + 1n}`);
  expect((await outcomes({ documents, servers })).outputs).toBe("failed");
});

it("keeps large numbers of JSON exactly", () => {
  const text = String.raw`{"a":340282366920938463463374607431768211455,"b":"1 \" 2: 3","c":[1,true,null]}`;
  expect(parseExact(text)).toEqual({
    a: "340282366920938463463374607431768211455", b: '1 " 2: 3', c: ["1", true, null],
  });
});

it("compares the statement key and the owner of receipts, and refuses changed ones", async () => {
  const { key, files, receipts } = vectors.receipts[3]!;
  const { owner } = JSON.parse(receipts[1]!) as { owner: string };
  const documents = [{ place: "x", text: files[1]! }];
  const wrong: [Partial<Request>, Outcome][] = [
    [{ key, owner }, "passed"],
    [{ owner }, "unchecked"],
    [{ key: "11".repeat(32), owner }, "failed"],
    [{ key, owner: "somebody" }, "failed"],
  ];
  for (const [request, outcome] of wrong) expect((await outcomes({ documents, ...request })).receipts).toBe(outcome);
  const text = files[1]!.replace(/"units":[0-9]+/, '"units":77');
  expect(await outcomes({ documents: [{ place: "x", text }], key })).toMatchObject({
    form: "failed", receipts: "unchecked",
  });
});

it("checks the instructions to compound automatically", async () => {
  const chain = vectors.chains[2]!;
  const all = chain.statements.flatMap(({ signed, details }, i) => [
    { place: `${i}.json`, text: signed },
    { place: `${i}-details.json`, text: details },
  ]);
  const report = new Report();
  await verifyAll({ ...nothing, documents: all, key: chain.key }, report);
  const line = report.lines.find(({ check }) => check === "instructions");
  expect(line).toMatchObject({ outcome: "passed", values: ["2", "4"] });
  // The operator signs another end time for an instruction that had already ended.
  const forged = changed(chain.statements[3]!.details, (d) => {
    const old = (d["instructions"] as { end: string; ended: number }[]).find(({ end }) => end === "replaced");
    old!.ended += 1;
  });
  const details = readDetails(forged);
  expect(() => verifyContinues(details, readDetails(chain.statements[2]!.details))).not.toThrow(); // it was active then
  expect(() => verifyContinues(readDetails(chain.statements[3]!.details), details)).toThrow("its end has changed");
});
