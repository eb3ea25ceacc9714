// Builds src/wallet as a separate package in dist-wallet/ or the given folder: ES modules, their types, a package.json,
// README and licence. `npm pack` creates the tarball from it.
import { execFile } from "node:child_process";
import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const web = resolve(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(web, "dist-wallet"));
const { version, license, dependencies } = JSON.parse(await readFile(join(web, "package.json"), "utf8"));

await rm(out, { recursive: true, force: true });
const tsc = join(web, "node_modules/.bin/tsc");
await promisify(execFile)(tsc, ["-p", join(web, "src/wallet/tsconfig.json"), "--outDir", out]);

// The compiler rewrites imports in modules, but not in their type declarations.
for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith(".d.ts")) continue;
  const path = join(entry.parentPath, entry.name);
  const types = await readFile(path, "utf8");
  await writeFile(path, types.replace(/((?:from|import)\s*\(?\s*"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
}

const entry = (name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
/** The packages that src/wallet imports. */
const imported = ["@noble/curves", "@noble/hashes", "@scure/base"];
const manifest = {
  name: "moonfund-wallet",
  version,
  description:
    "Connects web pages to Bitcoin wallets: a checked JSON-RPC interface, adapters for wallets with their own API, " +
    "and mint and etch orders for runes.",
  type: "module",
  license,
  sideEffects: false,
  exports: { ".": entry("index"), "./address": entry("address"), "./package.json": "./package.json" },
  types: "./index.d.ts",
  files: ["**/*.js", "**/*.d.ts", "README.md", "LICENSE"],
  dependencies: Object.fromEntries(imported.map((name) => [name, dependencies[name]])),
};
await writeFile(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
await copyFile(join(web, "src/wallet/README.md"), join(out, "README.md"));
await copyFile(join(web, "../LICENSE"), join(out, "LICENSE"));
