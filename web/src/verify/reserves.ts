import { fetchText, MissingError, readAddress, UnavailableError } from "./source.ts";
import type { Reserve, Statement } from "./statement.ts";

/** The outcome of a comparison with servers. */
export interface Comparison {
  /** Outputs that were compared. */
  compared: number;
  /** Of these, outputs whose runes were compared. */
  withRunes: number;
  /** Outputs that were spent after the statement's block. */
  spent: number;
  /** Outputs that no block up to the statement's block contains. */
  unconfirmed: number;
  /** What differs, in English. */
  findings: string[];
}

/** Addresses of an Esplora and an ord server; empty means that the server is not asked. */
export interface Servers {
  esplora: string;
  ord: string;
}

const NUMBER_OR_STRING = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON with every number as a string, because amounts may exceed what a number holds exactly. */
export function parseExact(text: string): any {
  return JSON.parse(text.replace(NUMBER_OR_STRING, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

async function fetchExact(address: string): Promise<any> {
  const text = await fetchText(address);
  try {
    return parseExact(text);
  } catch {
    throw new UnavailableError(`${address}: the answer is not JSON`);
  }
}

/** Returns the result, or null if the server answered with status 404. */
async function orMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof MissingError) return null;
    throw error;
  }
}

/**
 * Compares the blocks and the reserves of a statement with the servers. Throws UnavailableError if that can't be
 * finished; `result` then holds what was found before.
 */
export async function compareReserves(
  s: Statement,
  servers: Servers,
  result: Comparison,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const esplora = servers.esplora && readAddress(servers.esplora);
  const ord = servers.ord && readAddress(servers.ord);
  await compareBlocks(s, esplora, ord, result);
  const name = ord ? await runeName(ord, s.rune) : "";
  for (const output of s.reserves) {
    if (esplora) await compareByEsplora(esplora, s.asOf.height, output, result);
    if (ord) await compareByOrd(ord, name, output, esplora !== "", result);
    result.compared += 1;
    onProgress(result.compared);
  }
}

async function compareBlocks(s: Statement, esplora: string, ord: string, result: Comparison): Promise<void> {
  for (const { height, hash } of [s.cut, s.asOf]) {
    const address = esplora ? `${esplora}/block-height/${height}` : `${ord}/blockhash/${height}`;
    const found = (await orMissing(fetchText(address)))?.trim().replaceAll('"', "") ?? "none";
    if (found !== hash) result.findings.push(`block ${height} is ${hash} in the statement, the server has ${found}`);
  }
}

function compareOutput(output: Reserve, value: unknown, script: unknown, result: Comparison): void {
  const { outpoint, sats } = output;
  if (value !== String(sats)) result.findings.push(`${outpoint}: it holds ${value} sats, the statement says ${sats}`);
  if (script !== output.script) {
    result.findings.push(`${outpoint}: its script is ${script}, the statement says ${output.script}`);
  }
}

async function compareByEsplora(
  base: string, height: number, output: Reserve, result: Comparison,
): Promise<void> {
  const [txid, vout] = output.outpoint.split(":") as [string, string];
  const tx = await orMissing(fetchExact(`${base}/tx/${txid}`));
  const found = tx?.vout?.[Number(vout)];
  if (!found) {
    result.findings.push(`${output.outpoint}: there is no such output`);
    return;
  }
  compareOutput(output, found.value, found.scriptpubkey, result);
  if (!tx.status?.confirmed || Number(tx.status.block_height) > height) result.unconfirmed += 1;
  const spend = await fetchExact(`${base}/tx/${txid}/outspend/${vout}`);
  if (!spend.spent) return;
  if (spend.status?.confirmed && Number(spend.status.block_height) <= height) {
    result.findings.push(
      `${output.outpoint}: ${spend.txid} spent it in block ${spend.status.block_height}, ` +
        `not after the statement's block ${height}`,
    );
  } else {
    result.spent += 1;
  }
}

/** Returns the name with spacers of a rune, by which ord lists balances. */
async function runeName(base: string, id: string): Promise<string> {
  const answer = await fetchExact(`${base}/rune/${id}`);
  const name = answer?.entry?.spaced_rune;
  if (answer?.id !== id || typeof name !== "string" || name === "") {
    throw new UnavailableError(`${base}: no answer about the rune ${id}`);
  }
  return name;
}

/**
 * Compares one output with an ord server, which neither says when an output was spent nor lists the runes of a spent
 * output. With `hasEsplora`, the Esplora server is asked about spent outputs.
 */
async function compareByOrd(
  base: string, name: string, output: Reserve, hasEsplora: boolean, result: Comparison,
): Promise<void> {
  const { outpoint, kind } = output;
  const answer = await orMissing(fetchExact(`${base}/output/${outpoint}`));
  if (!answer) {
    result.findings.push(`${outpoint}: the ord server has no such output`);
    return;
  }
  compareOutput(output, answer.value, answer.script_pubkey, result);
  if (answer.spent) {
    if (!hasEsplora) result.findings.push(`${outpoint}: it is spent, and ord does not say when`);
    return;
  }
  // Older versions of ord list pairs.
  const balances: [string, { amount: string }][] | null = Array.isArray(answer.runes)
    ? answer.runes
    : answer.runes && Object.entries(answer.runes);
  if (!balances || !answer.indexed) {
    throw new UnavailableError(`${outpoint}: the ord server does not list its runes; it needs --index-runes`);
  }
  result.withRunes += 1;
  const held = balances.find(([rune]) => rune === name)?.[1].amount ?? "0";
  if (held !== String(output.runes)) {
    result.findings.push(`${outpoint}: it holds ${held} base units of ${name}, the statement says ${output.runes}`);
  }
  if (kind === "stake" && balances.some(([rune]) => rune !== name)) {
    result.findings.push(`${outpoint}: it holds other runes too`);
  }
}
