import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const LOBO = resolve(import.meta.dirname, "../../internal/staking/community/manifests/dev/lobo.toml");

/**
 * Creates a folder with the manifest of one community whose recovery delay, in blocks, is short enough for a test, and
 * the function that removes it.
 */
export async function withRecoveryDelay(blocks: number): Promise<{ folder: string; remove: () => Promise<void> }> {
  const text = await readFile(LOBO, "utf8");
  const folder = await mkdtemp(join(tmpdir(), "moonfund-manifests-"));
  await writeFile(join(folder, "lobo.toml"), text.replace(/^recovery_delay = \d+/m, `recovery_delay = ${blocks}`));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
