// @vitest-environment node
import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as earn from "./en.earn.ts";
import * as etching from "./en.etching.ts";
import * as landing from "./en.landing.ts";
import * as later from "./en.later.ts";
import * as page from "./en.ts";
import * as push from "./en.push.ts";
import * as verify from "./en.verify.ts";

const source = globSync("{src,scripts}/**/*.{ts,tsx}", { exclude: ["src/lib/text/*", "**/*.test.*"] })
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** Codes of the server, and hints that are named after their field, are looked up by a computed key. */
const computed = /^[A-Z0-9_]+$|Hint$/;

/** Returns the path of every text whose key no code names. */
function unused(texts: object, path = ""): string[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    if (computed.test(key)) return [];
    if (!new RegExp(`[.?["]${key}\\b`).test(source)) return [`${path}${key}`];
    return typeof value === "object" && !Array.isArray(value) ? unused(value, `${path}${key}.`) : [];
  });
}

it("are all shown somewhere", () => {
  const loaded = { ...landing.landing, ...verify.verify, ...etching.etching, ...earn.earn, ...push.push };
  const text = { ...page.text, ...later, ...loaded };
  expect(unused(text)).toEqual([]);
});
