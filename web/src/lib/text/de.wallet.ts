/** The sentences of the wallet library (wallet/texts.ts) in German, by code. `%s` stands for a value, in order. */
export const walletErrors: Record<string, string> = {
  noMethod:
    "Diese Seite hat deiner Wallet eine unvollständige Anfrage gesendet. Lade die Seite neu und versuche es noch " +
    "einmal.",
  noProvider: "Keine Wallet gefunden. Installiere eine, um fortzufahren.",
  noWallets: "Keine Wallet gefunden. Installiere eine, um fortzufahren.",
  notSelected: "Es wurde keine Wallet ausgewählt. Wähle eine aus, um dich zu verbinden.",
  connectionFailed: "Die Verbindung zur Wallet ist fehlgeschlagen. Bitte versuche es noch einmal.",
  connectionRefused: "Du hast die Verbindung in deiner Wallet abgelehnt.",
  incompatible:
    "Deine Wallet hat keine hier nutzbare Adresse freigegeben. Wähle ein anderes Konto oder eine andere Wallet.",
  nullResult: "Deine Wallet hat leer geantwortet. Bitte versuche es noch einmal.",
  runesRejected: "Du hast die Überweisung in deiner Wallet abgelehnt.",
  runesFailed: "Die Runes konnten nicht gesendet werden: %s",
  paymentCancelled: "Du hast die Zahlung in deiner Wallet abgebrochen.",
  signFailed: "Die Nachricht für %s konnte nicht signiert werden. Bitte versuche es noch einmal.",
  walletError: "Deine Wallet konnte die Anfrage nicht verarbeiten. Bitte versuche es noch einmal.",
  noAddresses: "Deine Wallet hat keine Adressen freigegeben. Verbinde sie neu.",
  notConnected: "Verbinde zuerst deine Wallet.",
  unknownResponse: "Deine Wallet hat unerwartet geantwortet. Bitte versuche es noch einmal.",
  callFailed: "Die Anfrage an deine Wallet ist fehlgeschlagen. Bitte versuche es noch einmal.",
  notSupported: "Diese Wallet kann das nicht. Nutze eine andere Wallet mit denselben Schlüsseln.",
  messageTooLong: "Die Nachricht darf höchstens 80 Zeichen lang sein.",
  noListener: "Deine Wallet meldet dieser Seite keine Änderungen. Bitte aktualisiere sie.",
  noAnswer: "Deine Wallet antwortet nicht (%s). Bitte versuche es noch einmal.",
  aborted: "Die Anfrage wurde abgebrochen.",
  noKey: "Deine Wallet hat zu %s keinen öffentlichen Schlüssel genannt. Aktualisiere sie oder nutze eine andere.",
  ended:
    "Deine Wallet gibt dieser Seite kein Konto mehr frei. Entsperre sie, falls sie gesperrt ist, und verbinde sie neu.",
  locked: "Deine Wallet ist gesperrt. Entsperre sie und versuche es noch einmal.",
  busy: "In deiner Wallet ist noch eine andere Anfrage offen. Beende oder schließe sie und versuche es noch einmal.",
  balanceUnreadable: "Das Guthaben deiner Wallet ließ sich nicht lesen. Du kannst trotzdem einen Betrag eingeben.",
  noPsbt: "Das ist keine Transaktion, die sich signieren lässt (PSBT).",
  otherTransaction:
    "Deine Wallet hat eine andere Transaktion zurückgegeben. Versuche es noch einmal oder nutze eine andere Wallet.",
  badSignature:
    "Die Signatur deiner Wallet passt nicht zu dieser Transaktion. Prüfe, ob das richtige Konto aktiv ist, und " +
    "signiere noch einmal.",
  notSigned: "Deine Wallet hat die Transaktion ohne Signatur zurückgegeben. Bitte versuche es noch einmal.",
  invalidAddress: "Diese Adresse ist ungültig.",
  badRuneId: "Eine Rune-ID hat zwei Teile: Block:Transaktion.",
  needsRuneId: "Diese Wallet braucht die ID der Rune.",
  notBitcoin: "Deine Wallet ist auf %s eingestellt. Stelle sie auf Bitcoin um.",
  wrongNetwork: "Deine Wallet ist auf ein anderes Netzwerk eingestellt. Stelle sie auf %s um.",
  otherAccount: "In deiner Wallet ist ein anderes Konto aktiv. Wechsle zurück zu %s.",
  oneRecipient: "Diese Wallet kann nur an einen Empfänger gleichzeitig senden.",
  onlyBitcoin: "Hier funktionieren nur Bitcoin-Adressen.",
  noOrders: "Im Netzwerk %s kann man keine Runes erstellen oder minten.",
  ordersAway: "Der Dienst zum Erstellen von Runes antwortet nicht. Bitte versuche es später noch einmal.",
  badParams: "%s: %s",
};
