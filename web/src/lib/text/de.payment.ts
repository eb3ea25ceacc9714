/** German texts about payments on their way, the proof that a wallet can sign, and the rehearsal of a recovery. */
import type { LaterText } from "./en.later.ts";

export const payment: LaterText["payment"] = {
  sent: (txid) => `Zahlung gesendet. Sie erscheint gleich im Netzwerk: ${txid}`,
  searching: "Wir prüfen, ob deine Zahlung gesendet wurde …",
  checking: "Wird geprüft …",
  notFound: "Es ist keine Zahlung eingegangen. Du kannst es noch einmal versuchen.",
  arrived: "Deine Wallet hat einen Fehler gemeldet, aber deine Zahlung wurde gesendet und ist eingegangen.",
  unclear: (sats, date) =>
    `Deine Wallet sollte am ${date} ${sats} Sats zahlen, aber wir wissen nicht, ob sie es getan hat. Prüfe den ` +
    "Verlauf deiner Wallet, bevor du noch einmal zahlst.",
  unreachable: (sats, date) =>
    `Wir erreichen den Server nicht und können nicht prüfen, ob deine Zahlung von ${sats} Sats vom ${date} ` +
    "gesendet wurde. Prüfe den Verlauf deiner Wallet, bevor du noch einmal zahlst.",
  unsaved:
    "Der Speicher deines Browsers ist voll. Lass diese Seite offen, bis die Zahlung eingegangen ist, sonst merkt " +
    "sie sich die Zahlung nicht.",
  giveUp: "Ich sehe nichts in meiner Wallet",
  checkAgain: "Noch einmal prüfen",
  again: "Noch einmal zahlen",
  risk:
    "Wenn auch die erste Zahlung eingeht, zahlst du doppelt. Die Überzahlung bekommst du abzüglich der " +
    "Netzwerkgebühr zurück, wenn sie diese Gebühr deckt.",
  riskOrder:
    "Wenn auch die frühere Zahlung eingeht, bezahlt sie ihren eigenen Auftrag. Du bekommst beides, oder eine " +
    "Erstattung, wenn einer nicht ausgeführt werden kann.",
  againYes: "Trotzdem noch einmal zahlen",
  againNo: "Weiter warten",
  cancelRisk:
    "Du hast eine Zahlung gesendet, die noch nicht eingegangen ist. Geht sie nach dem Stornieren ein, bekommst du " +
    "sie abzüglich der Netzwerkgebühr zurück, wenn sie diese Gebühr deckt.",
};

export const proof: LaterText["proof"] = {
  title: "Prüfe zuerst, ob deine Wallet signieren kann",
  why:
    "Um später zu unstaken, Rewards abzuholen oder auszuzahlen, muss deine Wallet eine Nachricht signieren. " +
    "Signiere jetzt eine Testnachricht, um sicherzugehen. Sie ist kostenlos und sendet nichts.",
  confirm: "Signiere die Testnachricht in deiner Wallet.",
  confirmTransaction: "Signiere die Testtransaktion in deiner Wallet. Sie bewegt 0 Sats und kann nie gesendet werden.",
  start: "Testnachricht signieren",
  byTransaction: "Stattdessen eine Testtransaktion signieren",
  offer:
    "Manche Wallets können Transaktionen signieren, aber keine Nachrichten. Eine Testtransaktion beweist dasselbe, " +
    "ist kostenlos und kann nie gesendet werden.",
  stop: "Jetzt nicht",
  form: "Was du signierst",
  forms: {
    message: "Eine Nachricht signieren",
    transaction:
      "Eine Transaktion über 0 Sats signieren, die nie gesendet werden kann " +
      "(falls Nachrichten nicht gehen)",
  },
  declined: (wallet) => `${wallet} hat nicht signiert. Es wurde nichts gesendet.`,
  failed: (wallet, why) => `${wallet} konnte nicht signieren: ${why}`,
  wrong: (wallet, address) =>
    `Die Signatur von ${wallet} passt nicht zu deiner Adresse ${address}. Es wurde nichts gesendet. Prüfe, welches ` +
    "Konto in der Wallet ausgewählt ist.",
  switched: "Du hast in deiner Wallet das Konto gewechselt. Es wurde nichts gesendet.",
  cannot: (wallet) =>
    `${wallet} hat weder eine Nachricht noch eine Transaktion signiert. Du könntest damit nicht unstaken oder ` +
    "Rewards abholen. Verbinde eine andere Wallet mit denselben Schlüsseln.",
  // Plain letters only: some wallets sign nothing else.
  message: (site, address, nonce) =>
    `Testsignatur auf ${site}\n\nSie zeigt, dass meine Wallet signieren kann. Sie sendet nichts und kostet ` +
    `nichts.\n\nAdresse: ${address}\nNummer: ${nonce}`,
};

