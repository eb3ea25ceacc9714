// Writes a .br and a .gz beside every text file of dist/, which the server sends unchanged.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const dist = new URL("../dist/", import.meta.url).pathname;
const text = /\.(js|css|svg|json|txt)$/;
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !text.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const raw = await readFile(path);
  await writeFile(`${path}.gz`, await promisify(gzip)(raw, { level: 9 }));
  await writeFile(`${path}.br`, await promisify(brotliCompress)(raw, brotli));
}
