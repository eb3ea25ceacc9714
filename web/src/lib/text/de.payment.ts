/**
 * German words for payments on their way, for the proof that a wallet can sign, and for the rehearsal of a recovery.
 */
import type { LaterText } from "./en.later.ts";

export const payment: LaterText["payment"] = {
  sent: (txid) => `Zahlung gesendet, wartet auf das Netz: ${txid}`,
  looking: "Es wird geprüft, ob deine Zahlung gesendet wurde …",
  checking: "Wird geprüft …",
  unseen: "Es ist keine Zahlung angekommen. Du kannst es noch einmal versuchen.",
  arrived: "Deine Wallet hat einen Fehler gemeldet, aber deine Zahlung wurde gesendet und ist angekommen.",
  unclear: (sats, date) =>
    `Deine Wallet sollte am ${date} ${sats} Sats zahlen, und wir wissen nicht, ob sie es getan hat. Sieh im ` +
    "Verlauf deiner Wallet nach, bevor du noch einmal zahlst.",
  away: (sats, date) =>
    `Der Server ist nicht erreichbar: Wir können nicht prüfen, ob deine Zahlung von ${sats} Sats vom ${date} ` +
    "gesendet wurde. Sieh im Verlauf deiner Wallet nach, bevor du noch einmal zahlst.",
  fragile:
    "Der Speicher deines Browsers ist voll. Diese Zahlung ist vergessen, wenn du die Seite schließt. Lass sie " +
    "offen, bis die Zahlung ankommt.",
  giveUp: "Meine Wallet zeigt nichts",
  lookAgain: "Noch einmal prüfen",
  again: "Noch einmal zahlen",
  risk:
    "Kommt die erste Zahlung auch an, zahlst du doppelt. Was über dem Preis liegt, kommt nur zurück, wenn es zum " +
    "Senden reicht, abzüglich der Netzgebühr.",
  riskOrder:
    "Kommt die frühere Zahlung auch an, bezahlt sie ihre eigene Order: Du bekommst beides, oder zurück, was nicht " +
    "geht.",
  againYes: "Trotzdem noch einmal zahlen",
  againNo: "Weiter warten",
  cancelRisk:
    "Du hast eine Zahlung gesendet, die noch nicht angekommen ist. Kommt sie nach dem Stornieren an, wird sie nur " +
    "zurückgezahlt, wenn sie zum Senden reicht, abzüglich der Netzgebühr.",
};

export const proof: LaterText["proof"] = {
  title: "Prüfe zuerst, ob deine Wallet signieren kann",
  why:
    "Zum Unstaken, Abholen und Auszahlen muss deine Wallet später eine Nachricht signieren. Signiere jetzt eine " +
    "Testnachricht: Sie ist kostenlos, sendet nichts und zeigt, dass es geht.",
  confirm: "Signiere die Testnachricht in deiner Wallet.",
  confirmTransaction: "Signiere die Testtransaktion in deiner Wallet. Sie hat 0 Sats und kann nie gesendet werden.",
  start: "Testnachricht signieren",
  byTransaction: "Stattdessen Testtransaktion signieren",
  offer:
    "Manche Wallets signieren Transaktionen, aber keine Nachrichten. Eine Testtransaktion beweist dasselbe, kostet " +
    "nichts und kann nie gesendet werden.",
  stop: "Jetzt nicht",
  form: "Was du signierst",
  forms: {
    message: "Eine Nachricht signieren",
    transaction: "Eine Transaktion von 0 Sats signieren, die nie gesendet werden kann, wenn Nachrichten nicht gehen",
  },
  declined: (wallet) => `${wallet} hat nicht signiert. Es wurde nichts gesendet.`,
  failed: (wallet, why) => `${wallet} konnte nicht signieren: ${why}`,
  wrong: (wallet, address) =>
    `Die Signatur von ${wallet} passt nicht zu deiner Adresse ${address}. Es wurde nichts gesendet. Sieh nach, ` +
    "welches Konto in der Wallet gewählt ist.",
  switched: "Deine Wallet hat das Konto gewechselt. Es wurde nichts gesendet.",
  cannot: (wallet) =>
    `${wallet} hat weder eine Nachricht noch eine Transaktion signiert: Du könntest damit nicht unstaken oder ` +
    "abholen. Verbinde eine Wallet mit denselben Schlüsseln, die signieren kann.",
  // Plain letters only: some wallets sign nothing else.
  message: (site, address, nonce) =>
    `Testsignatur auf ${site}\n\nSie zeigt, dass meine Wallet signieren kann. Sie sendet nichts und kostet ` +
    `nichts.\n\nAdresse: ${address}\nNummer: ${nonce}`,
};

