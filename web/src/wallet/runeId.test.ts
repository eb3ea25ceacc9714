import { expect, it } from "vitest";
import { parseRuneId } from "./runeId.ts";
import { fault } from "./testing/provider.ts";

it.each([
  ["840000:35", 840_000n, 35],
  ["846682:3227", 846_682n, 3227],
  ["878389:2822", 878_389n, 2822],
  ["1:0", 1n, 0],
  ["0:0", 0n, 0],
  ["18446744073709551615:4294967295", (1n << 64n) - 1n, 4_294_967_295],
])("%s is a rune id", (text, block, tx) => {
  expect(parseRuneId(text)).toEqual({ block, tx });
});

it.each([
  "",
  ":",
  "840000",
  "840000:",
  ":35",
  "1:2:3",
  "a:b",
  "-1:0",
  "1.5:0",
  "01:0",
  " 1:0",
  "0:1",
  "18446744073709551616:0",
  "1:4294967296",
])("%j is not a rune id", (text) => {
  expect(() => parseRuneId(text)).toThrow(fault(-32602, "A rune id has exactly two parts, block:tx"));
});
