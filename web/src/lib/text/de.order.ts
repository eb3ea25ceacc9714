/** German texts about payment orders. */
import type { LaterText } from "./en.later.ts";

export const order: LaterText["order"] = {
  title: "Zahlungsauftrag",
  requesting: "Zahlungsdaten werden geladen …",
  notFound: "Dieser Auftrag gehört nicht zur verbundenen Wallet.",
  progress: "Bisher bezahlt",
  delivers: (amount, token) => `Liefert ${amount} ${token}`,
  delivered: (amount, token) => `${amount} ${token} geliefert`,
  id: "Auftrag",
  due: "Noch zu zahlen",
  amountDue: "Zu zahlen",
  address: "Zahlungsadresse",
  stillDue: (sats) => `${sats} Sats sind noch zu zahlen.`,
  inParts: "Jede weitere Zahlung erhöht die Netzwerkgebühr. Am günstigsten zahlst du alles auf einmal.",
  partlyPaid: "Teilweise bezahlt",
  covered: "Bezahlt, in Arbeit",
  copyAddress: "Zahlungsadresse kopieren",
  copyAmount: "Betrag in BTC kopieren",
  qr: (amount) => `QR-Code zum Bezahlen von ${amount} BTC`,
  qrLabel: (community) => `${community} Zahlungsauftrag`,
  qrMessage: (id) => `Auftrag ${id}`,
  payByHand: (wallet) =>
    `${wallet} kann von dieser Seite aus nicht bezahlen. Scanne den Code oder kopiere Adresse und Betrag und ` +
    "bezahle in deiner Wallet.",
  payWallet: "Mit Wallet bezahlen",
  paying: "Bestätige die Zahlung in deiner Wallet.",
  paidWallet: "Mit der Wallet bezahlt.",
  openApp: "In einer Wallet-App öffnen",
  rerate: "Auftrag neu berechnen",
  expiredFees: "Die Gebühren dieses Auftrags sind abgelaufen. Lass ihn neu berechnen, um zu bezahlen.",
  expiredPrice: "Abgelaufener Preis",
  expiredFeesNote: "Du siehst dann den aktuellen Preis.",
  cancel: "Stornieren",
  cancelNote: "Beendet diesen Auftrag und gibt seine Runes wieder frei.",
  cancelAsk:
    "Diesen Auftrag stornieren? Seine Runes sind dann wieder verfügbar. Was du bezahlt hast, geht an deine " +
    "Zahlungsadresse zurück, wenn es die Netzwerkgebühr deckt.",
  cancelAskPaid:
    "Diesen bezahlten Auftrag stornieren? Seine Runes werden nicht gesendet und sind wieder verfügbar. Deine " +
    "Zahlung geht abzüglich der Netzwerkgebühr an deine Zahlungsadresse zurück.",
  cancelAskUnpaid: "Diesen Auftrag stornieren? Seine Runes sind dann wieder verfügbar.",
  cancelYes: "Ja, stornieren",
  cancelNo: "Auftrag behalten",
  continue: "Weiter zur Zahlung",
  complete: "Vollständig bezahlt. Deine Runes kommen nach 3 Bestätigungen an.",
  completeUnconfirmed:
    "Vollständig bezahlt. Deine Runes werden gesendet, sobald die Zahlung bestätigt ist, und kommen nach 3 " +
    "weiteren Bestätigungen an.",
  deadline: (date) => `Zahlbar bis ${date}`,
  feeUntil: (left) => `Dieser Preis gilt noch ${left}`,
  feeOver: "Dieser Preis ist nicht mehr garantiert",
  warnFive: "Noch weniger als 5 Minuten Zeit zum Bezahlen.",
  warnOne: "Noch weniger als 1 Minute Zeit zum Bezahlen.",
  history: "Zahlungsverlauf",
  searchTx: "Nach Transaktions-ID suchen",
  noPayments: "Noch keine Zahlung eingegangen.",
  confirmed: "Bestätigt",
  unconfirmed: "Unbestätigt",
  payout: "Liefertransaktion",
  refused: (since) =>
    `Deine Lieferung ist signiert, aber das Netzwerk hat sie noch nicht angenommen (seit ${since}). Wir ` +
    "versuchen es weiter, und der Betreiber ist informiert. Du musst nichts tun; deine Runes sind sicher.",
  timeline: "Verlauf des Auftrags",
  created: "Erstellt",
  status: {
    PENDING: "Offen",
    CANCELED: "Storniert",
    EXPIRED: "Auftrag abgelaufen",
    PAID: "Bezahlt",
    SENT: "Gesendet",
    DELIVERED: "Geliefert",
    CONFIRMED: "Bestätigt",
    PENDING_RERATE: "Neuberechnung nötig",
    INVALID: "Ungültig",
    AUDIT: "In Prüfung",
    CONSOLIDATED: "Geliefert",
  },
  state: {
    PENDING: "Wartet auf deine Zahlung.",
    CONFIRMED: "Deine erste Zahlung ist eingegangen. Bezahle den Rest innerhalb einer Woche.",
    PENDING_RERATE: "Die Netzwerkgebühren dieses Auftrags sind veraltet. Lass ihn neu berechnen, um fortzufahren.",
    PAID: "Bezahlt. Deine Runes gehen mit der nächsten Lieferung hinaus und kommen nach 3 Bestätigungen an.",
    SENT: "Gesendet. Deine Runes kommen nach 3 Bestätigungen an.",
    DELIVERED: "Geliefert. Deine Runes sind in deiner Wallet.",
    CONSOLIDATED: "Geliefert. Deine Runes sind in deiner Wallet.",
    CANCELED: "Dieser Auftrag wurde storniert. Seine Runes sind wieder verfügbar.",
    EXPIRED:
      "Dieser Auftrag ist abgelaufen, weil keine Zahlung rechtzeitig eingegangen ist. Seine Runes sind wieder " +
      "verfügbar.",
    INVALID:
      "Dieser Auftrag kann nicht ausgeführt werden, weil einige seiner Runes nicht mehr auf der Blockchain sind.",
    AUDIT: "Der Betreiber prüft diesen Auftrag. Deine Zahlung ist sicher, und seine Runes sind wieder verfügbar.",
  },
  statePaid: {
    EXPIRED:
      "Dieser Auftrag ist abgelaufen, weil er nicht rechtzeitig vollständig bezahlt wurde. Seine Runes sind " +
      "wieder verfügbar.",
  },
  costs: (sats) => `Kosten: ${sats} Sats`,
  paidOf: (paid, total, sats) => `${paid} Sats von ${total} BTC (${sats} Sats)`,
  overdue:
    "Die Zahlungsfrist ist vorbei. Bitte bezahle diesen Auftrag jetzt nicht mehr. Hast du schon bezahlt, erscheint " +
    "deine Zahlung hier innerhalb einer Minute.",
  cancelAskCovered:
    "Du hast diesen Auftrag vollständig bezahlt. Wenn du jetzt stornierst, werden seine Runes nicht gesendet: Was " +
    "du bezahlt hast, geht abzüglich der Netzwerkgebühr an deine Zahlungsadresse zurück.",
  cancelLoses: (lost, returned) =>
    `Du verlierst etwa ${lost} Sats an die Netzwerkgebühr. Etwa ${returned} Sats gehen zurück.`,
  cancelLosesAll: (lost) =>
    `Du verlierst die bezahlten ${lost} Sats: Die Netzwerkgebühr lässt zu wenig für eine Rückzahlung übrig.`,
  uncounted: (sats, rate) =>
    `Du hast ${sats} Sats bezahlt, die nicht zählen: Bei ${rate} sat/vB kostet es etwa so viel, eine so kleine ` +
    "Zahlung auszugeben, wie sie wert ist. Der Betrag unten ist noch fällig.",
  uncountedLost: "Eine so kleine Zahlung geht auch nicht zurück, weil die Netzwerkgebühr sie aufbrauchen würde.",
  uncountedKept: "Wenn der Auftrag endet, geht sie abzüglich der Netzwerkgebühr zurück.",
};
