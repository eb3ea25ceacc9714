import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The answers that the server's own tests write (api/golden_test.go): both halves are tested against the same files.
 */
const folder = join(process.cwd(), "..", "api", "testdata", "golden");

/** The names of all golden answers. */
export const goldenNames = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));

/** A whole golden answer. */
export function goldenEnvelope(name: string): { success: boolean; message: string; data: unknown } {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as ReturnType<typeof goldenEnvelope>;
}

/** The data of a golden answer. */
export function golden<T>(name: string): T {
  const { success, data } = goldenEnvelope(name);
  if (!success) throw new Error(`${name} is a refusal`);
  return data as T;
}
