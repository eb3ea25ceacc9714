import { entries, sent, lenient, wholeNumber } from "../answer.ts";
import { integer, list, noParams, object, optional, pattern, text } from "../check.ts";
import { call, promptlessCall } from "./call.ts";
import { runeId } from "./names.ts";

/** At least one base unit, as digits. */
const positive = pattern(/^[1-9][0-9]{0,38}$/, "a whole number of base units above 0, in digits");

const recipient = object({
  runeName: text({ min: 1 }),
  amount: positive,
  address: text({ min: 1 }),
  /** For wallets that identify runes only by their ids; others never get it. */
  runeId: optional(runeId),
});

/** Decimal places of a rune, which Xverse writes as a string. */
function places(value: unknown, path: string): number {
  return integer(0, 38)(Number(wholeNumber(value, path)), path);
}

/**
 * One rune of a wallet. Any field may be missing. An unreadable entry stays in the list: without it, the wallet would
 * seem not to hold its rune.
 */
const balance = object({
  runeName: lenient(pattern(/^[A-Za-z•.\s]{1,80}$/u, "a rune's name")),
  /** block:tx. */
  id: lenient(runeId),
  amount: lenient(wholeNumber),
  /** Base units that can be sent now; some wallets omit it. */
  spendableBalance: lenient(wholeNumber),
  divisibility: lenient(places),
  symbol: lenient(text()),
});

/** Runes. Amounts are base units as digits, in both directions. */
export const runesMethods = {
  runes_getBalance: promptlessCall(noParams, object({ balances: entries(anyEntry) })),
  runes_transfer: call(object({ recipients: list(recipient, 1) }), sent, {
    named: ({ recipients }) => ({ addresses: recipients.map(({ address }) => address) }),
    sends: () => true,
  }),
};

/** An entry that is not an object becomes one without fields. */
function anyEntry(value: unknown, path: string): ReturnType<typeof balance> {
  return balance(typeof value === "object" && value !== null && !Array.isArray(value) ? value : {}, path);
}
