import type { oneTx as english } from "./en.oneTx.ts";

/** German texts about withdrawals in one transaction. */
export const oneTx: typeof english = {
  choose: "Wie geliefert wird",
  option: "In einer Transaktion",
  optionNote: "Deine Wallet signiert die Lieferung, und ihre Coins bezahlen die Gebühr. Ohne vorherige Zahlung.",
  checking: "Die Coins deiner Zahlungsadresse werden geprüft…",
  impossible: (why) => `In einer Transaktion geht es gerade nicht. ${why}`,
  rewards: (count, of) =>
    count === of
      ? "Rewards brauchen einen Zahlungsauftrag. Wähle Stakes aus, um eine Transaktion zu signieren."
      : `${count} dieser ${of} Einheiten ${count === 1 ? "ist ein Reward und braucht" : "sind Rewards und brauchen"} ` +
        "einen Zahlungsauftrag. Wähle nur Stakes aus, um eine Transaktion zu signieren.",
  order: "Zahlungsauftrag",
  orderNote: "Du bezahlst zuerst, mit einer beliebigen Wallet. Die Zahlung kostet selbst eine Netzwerkgebühr.",
  coins: (count, change) =>
    `Gibt ${count} ${count === 1 ? "Coin" : "Coins"} deiner Zahlungsadresse aus. ${change} Sats gehen an sie ` +
    "zurück.",
  note: "Das ist eine Schätzung. Ist die genaue Gebühr höher, zeigen wir sie dir, bevor du signierst.",
  unchecked:
    "Niemand prüft, ob diese Coins Inscriptions oder seltene Sats enthalten; sie gingen verloren. Nimm einen " +
    "Zahlungsauftrag, wenn deine Zahlungsadresse welche enthalten kann.",
  continue: "Weiter zum Signieren",
  title: "Eine Transaktion",
  what:
    "Deine Wallet signiert eine Transaktion: Deine Runes kommen zu dir, und Coins deiner Zahlungsadresse " +
    "bezahlen die Gebühr.",
  fee: "Netzwerkgebühr",
  size: (vbytes, rate) => `${vbytes} vB zu ${rate} sat/vB`,
  sign: "Transaktion signieren",
  again: "Noch einmal signieren",
  preparing: "Die Transaktion wird vorbereitet…",
  signing: "Signiere die Transaktion in deiner Wallet.",
  sending: "Die signierte Transaktion wird gesendet…",
  accept: (sats) =>
    `Die Netzwerkgebühr beträgt ${sats} Sats. Signiere, um sie anzunehmen. Es ist noch nichts signiert.`,
  payOrder: "Stattdessen den Auftrag bezahlen",
  signInstead: "Stattdessen eine Transaktion signieren",
  signInsteadNote: "Ohne vorherige Zahlung: Deine Wallet signiert die Lieferung, und ihre Coins bezahlen die Gebühr.",
  declined: (wallet) => `${wallet} hat nicht signiert, es wurde also nichts gesendet.`,
  failed: (wallet, why) => `${wallet} konnte nicht signieren: ${why} Es wurde nichts gesendet.`,
  signed: "Signiert. Wir fügen unsere Signatur hinzu und senden die Transaktion.",
  signedName: "Signiert",
  keep:
    "Gib dieselben Coins nicht anderswo aus, bis sie bestätigt ist. Sonst bleiben deine Runes gesperrt, bis die " +
    "andere Transaktion 6 Bestätigungen hat. Die nächste Auszahlung kannst du signieren, sobald diese geliefert ist.",
  stuck: "Dauert es zu lange? Ersetze die Transaktion. Nur eine von beiden kann bestätigt werden.",
  replace: "Mit höherer Gebühr signieren",
  replacementSigned: "Du hast einen Ersatz signiert. Wir fügen unsere Signatur hinzu und senden ihn.",
  replacementEnded: {
    ONE_TX_COIN_SPENT:
      "Der Ersatz wurde nicht gesendet: Eine seiner Coins wurde anderswo ausgegeben. Deine Transaktion bleibt, wie " +
      "sie ist.",
    ONE_TX_LATE:
      "Der Ersatz wurde nicht gesendet: Er wurde nicht rechtzeitig signiert. Deine Transaktion bleibt, wie sie ist.",
    ONE_TX_FEE: "Der Ersatz wurde nicht gesendet: Seine Gebühr war zu niedrig. Deine Transaktion bleibt, wie sie ist.",
    ONE_TX_MEMPOOL:
      "Der Ersatz wurde nicht gesendet: Die Gebühren sind inzwischen gestiegen. Deine Transaktion bleibt, wie sie " +
      "ist.",
  },
  replacementEndedOther: "Der Ersatz wurde nicht gesendet. Deine Transaktion bleibt, wie sie ist.",
  paid: (sats) =>
    `Du hast für diesen Auftrag ${sats} Sats bezahlt. Sie gehen nach der Lieferung abzüglich der Netzwerkgebühr ` +
    "zurück.",
  spentElsewhere:
    "Dieser Auftrag wurde storniert, weil eine Coin, die ihn bezahlen sollte, in einer anderen Transaktion " +
    "ausgegeben wurde. Seine Runes sind wieder verfügbar.",
  ended: {
    ONE_TX_COIN_SPENT:
      "Die letzte Transaktion wurde nicht gesendet: Eine ihrer Coins wurde anderswo ausgegeben. Signiere noch " +
      "einmal mit anderen Coins, oder bezahle den Auftrag.",
    ONE_TX_LATE:
      "Die letzte Transaktion wurde nicht gesendet: Sie wurde nicht rechtzeitig signiert. Signiere noch einmal, " +
      "oder bezahle den Auftrag.",
    ONE_TX_PAYMENT_GONE:
      "Die Lieferung, die du signiert hast, wurde nicht gesendet: Eine Zahlung dieses Auftrags wurde ersetzt oder " +
      "ist nicht mehr bestätigt. Bezahle den Auftrag, und signiere dann noch einmal.",
    ONE_TX_MEMPOOL:
      "Die letzte Transaktion wurde nicht gesendet: Die Gebühren sind inzwischen gestiegen. Signiere noch einmal " +
      "zur jetzigen Gebührenrate, oder bezahle den Auftrag.",
    ONE_TX_REFUSED:
      "Der Signierer des Servers hat die letzte Transaktion abgelehnt, sie wurde also nicht gesendet. Signiere " +
      "noch einmal, oder bezahle den Auftrag.",
  },
  endedOther: "Die letzte Transaktion wurde nicht gesendet. Signiere noch einmal, oder bezahle den Auftrag.",
  apart: "Rewards und Stakes in Selbstverwahrung brauchen zwei Aufträge. Zahle erst die einen aus, dann die anderen.",
  onlyStakes: "Nur Stakes auswählen",
  onlyRewards: "Nur Rewards auswählen",
  tooManySelf: (max) => `Ein Auftrag mit Stakes in Selbstverwahrung kann höchstens ${max} Einheiten enthalten.`,
  signDelivery: "Lieferung signieren",
  paidInFull:
    "Vollständig bezahlt. Sobald deine Zahlung bestätigt ist, signierst du die Lieferung auf dieser Seite. Deine " +
    "Runes kommen 3 Bestätigungen später an.",
  signLater: "Sobald deine Zahlung bestätigt ist, signierst du die Lieferung auf dieser Seite.",
  delivery: "Deine Zahlung ist bestätigt. Signiere die Transaktion, die dir deine Runes sendet.",
  returns: (sats) => `${sats} Sats deiner Zahlung gehen an deine Zahlungsadresse zurück.`,
  signBy: (date) =>
    `Signiere bis ${date}. Sonst läuft dieser Auftrag ab: Seine Runes sind wieder verfügbar, und deine Zahlung ` +
    "wird abzüglich der Netzwerkgebühr zurückgesendet.",
  toSign: (amount, token, date) =>
    `Die Lieferung von ${amount} ${token} ist bezahlt und braucht deine Signatur bis ${date}.`,
  voided: {
    ONE_TX_PAYMENT_GONE:
      "Deine letzte Signatur gilt nicht mehr: Eine Zahlung dieses Auftrags wurde ersetzt oder ist nicht mehr " +
      "bestätigt. Signiere noch einmal.",
    ONE_TX_PAYMENT_ADDED:
      "Deine letzte Signatur gilt nicht mehr: Eine Zahlung dieses Auftrags ist eingegangen. Signiere noch einmal.",
    ONE_TX_ORDER:
      "Deine letzte Signatur gilt nicht mehr: Der Betreiber hat diesen Auftrag vor dem Senden geprüft. Signiere " +
      "noch einmal.",
    ONE_TX_LATE:
      "Deine letzte Signatur gilt nicht mehr: Die Lieferung konnte nicht rechtzeitig gesendet werden. Signiere noch " +
      "einmal.",
    ONE_TX_REFUSED:
      "Der Signierer des Servers hat die Lieferung, die du signiert hast, abgelehnt. Sie wurde nicht gesendet. " +
      "Signiere noch einmal.",
  },
  voidedOther: "Die Lieferung, die du signiert hast, wurde nicht gesendet. Signiere noch einmal.",
  unsigned: "Dieser Auftrag ist abgelaufen, bevor seine Lieferung signiert war. Seine Runes sind wieder verfügbar.",
  otherTransaction: "Die Transaktion des Servers lässt sich nicht prüfen. Es wurde nichts signiert.",
  otherUnits: "Die Transaktion des Servers gibt nicht die Einheiten dieses Auftrags aus. Es wurde nichts signiert.",
  otherRunes: "Die Transaktion des Servers sendet dir nicht alle Runes dieses Auftrags. Es wurde nichts signiert.",
  otherOutputs: "Die Transaktion des Servers zahlt nicht nur an deine eigenen Adressen. Es wurde nichts signiert.",
  otherInputs: "Die Transaktion des Servers nennt die zu signierenden Inputs falsch. Es wurde nichts signiert.",
  otherLeaf: "Die Transaktion des Servers gibt deine Stakes anders aus, als sie sollte. Es wurde nichts signiert.",
  otherSighash:
    "Die Transaktion des Servers verlangt eine Signatur, die nicht alles abdeckt. Es wurde nichts signiert.",
  otherFee: (sats) =>
    `Die Transaktion des Servers hat nicht die Gebühr von ${sats} Sats. Es wurde nichts signiert.`,
};
