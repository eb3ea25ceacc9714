import { digits, integer, list, nothing, nullable, object, optional, pattern, text, txid } from "../check.ts";
import { call } from "./call.ts";
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

/** Runes. Amounts are base units in digits, in both directions. */
export const runesMethods = {
  runes_getBalance: call(
    nothing,
    object({
      balances: list(
        object({
          runeName: text({ min: 1 }),
          amount: digits,
          divisibility: integer(0, 38),
          symbol: text(),
          inscriptionId: optional(nullable(text())),
          spendableBalance: digits,
        }),
      ),
    }),
  ),
  runes_transfer: call(
    object({ recipients: list(recipient, 1) }),
    object({ txid }),
    { named: ({ recipients }) => ({ addresses: recipients.map(({ address }) => address) }) },
  ),
};