export const stake: LaterText["stake"] = {
  ambiguous: (large, small, plain) => `Meinst du ${large} oder ${small}? Gib den Betrag als ${plain} ein.`,
  either: (one, other) => `${one} oder ${other}`,
  unreadable: (example) => `Gib den Betrag als Zahl ein, zum Beispiel ${example}.`,
  searching: "Wir prüfen, ob deine Überweisung gesendet wurde …",
  unclear:
    "Deine Wallet sollte diesen Stake senden, aber wir wissen nicht, ob sie es getan hat. Prüfe den Verlauf deiner " +
    "Wallet, bevor du ihn noch einmal sendest.",
  unreachable:
    "Wir erreichen den Server nicht und können nicht prüfen, ob dein Stake gesendet wurde. Prüfe den Verlauf " +
    "deiner Wallet, bevor du ihn noch einmal sendest.",
  notFound: "Es ist keine Überweisung eingegangen. Du kannst es noch einmal versuchen.",
  again: "Noch einmal senden",
  risk: "Wenn auch die erste Überweisung eingeht, stakst du den Betrag doppelt.",
  againYes: "Trotzdem noch einmal senden",
  onTheWay: (amount, token, txid) => `Außerdem unterwegs: ${amount} ${token} in Transaktion ${txid}`,
  unsaved:
    "Der Speicher deines Browsers ist voll. Lass diese Seite offen, bis die Überweisung eingegangen ist, sonst " +
    "merkt sie sich die Überweisung nicht.",
  spendable: (amount) => `${amount} verfügbar`,
  reading: "Dein Guthaben wird geladen …",
  offShares: "„Hälfte“ und „Max.“ brauchen dein Guthaben.",
  tooMuch: (amount, token) => `Deine Wallet kann höchstens ${amount} ${token} senden.`,
  custody:
    "Nichts bewegt deinen Stake ohne deine Signatur. Das kostet beim Staken nichts und beim Auszahlen etwa 50 vB " +
    "mehr je Stake: 500 Sats bei 10 sat/vB.",
  selfCustody: "nur du und der Betreiber zusammen können ihn bewegen, und nach der Wartefrist du allein.",
  operatorCustody: "der Betreiber kann diesen Stake jederzeit bewegen.",
  otherCustody:
    "Die Adresse des Servers ist für eine andere Verwahrung, als du gewählt hast. Es wurde nichts gesendet.",
  otherDelay:
    "Die Stake-Adresse des Servers hat eine andere Wartefrist für die Rückholung als diese Community. Es wurde " +
    "nichts gesendet.",
  otherAddress: "Die Stake-Adresse des Servers ließe sich ohne deine Signatur bewegen. Es wurde nichts gesendet.",
};

export const rehearsal: LaterText["rehearsal"] = {
  title: "Vor deinem ersten Stake: eine Probe",
  what:
    "Deine Wallet muss signieren, wenn du zusammen mit dem Betreiber auszahlst und wenn du einen Stake allein " +
    "zurückholst. Sie signiert jetzt eine Probe von beidem, damit feststeht, dass sie es kann. Die Probe gibt " +
    "Outputs aus, die es nicht gibt, und kann deshalb nie gesendet werden.",
  confirm: "Signiere die Probe in deiner Wallet.",
  refused: (wallet) => `${wallet} kann nicht signieren, was dieser Stake braucht. Es wurde nichts gesendet.`,
  wallets: "Xverse und Unisat können das. Du kannst eine davon mit derselben Seed-Phrase verbinden.",
  declined:
    "Du hast die Probe abgelehnt, oder deine Wallet hat sie mit einem Fehler beendet. Es wurde nichts gesendet.",
  wrong: (wallet) => `${wallet} hat die Probe ohne gültige Signaturen zurückgegeben.`,
  why: (words) => `Meldung der Wallet: ${words}`,
  anyway: "Du kannst auch in Verwahrung des Betreibers staken. Der Betreiber kann diesen Stake jederzeit bewegen.",
  stakeAnyway: "In Verwahrung des Betreibers staken",
};

export const recovery: LaterText["recovery"] = {
  sending: "Deine Rückholung wird gesendet …",
  notSent: (why) => `Nicht gesendet: ${why}`,
  elsewhere:
    "Du kannst sie mit deinem eigenen Node oder jedem Block-Explorer senden. Dieselbe Transaktion zweimal zu " +
    "senden schadet nicht.",
  send: "Transaktion senden",
};
