// Prints every user-visible sentence as one list, English and German side by side: the page, the wallet library, and
// the server (internal/fault/testdata/sentences.txt). A value in a sentence is printed as {name}. `make texts`.
import { readFileSync } from "node:fs";

const folder = new URL("../src/lib/text/", import.meta.url);

/** Modules with one file per language, and the export that contains the text. */
const modules = [
  ["", "text", "Page"],
  ["later", "later", "Page, loaded later"],
  ["earn", "earn", "Estimated earnings and costs"],
  ["events", "events", "Entries of the activity list"],
  ["proofs", "proofs", "Proofs"],
  ["verify", "verify", "Verify statements"],
  ["conflict", "conflict", "Contradicting statements"],
  ["receipts", "receipts", "Signed receipts"],
  ["push", "push", "Messages to the browser"],
  ["landing", "landing", "Landing page"],
  ["etching", "etching", "Etch and mint"],
];

/** Returns every text of a module by its path, such as "stake.submit". Functions get their parameters' names. */
function flatten(value, path = "", found = new Map()) {
  if (typeof value === "function") found.set(path, callWithNames(value));
  else if (typeof value === "string") found.set(path, value);
  else for (const [key, inner] of Object.entries(value)) flatten(inner, path ? `${path}.${key}` : key, found);
  return found;
}

function callWithNames(text) {
  const names = /^\(?([^)=]*)\)?\s*=>/.exec(String(text))?.[1] ?? "";
  const parameters = names.split(",").map((one) => one.split(/[:=]/)[0].trim()).filter(Boolean);
  const called = [text(...parameters.map((name) => `{${name}}`))];
  // Prints a conditional text for each of these values as well.
  const isConditional = / \? |counted\(/.test(String(text));
  if (isConditional) for (const one of [null, 1, 7, 90]) called.push(callWith(text, parameters.map(() => one)));
  return [...new Set(called)].filter((one) => one !== null && !one.includes("NaN")).join("  |  ");
}

/** Returns the text for some values, or null if it can't have them: few texts accept null. */
function callWith(text, values) {
  try {
    return text(...values);
  } catch {
    return null;
  }
}

async function load(file) {
  return import(new URL(file, folder).href);
}

/** Returns the server's sentences by code, from package fault. */
function serverSentences() {
  const lines = readFileSync(new URL("../../internal/fault/testdata/sentences.txt", import.meta.url), "utf8");
  return new Map(lines.trimEnd().split("\n").map((line) => line.split("\t")));
}

function section(title, english, german) {
  const lines = ["", title, "=".repeat(title.length)];
  for (const path of new Set([...english.keys(), ...german.keys()])) {
    lines.push(path);
    for (const [language, texts] of Object.entries({ en: english, de: german })) {
      lines.push(`  ${language}  ${(texts.get(path) ?? "—").replaceAll("\n", "\n      ")}`);
    }
  }
  return lines.join("\n");
}

/** Returns the whole list as text. */
async function listTexts() {
  const sections = [];
  for (const [suffix, name, title] of modules) {
    const file = (code) => (suffix ? `${code}.${suffix}.ts` : `${code}.ts`);
    const [english, german] = await Promise.all([load(file("en")), load(file("de"))]);
    sections.push(section(title, flatten(english[name]), flatten(german[name])));
  }
  const { walletTexts } = await import(new URL("../src/wallet/texts.ts", import.meta.url).href);
  const { sentences } = await load("de.sentences.ts");
  const german = new Map(Object.entries(sentences));
  const of = (codes) => new Map([...codes.keys()].filter((code) => german.has(code)).map((c) => [c, german.get(c)]));
  const library = flatten(walletTexts);
  const server = serverSentences();
  sections.push(section("Wallet library", library, of(library)), section("Server", server, of(server)));
  return sections.join("\n");
}

process.stdout.write(`${await listTexts()}\n`);
