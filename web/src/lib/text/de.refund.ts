/** German texts about refunds of payment orders. */
import type { LaterText } from "./en.later.ts";

export const refund: LaterText["refund"] = {
  title: "Erstattung",
  received: "Du erhältst",
  amount: "Du hast bezahlt",
  cost: "Netzwerkgebühr",
  estimate: "geschätzt",
  address: "An",
  transaction: "Transaktion",
  state: {
    due: "Wird als Nächstes gesendet",
    waiting_rate: "Wartet auf eine niedrigere Netzwerkgebühr",
    waiting_confirmation: "Wartet auf einen Block",
    over_limit: "Wartet auf Freigabe",
    waiting_person: "Wartet auf den Betreiber",
    sending: "Wird gesendet",
    sent: "Gesendet",
    done: "Erstattet",
  },
  due: "Sie wird innerhalb weniger Minuten gesendet.",
  waitingRate: (most, now) =>
    `Sie wird gesendet, sobald die Gebührenrate des Netzwerks höchstens ${most} sat/vB beträgt. Jetzt beträgt ` +
    `sie ${now} sat/vB: Die Netzwerkgebühr wäre höher als das, was du erhältst.`,
  waitingConfirmation: "Sie wird gesendet, sobald ein Block deine Zahlung bestätigt hat.",
  overLimit:
    "Sie liegt über dem Limit für Erstattungen in 24 Stunden. Sie wird gesendet, sobald das Limit es zulässt oder " +
    "der Betreiber sie freigibt.",
  waitingPerson: "Der Betreiber entscheidet über diese Erstattung.",
  sending: "Sie ist signiert, aber das Netzwerk hat sie noch nicht angenommen. Sie wird automatisch erneut gesendet.",
  sent: "Sie ist nach 3 Bestätigungen endgültig.",
  overpayment: (sats) =>
    `Du hast ${sats} Sats mehr bezahlt als nötig. Nach der Lieferung deiner Runes werden sie abzüglich der ` +
    "Netzwerkgebühr an deine Zahlungsadresse erstattet, wenn genug zum Senden übrig bleibt.",
  overpaymentTooSmall: (sats) =>
    `Du hast ${sats} Sats mehr bezahlt als nötig. Das ist zu wenig für eine Erstattung: Nach der Netzwerkgebühr ` +
    "bliebe zu wenig zum Senden übrig.",
  tooSmall:
    "Was du bezahlt hast, ist zu wenig für eine Erstattung: Nach der Netzwerkgebühr bliebe " +
    "zu wenig zum Senden übrig.",
  detail: (state, cost, address) => `${state} · Netzwerkgebühr ${cost} Sats · an ${address}`,
  contact: "Fragen? Kontaktiere den Betreiber:",
};
