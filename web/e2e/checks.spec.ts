import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

/** The design's acceptance checks, by number. */
const COUNT = 38;

test(`each of the ${COUNT} acceptance checks has a test that names it, once`, () => {
  const folder = import.meta.dirname;
  const specs = readdirSync(folder).filter((file) => file.endsWith(".spec.ts"));
  const named = specs.flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(/\btest(?:\.describe)?\(\s*["`]check (\d+): /g),
  ]);
  const numbers = named.map((found) => Number(found[1])).toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1));
});
