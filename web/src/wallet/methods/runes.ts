import { entries, sent, unneeded, wholeNumber } from "../answer.ts";
import { integer, list, nothing, object, optional, pattern, text } from "../check.ts";
import { call, quietCall } from "./call.ts";
import { runeId } from "./names.ts";

/** At least one base unit, in digits. */
const positive = pattern(/^[1-9][0-9]{0,38}$/, "a whole number of base units above 0, in digits");

const recipient = object({
  runeName: text({ min: 1 }),
  amount: positive,
  address: text({ min: 1 }),
  /** For wallets that know runes by their ids only; others never see it. */
  runeId: optional(runeId),
});

/** Decimal places of a rune, which Xverse writes as a text. */
function places(value: unknown, path: string): number {
  return integer(0, 38)(Number(wholeNumber(value, path)), path);
}

/**
 * One rune of a wallet. Any field may be missing: an entry that cannot be read stays in the list, so that its
 * rune is not taken for one that the wallet does not hold.
 */
const balance = object({
  runeName: unneeded(pattern(/^[A-Za-z•.\s]{1,80}$/u, "a rune's name")),
  /** block:tx. */
  id: unneeded(runeId),
  amount: unneeded(wholeNumber),
  /** What can be sent now; wallets leave it out. */
  spendableBalance: unneeded(wholeNumber),
  divisibility: unneeded(places),
  symbol: unneeded(text()),
});

/** Runes. Amounts are base units in digits, in both directions. */
export const runesMethods = {
  runes_getBalance: quietCall(nothing, object({ balances: entries(anyEntry) })),
  runes_transfer: call(object({ recipients: list(recipient, 1) }), sent, {
    named: ({ recipients }) => ({ addresses: recipients.map(({ address }) => address) }),
    sends: () => true,
  }),
};

/** An entry that is no object is one of which nothing is known. */
function anyEntry(value: unknown, path: string): ReturnType<typeof balance> {
  return balance(typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}, path);
}
