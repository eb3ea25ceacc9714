// Checks the imports between the folders of src/ (`npm run lint`). A folder imports only from lower layers, so folders
// of one layer, such as two features, never import each other. Tests may import everything.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const src = new URL("../src/", import.meta.url);

/**
 * Every folder of src/, lowest layer first. `verify` and `wallet` share no code with the app, so they are in the lowest
 * layer, too.
 */
const layers = [
  ["lib", "verify", "wallet"],
  ["api", "ui"],
  ["push", "receipts", "session"],
  ["action"],
  ["balances", "epoch", "etching", "landing", "order", "reward", "selector", "stake", "unstake", "withdraw"],
  ["pages"],
  ["app", "client", "devwallet", "testing", "verifier"],
];

/** Programs of their own, which import only these folders, whatever their layer. */
const only = { client: ["api"], devwallet: [], verifier: ["lib", "verify"] };

const layerOf = new Map(layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer])));
const isTest = (file) => /\.test\.tsx?$|(^|\/)testing\//.test(file);
const errors = [];

const found = readdirSync(src);
for (const folder of found) if (!layerOf.has(folder)) errors.push(`src/${folder} is in no layer`);
for (const folder of layerOf.keys()) if (!found.includes(folder)) errors.push(`src/${folder} does not exist`);
if (layerOf.size !== layers.flat().length) errors.push("a folder is in two layers");

for (const file of readdirSync(src, { recursive: true })) {
  if (!/\.tsx?$/.test(file) || isTest(file)) continue;
  const [folder] = file.split("/");
  for (const [, path] of readFileSync(new URL(file, src), "utf8").matchAll(
    /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']*)["']/g,
  )) {
    const [imported] = posix.join(posix.dirname(file), path).split("/");
    if (imported === folder) continue;
    const isAllowed = only[folder]?.includes(imported) ?? layerOf.get(imported) < layerOf.get(folder);
    if (!isAllowed) errors.push(`src/${file} may not import ${path}: see the layers in scripts/layers.mjs`);
  }
}

for (const error of errors) console.error(error);
process.exit(errors.length > 0 ? 1 : 0);
