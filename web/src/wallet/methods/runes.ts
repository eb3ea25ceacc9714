import { digits, integer, list, nothing, nullable, object, optional, pattern, text, txid } from "../check";
import { call } from "./call";

/** At least one base unit, in digits. */
const positive = pattern(/^[1-9][0-9]{0,38}$/, "a whole number of base units above 0, in digits");

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
    object({ recipients: list(object({ runeName: text({ min: 1 }), amount: positive, address: text({ min: 1 }) }), 1) }),
    object({ txid }),
  ),
};
