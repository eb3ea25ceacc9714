import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Responses written by internal/api/golden_test.go. Both sides are tested against the same files. */
const folder = join(process.cwd(), "..", "internal/api/testdata/golden");

/** The names of all golden responses. */
export const goldenNames = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));

/** Returns a golden response with its envelope. */
export function goldenEnvelope(name: string): { success: boolean; message: string; data: unknown } {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as ReturnType<typeof goldenEnvelope>;
}

/** Returns the data of a golden response. */
export function golden<T>(name: string): T {
  const { success, data } = goldenEnvelope(name);
  if (!success) throw new Error(`${name} is a refusal`);
  return data as T;
}
