/** German words for what things cost, what they bring and when: payment orders. */
import type { LaterText } from "./en.later.ts";

export const order: LaterText["order"] = {
  costs: (sats) => `Kosten: ${sats} Sats`,
  paidOf: (paid, total) => `${paid} von ${total} Sats bezahlt`,
  overdue:
    "Die Zahlungsfrist ist vorbei. Bitte sende jetzt nichts mehr an diese Order. Hast du schon bezahlt, erscheint " +
    "deine Zahlung hier innerhalb einer Minute.",
  cancelAskCovered:
    "Du hast diese Order vollständig bezahlt. Deine Runes werden gesendet, sobald ein Block deine Zahlung " +
    "bestätigt. Wenn du jetzt stornierst, werden sie nicht gesendet: Was du bezahlt hast, geht abzüglich der " +
    "Netzwerkgebühr an deine Zahlungsadresse zurück.",
};
