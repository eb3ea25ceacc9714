/** The codes of the wallet library (wallet/texts.ts) in German. `%s` stands for a value, in its order. */
export const walletFaults: Record<string, string> = {
  noMethod: "Es fehlt die Methode der Wallet",
  messageTooLong: "Die Nachricht darf höchstens 80 Zeichen lang sein.",
  badParams: "%s: %s",
  noListener: "Diese Wallet meldet keine Änderungen (addListener). Bitte aktualisiere sie.",
  signFailed: "Die Nachricht für %s konnte mit Xverse nicht signiert werden",
  noProvider: "Keine Wallet gefunden",
  noWallets: "Keine Wallet gefunden. Installiere zuerst eine.",
  notSelected: "Es wurde keine Wallet gewählt. Vielleicht hast du die Auswahl abgebrochen.",
  connectionFailed: "Die Verbindung zur Wallet ist fehlgeschlagen",
  connectionRefused: "Du hast die Verbindung abgelehnt.",
  incompatible: "Keine passenden Adressen gefunden",
  nullResult: "Die Wallet hat nichts geantwortet",
  runesRejected: "Du hast die Überweisung abgelehnt",
  runesFailed: "Fehler beim Überweisen der Runes: %s",
  paymentCancelled: "Du hast abgebrochen. Bitte schließe die Zahlung ab.",
  walletError: "Die Wallet konnte die Anfrage nicht verarbeiten",
  noAddresses: "Keine Wallet-Adressen",
  notConnected: "Keine Wallet verbunden",
  unknownResponse: "Die Wallet hat unverständlich geantwortet.",
  callFailed: "Der Aufruf der Wallet ist fehlgeschlagen",
  notSupported: "Diese Wallet kann das nicht",
  noAnswer: "Die Wallet hat auf %s nicht geantwortet.",
  aborted: "Die Anfrage wurde aufgegeben.",
  noKey: "Die Wallet hat zu %s keinen öffentlichen Schlüssel genannt. Aktualisiere sie oder nimm eine andere.",
  ended:
    "Deine Wallet gibt dieser Seite kein Konto mehr frei. Entsperre sie, falls sie gesperrt ist, und verbinde sie neu.",
  locked: "Deine Wallet ist gesperrt. Entsperre sie und versuche es noch einmal.",
  busy:
    "In deiner Wallet ist noch eine andere Anfrage offen. Beende oder schließe sie dort und versuche es noch " +
    "einmal.",
  balanceUnreadable: "Dein Guthaben war aus der Wallet nicht zu lesen. Du kannst trotzdem einen Betrag eingeben.",
  noPsbt: "Das ist keine Transaktion zum Unterschreiben (PSBT).",
  otherTransaction:
    "Die Wallet hat eine andere Transaktion zurückgegeben als die zu unterschreibende. Versuche es noch einmal " +
    "oder nimm eine andere Wallet.",
  badSignature:
    "Die Unterschrift der Wallet passt nicht zu dieser Transaktion. Prüfe, ob das richtige Konto aktiv ist, und " +
    "unterschreibe noch einmal.",
  invalidAddress: "Ungültige Adresse",
  badRuneId: "Eine Rune-ID hat genau zwei Teile, Block:Transaktion",
  needsRuneId: "Diese Wallet braucht die ID des Runes",
  notBitcoin: "Die Wallet ist auf %s, nicht auf Bitcoin.",
  wrongNetwork: "Die Wallet ist auf einem anderen Netz. Stelle sie auf %s um.",
  otherAccount: "Die Wallet ist auf einem anderen Konto. Stelle sie auf %s zurück.",
  oneRecipient: "Diese Wallet kann nur an einen Empfänger senden",
  onlyBitcoin: "Nur Bitcoin-Adressen werden unterstützt",
  notSigned: "Die Wallet hat die Transaktion ohne Unterschrift zurückgegeben.",
  noOrders: "Die Ordinals-API unterstützt das Netz %s nicht",
  ordersAway: "Der Order-Dienst antwortet nicht.",
};
