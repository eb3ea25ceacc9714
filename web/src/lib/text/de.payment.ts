/** German words for payments on their way, for the proof that a wallet can sign, and for the rehearsal of a recovery. */
import type { LaterText } from "./en.later.ts";

export const payment: LaterText["payment"] = {
  sent: (txid) => `Zahlung gesendet, wartet auf das Netz: ${txid}`,
  looking: "Es wird geprüft, ob deine Zahlung gesendet wurde …",
  checking: "Wird geprüft …",
  unseen: "Es ist keine Zahlung angekommen. Du kannst es noch einmal versuchen.",
  arrived: "Deine Wallet hat einen Fehler gemeldet, aber deine Zahlung wurde gesendet und ist angekommen.",
  unclear: (sats, date) =>
    `Deine Wallet sollte am ${date} ${sats} Sats zahlen, und wir wissen nicht, ob sie es getan hat. Sieh im Verlauf deiner Wallet nach, bevor du noch einmal zahlst.`,
  away: (sats, date) =>
    `Der Server ist nicht erreichbar: Wir können nicht prüfen, ob deine Zahlung von ${sats} Sats vom ${date} gesendet wurde. Sieh im Verlauf deiner Wallet nach, bevor du noch einmal zahlst.`,
  fragile: "Der Speicher deines Browsers ist voll. Diese Zahlung ist vergessen, wenn du die Seite schließt. Lass sie offen, bis die Zahlung ankommt.",
  giveUp: "Meine Wallet zeigt nichts",
  lookAgain: "Noch einmal prüfen",
  again: "Noch einmal zahlen",
  risk: "Kommt die erste Zahlung auch an, zahlst du doppelt. Was über dem Preis liegt, kommt nur zurück, wenn es zum Senden reicht, abzüglich der Netzgebühr.",
  againYes: "Trotzdem noch einmal zahlen",
  againNo: "Weiter warten",
  cancelRisk: "Du hast eine Zahlung gesendet, die noch nicht angekommen ist. Kommt sie nach dem Stornieren an, wird sie nur zurückgezahlt, wenn sie zum Senden reicht, abzüglich der Netzgebühr.",
};
