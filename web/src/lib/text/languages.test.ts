import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { walletTexts } from "../../wallet/index.ts";
import * as de from "./de.ts";
import * as deLater from "./de.later.ts";
import { events as german } from "./de.sentences.ts";
import * as en from "./en.ts";
import * as enLater from "./en.later.ts";

const pinned = readFileSync(join(process.cwd(), "..", "fault", "testdata", "sentences.txt"), "utf8");
const server = new Map(pinned.trimEnd().split("\n").map((line) => line.split("\t") as [name: string, sentence: string]));

/** Events as the Go code has them: those of units and orders in their tables, those of sats where they are posted. */
function events(): Set<string> {
  const source = (file: string): string => readFileSync(join(process.cwd(), "..", file), "utf8");
  const tables = ["ledger/stage.go", "order/status.go"].flatMap((file) => [...source(file).matchAll(/Event = "([^"]+)"/g)]);
  const posted = [...source("order/desk.go").matchAll(/event :?= "([^"]+)"/g), ...source("payout/refund.go").matchAll(/Rebook\([^"]*"([^"]+)"/g)];
  return new Set([...tables, ...posted].map(([, name]) => name!.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")));
}

/** Sentences about requests that no page makes: they speak to programmers. */
const forProgrammers = new Set(
  ("NoSuchCall MethodNotAllowed BodyTooLarge NotJSONType NotJSON NotObject TooDeep TrailingData DuplicateKey MissingKey " +
    "WrongType TooLong NotOneOf NotAmount AmountTooHuge NumberOutOfRange UnknownHost ActionNotPosted ForeignOrigin NotHTTP").split(" "),
);

const verbs = (sentence: string): string => (sentence.match(/%[sdq]/g) ?? []).join(" ");
const written = Object.values(walletTexts).map((one) => (typeof one === "string" ? one : one("%s", "%s")));

describe("German", () => {
  it("translates every sentence of the server that a page can meet", () => {
    for (const [name, sentence] of server) {
      if (forProgrammers.has(name)) continue;
      expect(de.sentences[sentence], `${name}: ${sentence}`).toBeTruthy();
    }
  });

  it("translates nothing that nobody says, and names the same things", () => {
    const said = new Set([...server.values(), ...written]);
    for (const [english, german] of Object.entries(de.sentences)) {
      expect(said, english).toContain(english);
      expect(verbs(german), english).toBe(verbs(english));
    }
  });

  it("has no word left in English", () => {
    const same = ["N/A", "404", "BTC", "Dust", "Rewards", "Reward", "Stake", "Stakes", "Staker", "Staking", "Wallets", "Order", "Block", "h", "m", "s", "—"];
    const leaves = (value: unknown): string[] =>
      typeof value === "string" ? [value] : typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
    const english = new Set(leaves([en.text, enLater.later]));
    expect(leaves([de.text, deLater.later]).filter((word) => english.has(word) && !same.includes(word))).toEqual([]);
  });

  it("names every event of the journal that a staker can meet", () => {
    for (const event of events()) expect(german[event], event).toBeTruthy();
  });

  it("is what a German page shows and says", async () => {
    document.documentElement.lang = "de";
    vi.resetModules();
    try {
      const { say, text } = await import("../text.ts");
      const { formatNumber, formatCompact } = await import("../format.ts");
      expect(text.tabs.withdraw).toBe("Auszahlen");
      expect(say("The smallest stake is 1,000 LOBO.")).toBe("Der kleinste Stake ist 1,000 LOBO.");
      expect(say("What this action promised no longer holds: There is nothing to claim. Please start again.")).toBe(
        "Was diese Aktion versprach, gilt nicht mehr: Es gibt nichts abzuholen. Bitte beginne von vorn.",
      );
      expect(say("Something that nobody has translated.")).toBe("Something that nobody has translated.");
      expect(formatNumber("1234.5")).toBe("1.234,5");
      expect(formatCompact("1050000000")).toMatch(/^1,05\sMrd\.$/);
    } finally {
      document.documentElement.lang = "";
    }
  });
});