export const stake: LaterText["stake"] = {
  ambiguous: (large, small, plain) => `Es ist nicht klar, ob ${large} oder ${small} gemeint ist. Gib ${plain} ein.`,
  either: (one, other) => `${one} oder ${other}`,
  unreadable: (example) => `Dieser Betrag ist nicht lesbar. Gib ihn wie ${example} ein.`,
  looking: "Es wird geprüft, ob dein Stake gesendet wurde …",
  unclear:
    "Deine Wallet sollte diesen Stake senden, und wir wissen nicht, ob sie es getan hat. Sieh im Verlauf deiner " +
    "Wallet nach, bevor du ihn noch einmal sendest.",
  away:
    "Der Server ist nicht erreichbar: Wir können nicht prüfen, ob dein Stake gesendet wurde. Sieh im Verlauf " +
    "deiner Wallet nach, bevor du ihn noch einmal sendest.",
  unseen: "Es ist nichts angekommen. Du kannst es noch einmal versuchen.",
  again: "Noch einmal senden",
  risk: "Kommt die erste Überweisung auch an, stakst du den Betrag doppelt.",
  againYes: "Trotzdem noch einmal senden",
  onTheWay: (amount, token, txid) => `Auch unterwegs: ${amount} ${token} in der Transaktion ${txid}`,
  fragile:
    "Der Speicher deines Browsers ist voll. Dieser Stake ist vergessen, wenn du die Seite schließt. Lass sie " +
    "offen, bis er gesehen ist.",
  spendable: (amount) => `${amount} sind jetzt sendbar`,
  reading: "Dein Guthaben wird gelesen …",
  offShares: "„Hälfte“ und „Max“ brauchen dein Guthaben.",
  tooMuch: (amount, token) => `Deine Wallet zeigt ${amount} ${token}, die du senden kannst.`,
};

export const rehearsal: LaterText["rehearsal"] = {
  open: "Rückholung proben",
  title: "Probe der Rückholung",
  what:
    "Gibt es den Betreiber nicht mehr, muss deine Wallet eine besondere Transaktion signieren, um deinen Stake " +
    "zurückzuholen. Nicht jede Wallet tut das. Probiere es jetzt: Die Probe gibt einen Ausgang aus, den es nicht " +
    "gibt, und kann deshalb nie gesendet werden.",
  safer:
    "Die Probe ist der sicherere Test. Eine echte Rückholung früh zu signieren geht auch, aber wer sie in die " +
    "Hände bekommt, kann deinen Stake nach der Frist beenden.",
  start: "Probe starten",
  repeat: "Probe wiederholen",
  confirm: "Signiere die Probe in deiner Wallet.",
  signed: "Deine Wallet kann deinen Stake ohne den Betreiber zurückholen.",
  refused: (wallet) =>
    `${wallet} hat die Rückholung nicht signiert. Bewahre dein Recovery-Kit und die Wörter deiner Wallet auf, ` +
    "bevor du dich darauf verlässt: Eine andere Wallet mit denselben Schlüsseln kann zurückholen.",
  declined:
    "Du hast die Probe abgelehnt, oder deine Wallet hat sie mit einem Fehler geschlossen. Du kannst sie jederzeit " +
    "wiederholen.",
  wrong: (wallet) => `${wallet} hat die Probe ohne gültige Signatur zurückgegeben.`,
  why: (words) => `Die Wallet sagt: ${words}`,
};

export const recovery: LaterText["recovery"] = {
  sending: "Deine Rückholung wird gesendet …",
  notSent: (why) => `Nicht gesendet: ${why}`,
  elsewhere:
    "Dein Node oder jeder Block-Explorer kann sie senden. Dieselbe Transaktion zweimal zu senden schadet nicht.",
  send: "Transaktion senden",
};
