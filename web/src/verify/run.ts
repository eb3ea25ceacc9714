import { verifySuccessor } from "./chain.ts";
import { earlierEpoch, readDetails, verifyDetails, type Details } from "./details.ts";
import { DocumentError } from "./errors.ts";
import { verifyContinues } from "./instruction.ts";
import { messageOf, Report } from "./report.ts";
import { readReceipts, type SignedReceipt } from "./receipt.ts";
import { compareReserves, type Comparison, type Servers } from "./reserves.ts";
import { fetchText, MissingError, readAddress, UnavailableError } from "./source.ts";
import { readSigned, shortfalls, stakesOf, type Signed } from "./statement.ts";
import { fetchTokens, inTokens, type Tokens } from "./tokens.ts";
import { readProof, verifyProof, type Proof } from "./tree.ts";

/** A document and where it is from: a file's name or an address. */
export interface Source {
  place: string;
  text: string;
}

/** What the user gave. Every text may be empty. */
export interface Request {
  documents: Source[];
  /** Address of a server's statements, such as https://lobo.example.org/lobo/statements. */
  server: string;
  /** The statement key, from a source other than the server. */
  key: string;
  /** The id of a statement that the user saw before. */
  seen: string;
  /** The owner whose proof is checked. */
  owner: string;
  servers: Servers;
}

interface Documents {
  statements: Signed[];
  details: Details[];
  proofs: Proof[];
  receipts: SignedReceipt[];
}

/** Runs every check that is possible with what the user gave. Returns the statements, ascending. */
export async function verifyAll(
  request: Request, report: Report, onProgress: (step: string) => void = () => {},
): Promise<Signed[]> {
  const all: Documents = { statements: [], details: [], proofs: [], receipts: [] };
  const sources = [...request.documents];
  let tokens: Tokens | null = null;
  if (request.server) {
    try {
      sources.push(...(await fetchDocuments(request, onProgress)));
      tokens = await fetchTokens(baseOf(request.server));
    } catch (error) {
      if (!(error instanceof UnavailableError) && !(error instanceof DocumentError)) throw error;
      const failed = error instanceof DocumentError ? "failed" : "unchecked";
      report.add(failed, failed === "failed" ? "form" : "read", [request.server], error.message);
    }
  }
  for (const source of sources) readDocument(source, all, report);
  report.tokens = tokens && all.statements.every(({ rune }) => rune === tokens.rune) ? tokens : null;
  all.statements.sort((a, b) => a.sequence - b.sequence);
  const count = new Set(all.statements.map(({ id }) => id)).size;
  if (count > 0 && !report.hasFailed("form")) report.add("passed", "form", [count]);
  const chain = checkChain(all.statements, request, report);
  checkReserves(chain, report);
  checkRewards(chain, all.details, report);
  checkProofs(chain, all.proofs, request.owner, report);
  checkReceipts(all.receipts, request, report);
  await checkOutputs(chain, request.servers, report, onProgress);
  return chain;
}

/** Returns the address of a server's statements. */
const baseOf = (server: string): string => readAddress(server).replace(/\/head$/, "");

/** Fetches all statements of a server with their details, the newest one twice, and an owner's newest proof. */
async function fetchDocuments({ server, owner }: Request, onProgress: (step: string) => void): Promise<Source[]> {
  const base = baseOf(server);
  const sources: Source[] = [];
  const fetchInto = async (place: string): Promise<string> => {
    onProgress(place);
    const text = await fetchText(place);
    sources.push({ place, text });
    return text;
  };
  const head = readSigned(await fetchInto(`${base}/head`));
  for (let n = 0; n <= head.sequence; n += 1) {
    await fetchInto(`${base}/${n}`);
    await ignoreMissing(fetchInto(`${base}/${n}/details`));
  }
  if (owner) await ignoreMissing(fetchInto(`${base}/${head.sequence}/proofs/${encodeURIComponent(owner)}`));
  return sources;
}

async function ignoreMissing(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof MissingError)) throw error;
  }
}

function readDocument({ place, text }: Source, all: Documents, report: Report): void {
  try {
    if (text.includes(`"format":"moonfund/signed-receipt/`) || text === "[]") all.receipts.push(...readReceipts(text));
    else if (text.includes(`"format":"moonfund/details/`)) all.details.push(readDetails(text));
    else if (text.includes(`"format":"moonfund/proof/`)) all.proofs.push(readProof(text));
    else all.statements.push(readSigned(text));
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    report.add("failed", "form", [place], error.message);
  }
}

