// @vitest-environment node
import { readFileSync } from "node:fs";
import { hex } from "@scure/base";
import { describe, expect, it } from "vitest";
import { parseRuneId, runestoneScript, varint } from "./runestone";

/** Rows of the reference's decodings that have edicts and a pointer at most: outputs, script, result. */
const rows = readFileSync(new URL("testdata/runestones.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const result = line.split("\t")[2]!;
    const [, , edicts, , pointer, script] = result.split(" ");
    return {
      edicts: edicts!
        .slice(2, -1)
        .split(";")
        .filter(Boolean)
        .map((text) => {
          const [id, amount, output] = text.split(",");
          return { id: parseRuneId(id!), amount: BigInt(amount!), output: Number(output) };
        }),
      pointer: pointer === "p-" ? undefined : Number(pointer!.slice(1)),
      script: script!,
    };
  });

describe("runestoneScript", () => {
  it("writes the reference's bytes", () => {
    expect(rows.length).toBeGreaterThan(300);
    for (const { edicts, pointer, script } of rows) {
      expect(hex.encode(runestoneScript({ edicts, ...(pointer === undefined ? {} : { pointer }) }))).toBe(script);
    }
  });

  it("sorts edicts by rune and keeps the order of one rune's", () => {
    const edict = (id: string, amount: bigint) => ({ id: parseRuneId(id), amount, output: 0 });
    const sorted = [edict("1:2", 5n), edict("1:2", 4n), edict("1:3", 1n), edict("840000:1", 9n)];
    const shuffled = [edict("840000:1", 9n), edict("1:3", 1n), edict("1:2", 5n), edict("1:2", 4n)];
    expect(runestoneScript({ edicts: shuffled })).toEqual(runestoneScript({ edicts: sorted }));
  });
});

describe("varint", () => {
  it("encodes at most 128 bits", () => {
    expect(hex.encode(varint(0n))).toBe("00");
    expect(hex.encode(varint(128n))).toBe("8001");
    expect(hex.encode(varint((1n << 128n) - 1n))).toBe("ff".repeat(18) + "03");
    expect(() => varint(1n << 128n)).toThrow(RangeError);
    expect(() => varint(-1n)).toThrow(RangeError);
  });
});

describe("parseRuneId", () => {
  it.each(["840000", "840000:35:1", ":", "1:", "-1:2", "a:b", "1:2 "])("refuses %j", (text) => {
    expect(() => parseRuneId(text)).toThrow(RangeError);
  });
});
