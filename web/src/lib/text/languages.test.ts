import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { walletTexts } from "../../wallet/index.ts";
import * as de from "./de.ts";
import * as deLater from "./de.later.ts";
import { sentences as germanSentences } from "./de.sentences.ts";
import { events as german } from "./de.events.ts";
import * as en from "./en.ts";
import * as enLater from "./en.later.ts";

const pinned = readFileSync(join(process.cwd(), "..", "internal/fault/testdata", "sentences.txt"), "utf8");
const server = new Map(
  pinned
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t") as [code: string, sentence: string]),
);

/** Journal events in the Go code: in the tables of units and orders, and for sats where they are posted. */
function events(): Set<string> {
  const source = (file: string): string => readFileSync(join(process.cwd(), "..", file), "utf8");
  const tables = ["internal/staking/ledger/stage.go", "internal/staking/order/status.go"].flatMap((file) => [
    ...source(file).matchAll(/Event = "([^"]+)"/g),
  ]);
  const posted = [
    ...source("internal/staking/order/service.go").matchAll(/event :?= "([^"]+)"/g),
    ...["request", "found", "confirm"].flatMap((file) => [
      ...source(`internal/staking/payout/refund/${file}.go`).matchAll(/ChangeSpends\([^"]*"([^"]+)"/g),
    ]),
  ];
  return new Set([...tables, ...posted].map(([, name]) => name!.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")));
}

const countValues = (sentence: string): number => (sentence.match(/%[sdq]/g) ?? []).length;
const wallet = Object.entries(walletTexts).map(
  ([code, one]) => [code, typeof one === "string" ? one : one("%s", "%s")] as const,
);

describe("German", () => {
  it.each([
    ["the server", [...server]],
    ["the wallet library", wallet],
  ])("has a sentence for every code of %s, with the same values", (_, sentences) => {
    for (const [code, english] of sentences) {
      expect(english, code).not.toBe("");
      expect(germanSentences[code], `${code}: ${english}`).toBeTruthy();
      expect(countValues(germanSentences[code]!), code).toBe(countValues(english));
    }
  });

  it("has no sentence for an unused code", () => {
    const sent = new Set([...server.keys(), ...wallet.map(([code]) => code)]);
    expect(Object.keys(germanSentences).filter((code) => !sent.has(code))).toEqual([]);
  });

  it("has no English sentence left", () => {
    const same = [
      "N/A",
      "404",
      "BTC",
      "Dust",
      "Rewards",
      "Reward",
      "Stake",
      "Stakes",
      "Staker",
      "Staking",
      "Wallets",
      "Order",
      "Block",
      "Inputs",
      "Outputs",
      "h",
      "m",
      "s",
      "—",
    ];
    const leaves = (value: unknown): string[] =>
      typeof value === "string"
        ? [value]
        : typeof value === "object" && value !== null
          ? Object.values(value).flatMap(leaves)
          : [];
    const english = new Set(leaves([en.text, enLater.later]));
    expect(leaves([de.text, deLater.later]).filter((word) => english.has(word) && !same.includes(word))).toEqual([]);
  });

  it("has a name for every journal event of a staker", () => {
    for (const event of events()) expect(german[event!], event).toBeTruthy();
  });

  it("is the language of a German page", async () => {
    document.documentElement.lang = "de";
    vi.resetModules();
    try {
      const { text } = await import("../text.ts");
      const { loadSentences, translate } = await import("../translate.ts");
      await loadSentences();
      const { formatNumber, formatCompact } = await import("../format.ts");
      expect(text.tabs.withdraw).toBe("Auszahlen");
      const coded = {
        code: "STAKE_BELOW_MINIMUM",
        values: ["1,000 LOBO"],
        message: "The minimum stake is 1,000 LOBO.",
      };
      expect(translate(coded)).toBe("Der Mindestbetrag ist 1.000 LOBO.");
      const rejected = { code: "runesRejected", message: "User rejected rune transfer" };
      expect(translate({ code: "runesFailed", values: [rejected], message: "…" })).toBe(
        "Die Runes konnten nicht gesendet werden: Du hast die Überweisung in deiner Wallet abgelehnt.",
      );
      // A value is not a template. Without a known code, the English sentence stays.
      expect(translate({ ...coded, values: ["%s"] })).toBe("Der Mindestbetrag ist %s.");
      for (const code of ["NEW_CODE", "", undefined]) expect(translate({ ...coded, code })).toBe(coded.message);
      expect(formatNumber("1234.5")).toBe("1.234,5");
      expect(formatCompact("1050000000")).toMatch(/^1,05\sMrd\.$/);
    } finally {
      document.documentElement.lang = "";
    }
  });
});