/** Checks the key, the chain and the statement that the user saw before. Returns one statement for each sequence. */
function checkChain(statements: Signed[], { key, seen }: Request, report: Report): Signed[] {
  const last = statements.at(-1);
  if (!last) {
    for (const check of ["key", "chain"] as const) report.add("unchecked", check);
    return [];
  }
  const others = statements.filter((s) => s.key !== key);
  if (key === "") report.add("unchecked", "key", [last.key]);
  else if (others.length > 0) report.add("failed", "key", [key, others[0]!.key], `statement ${others[0]!.sequence}`);
  else report.add("passed", "key", [key]);

  const chain: Signed[] = [];
  for (const s of statements) {
    const before = chain.at(-1);
    if (before?.id === s.id) continue; // the same statement from two places
    try {
      if (before) verifySuccessor(s, before);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      report.add("failed", "chain", [], error.message);
    }
    chain.push(s);
  }
  const first = chain[0]!;
  if (chain.length === 1 && first.sequence > 0) report.add("unchecked", "chain");
  else if (first.sequence > 0) {
    report.add("failed", "chain", [], `the chain starts with statement ${first.sequence}: those before are missing`);
  } else if (!report.hasFailed("chain")) report.add("passed", "chain", [chain.length, first.epoch, last.epoch]);

  if (!seen) report.add("unchecked", "seen", [last.id]);
  else report.add(chain.some(({ id }) => id === seen) ? "passed" : "failed", "seen", [seen]);
  return chain;
}

/** Checks rule 4 of docs/statements.md. */
function checkReserves(chain: Signed[], report: Report): void {
  const missing = chain.flatMap((s) => shortfalls(s).map((one) => ({ ...one, sequence: s.sequence })));
  for (const { sequence, kind, held, owed } of missing) report.add("failed", "reserves", [sequence, kind, held, owed]);
  const last = chain.at(-1);
  if (missing.length === 0 && last) {
    const { all, self } = stakesOf(last);
    report.add("passed", "reserves", [last.owners.owed, last.reserves.length, self, all]);
  }
  if (!last) report.add("unchecked", "reserves");
}

/** Computes the rewards and trees again from their details, and checks that compounded rewards were paid before. */
function checkRewards(chain: Signed[], all: Details[], report: Report): void {
  const byEpoch = new Map<number, Details>();
  let without = 0;
  for (const s of chain) {
    const own = all.find(({ digest }) => digest === s.rewards.digest) ?? all.find(({ epoch }) => epoch === s.epoch);
    if (!own) {
      without += 1;
      continue;
    }
    try {
      verifyDetails(own, s);
      byEpoch.set(s.epoch, own);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      report.add("failed", "rewards", [s.epoch], error.message);
    }
  }
  if (byEpoch.size > 0 && !report.hasFailed("rewards")) report.add("passed", "rewards", [byEpoch.size]);
  if (without > 0 || chain.length === 0) report.add("unchecked", "rewards", [without]);
  checkCompounded(byEpoch, report);
  checkInstructions(byEpoch, report);
}

/** Compares the instructions to compound automatically of successive epochs. Adds no line if there are no details. */
function checkInstructions(byEpoch: Map<number, Details>, report: Report): void {
  const listed = [...byEpoch.values()];
  for (const details of listed) {
    const earlier = byEpoch.get(details.epoch - 1);
    try {
      if (earlier) verifyContinues(details, earlier);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      report.add("failed", "instructions", [details.epoch], error.message);
    }
  }
  const all = listed.flatMap(({ instructions }) => instructions);
  const last = listed.at(-1)?.instructions ?? [];
  const values = [last.filter(({ ended }) => ended === 0).length, all.flatMap(({ rewards }) => rewards).length];
  if (listed.length > 0 && !report.hasFailed("instructions")) report.add("passed", "instructions", values);
}

function checkCompounded(byEpoch: Map<number, Details>, report: Report): void {
  let [known, unknown] = [0, 0];
  for (const [epoch, { inputs }] of byEpoch) {
    for (const input of inputs) {
      const earned = earlierEpoch(input);
      if (earned === null) continue;
      const earlier = byEpoch.get(earned);
      if (!earlier) {
        unknown += 1;
        continue;
      }
      known += 1;
      const paid = earlier.owners.find(({ owner }) => owner === input.owner)?.reward ?? 0n;
      if (paid !== input.amount) {
        report.add("failed", "compounded", [input.unit, input.amount, paid], `epoch ${epoch}`);
      }
    }
  }
  if (known > 0 && !report.hasFailed("compounded")) report.add("passed", "compounded", [known]);
  if (unknown > 0) report.add("unchecked", "compounded", [unknown]);
}

function checkProofs(chain: Signed[], proofs: Proof[], owner: string, report: Report): void {
  for (const proof of proofs) {
    const s = chain.find(({ id }) => id === proof.statement);
    try {
      if (!s) throw new DocumentError(`the statement ${proof.statement} of the proof is not among these`);
      verifyProof(proof, s);
      report.add("passed", "proof", [proof.owner, proof.stake, proof.reward, proof.owed, proof.epoch]);
    } catch (error) {
      report.add("failed", "proof", [proof.owner], messageOf(error));
    }
  }
  if (proofs.length === 0) report.add("unchecked", "proof", [owner]);
  const other = proofs.find((proof) => proof.owner !== owner);
  if (proofs.length > 0 && owner !== "") {
    report.add(other ? "failed" : "passed", "owner", other ? [owner, other.owner] : [owner]);
  } else if (proofs.length > 0) report.add("unchecked", "owner");
}

/** Compares the keys and owners of receipts with the user's. Each receipt is valid for the key that it contains. */
function checkReceipts(receipts: SignedReceipt[], { key, owner }: Request, report: Report): void {
  if (receipts.length === 0) report.add("unchecked", "receipts");
  for (const one of receipts) {
    const isOther = (key !== "" && one.key !== key) || (owner !== "" && one.owner !== owner);
    const outcome = isOther ? "failed" : key === "" ? "unchecked" : "passed";
    report.add(outcome, "receipts", [one.kind, one.owner, one.key], statementOf(one, report.tokens));
  }
}

/** What a receipt states, in English. */
function statementOf(c: SignedReceipt, tokens: Tokens | null): string {
  const isOwn = tokens !== null && tokens.community === c.batch.community;
  const facts = [
    c.action && `action ${c.action}`,
    c.order && `order ${c.order}`,
    c.units > 0 && `units: ${c.units}`,
    c.runes > 0n && (isOwn ? inTokens(c.runes, tokens, "en") : `${c.runes} base units`),
    c.sats > 0n && `${c.sats} sats`,
    c.address && `address ${c.address}`,
    c.txid !== "0".repeat(64) && `transaction ${c.txid}, output ${c.vout}`,
    c.height > 0 && `block ${c.height}`,
  ];
  return facts.filter(Boolean).join(", ");
}

/** Compares the outputs of the newest statement with the servers of the user's choice. */
async function checkOutputs(
  chain: Signed[], servers: Servers, report: Report, onProgress: (step: string) => void,
): Promise<void> {
  const last = chain.at(-1);
  if (!last || (!servers.esplora && !servers.ord)) {
    report.add("unchecked", "outputs");
    report.add("unchecked", "runes");
    return;
  }
  const result: Comparison = { compared: 0, withRunes: 0, spent: 0, unconfirmed: 0, findings: [] };
  const total = last.reserves.length;
  let unavailable = "";
  try {
    await compareReserves(last, servers, result, (done) => onProgress(`${done} / ${total}`));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    unavailable = error.message;
  }
  for (const finding of result.findings) report.add("failed", "outputs", [], finding);
  const notes = `${result.unconfirmed} in no block up to ${last.asOf.height}, ${result.spent} spent since`;
  if (unavailable) report.add("unchecked", "outputs", [], unavailable);
  else if (result.findings.length === 0) {
    report.add("passed", "outputs", [result.compared, last.asOf.height], notes);
  }
  if (!servers.ord || result.withRunes < total || unavailable) report.add("unchecked", "runes", [servers.ord]);
  else if (result.findings.length === 0) report.add("passed", "runes", [result.withRunes]);
}
