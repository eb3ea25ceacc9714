/**
 * The server's sentences (package fault) in German, by code. `%s` stands for a value, in the order of the English
 * sentence.
 */
export const faults: Record<string, string> = {
  ACTION_EXPIRED: "Diese Aktion ist abgelaufen. Bitte beginne von vorn.",
  ACTION_NOT_POSTED: "STAKE wird nicht als Aktion gesendet. Frage stattdessen eine Stake-Adresse an.",
  ACTION_OTHER_TYPE: "Diese Aktion hat einen anderen Typ: %s.",
  ACTION_PAYMENT_UNDONE:
    "Seit du diese Nachricht signieren solltest, wurde eine Zahlung rückgängig gemacht. Bitte beginne von vorn.",
  ACTION_STALE: "Seit du diese Nachricht signieren solltest, hat sich etwas geändert. Bitte beginne von vorn.",
  ACTION_UNKNOWN:
    "Diese Aktion gehört nicht zu dieser Wallet, oder sie ist längst abgelaufen. " +
    "Bitte beginne von vorn.",
  AMOUNT_TOO_HUGE: "%s ist größer, als die Menge einer Rune sein kann.",
  BODY_TOO_LARGE: "Die Anfrage ist größer als %s KiB.",
  CATCHING_UP:
    "Der Server gleicht sich gerade mit der Bitcoin-Blockchain ab. Bitte versuche es in einigen Minuten noch " +
    "einmal. Dein Guthaben ist sicher.",
  CLAIM_ACTIVE: "Du hast bereits einen offenen Abholauftrag. Schließe ihn zuerst ab oder storniere ihn.",
  CLOCK_UNCERTAIN: "Der Server kann die aktuelle Uhrzeit nicht bestätigen. Bitte versuche es gleich noch einmal.",
  COMMUNITY_CLOSED:
    "Diese Community ist geschlossen: Neue Stakes sind nicht mehr möglich. Unstaken, Abholen und Auszahlen gehen " +
    "weiter.",
  DUPLICATE_KEY: "Der Schlüssel „%s“ kommt mehrfach vor.",
  NO_RECEIPTS: "Diese Community signiert keine Quittungen.",
  NO_SUCH_STATEMENT: "Diese Abrechnung gibt es nicht, oder keine für diese Adresse.",
  ECONOMY_DAYS: "Die Frist der sparsamen Lieferung muss zwischen 1 und %s Tagen liegen.",
  ECONOMY_NEAR_RECOVERY:
    "Du kannst eine dieser Einheiten bald selbst zurückholen, und ein Auftrag muss vorher enden. Wähle höchstens " +
    "%s Tage.",
  ECONOMY_ONLY_FOR_ORDERS: "Nur CLAIM und WITHDRAW haben eine Geschwindigkeit. %s ist kostenlos.",
  ECONOMY_RATE:
    "Die Gebührenrate der sparsamen Lieferung muss mindestens %s und kleiner als die normale Rate von %s sat/vB sein.",
  ECONOMY_TOO_LATE:
    "Du kannst eine dieser Einheiten bald selbst zurückholen, deshalb kann sie nicht auf eine niedrigere " +
    "Gebührenrate warten. Bestelle ohne sparsame Lieferung.",
  EPOCH_UNKNOWN: "Diese Epoche hat noch nicht begonnen.",
  ESTIMATE_ONLY_FOR_ORDERS: "Nur CLAIM und WITHDRAW kosten Sats. %s ist kostenlos.",
  FOREIGN_ORIGIN: "Diese Anfrage kam von der Seite einer anderen Website und wurde deshalb abgelehnt.",
  HEADER_TOO_LARGE:
    "Die Header der Anfrage sind größer als 16 KB. Lösche die Cookies dieser Website oder kürze die Adresse.",
  INVALID_ADDRESS: "Diese Adresse ist ungültig.",
  INVALID_KEY: "%s ist kein öffentlicher Schlüssel in Hex.",
  KEY_NOT_OF_ADDRESS: "Der öffentliche Schlüssel gehört nicht zur Adresse %s.",
  METHOD_NOT_ALLOWED: "Dieser Aufruf erfordert die Methode %s.",
  MISSING_KEY: "%s fehlt.",
  NODE_NOT_READY: "%s",
  NODE_UNFIT:
    "Der Bitcoin-Node des Servers kann das gerade nicht ausführen. Bitte versuche es später noch einmal. Dein " +
    "Guthaben ist sicher.",
  NOT_COMPOUNDING: "Deine Rewards werden nicht automatisch gestakt.",
  NOTHING_CLAIMABLE: "Du hast keine Rewards zum Abholen.",
  NOT_AMOUNT:
    "%s muss eine ganze Zahl in Basiseinheiten sein: nur Ziffern, ohne Vorzeichen, Nachkommastellen oder Exponent.",
  NOT_ANSWERING: "Der Server kann gerade nicht antworten. Bitte versuche es gleich noch einmal.",
  NOT_HTTP: "Der Server kann diese HTTP-Anfrage nicht lesen.",
  NOT_JSON: "Die Anfrage ist kein gültiges JSON.",
  NOT_JSON_TYPE: "Der Content-Type der Anfrage muss application/json sein.",
  NOT_OBJECT: "Die Anfrage muss ein JSON-Objekt sein.",
  NOT_ONE_OF: "%s muss einer dieser Werte sein: %s.",
  NO_SUCH_CALL: "Diesen Aufruf gibt es nicht.",
  NO_SUCH_COMMUNITY: "Diese Community gibt es hier nicht.",
  NO_UNITS: "Wähle mindestens eine Einheit aus.",
  NUMBER_OUT_OF_RANGE: "%s muss zwischen %s und %s liegen.",
  ONE_TX_AMOUNT: "Der Betreiber signiert Auszahlungen dieser Höhe von Hand. Bezahle stattdessen den Auftrag.",
  ONE_TX_CHANGED:
    "Deine Wallet hat die Transaktion verändert (%s), deshalb signiert der Server sie nicht. Es wurde nichts " +
    "gesendet.",
  ONE_TX_COIN_SPENT:
    "Der Output %s kann die Gebühr nicht mehr bezahlen: Er ist ausgegeben oder nicht mehr bestätigt. Beginne mit " +
    "anderen Outputs von vorn.",
  ONE_TX_FEE:
    "Die Gebührenrate des Netzwerks von %s sat/vB liegt nicht weit genug über der deiner Transaktion, um sie zu " +
    "ersetzen.",
  ONE_TX_FEE_UNKNOWN:
    "Der Server hat deine Transaktion nach einer Wiederherstellung gefunden und ermittelt ihre Gebühr. Vorher kann " +
    "sie nicht ersetzt werden. Versuche es in ein paar Minuten noch einmal, oder warte, bis sie bestätigt ist.",
  ONE_TX_KEY: "Der öffentliche Schlüssel deiner Zahlungsadresse fehlt oder gehört zu einer anderen Adresse.",
  ONE_TX_LATE:
    "Die Transaktion, die du signiert hast, ist abgelaufen, oder es wurde eine andere ausgestellt. Beginne von vorn.",
  ONE_TX_MEMPOOL:
    "Das Netzwerk ist stärker ausgelastet als beim Erstellen deiner Transaktion: Nodes nehmen jetzt erst " +
    "Gebührenraten ab %s sat/vB an. Beginne von vorn.",
  ONE_TX_NO_COINS:
    "Deiner Zahlungsadresse fehlen %s Sats für die Gebühr. Nur Outputs mit 3 Bestätigungen und ohne Runes können " +
    "sie bezahlen.",
  ONE_TX_OFF:
    "Dieser Server bietet keine Auszahlungen in einer Transaktion an. Bezahle stattdessen einen Auftrag.",
  ONE_TX_ORDER: "Dieser Auftrag ist %s, deshalb ist keine Auszahlung in einer Transaktion möglich.",
  ONE_TX_PAYMENT_ADDED:
    "Eine Zahlung dieses Auftrags ist eingegangen, deshalb gilt die Lieferung, die du signiert hast, nicht mehr. " +
    "Signiere noch einmal.",
  ONE_TX_PAYMENT_GONE:
    "Eine Zahlung dieses Auftrags wurde ersetzt oder ist nicht mehr bestätigt, deshalb gilt die Lieferung, die du " +
    "signiert hast, nicht mehr. Signiere noch einmal, wenn der Auftrag bezahlt ist.",
  ONE_TX_PSBT: "Deine Wallet hat keine PSBT zurückgegeben. Es wurde nichts gesendet.",
  ONE_TX_REFUSED:
    "Der Signierer des Servers hat die Transaktion abgelehnt, deshalb wurde nichts gesendet. Bezahle stattdessen den " +
    "Auftrag, oder beginne von vorn.",
  ONE_TX_SAME_ADDRESS:
    "Deine Wallet nutzt dieselbe Adresse für Zahlungen und für Runes, deshalb kann die Gebühr nicht sicher daraus " +
    "bezahlt werden. Bezahle stattdessen einen Auftrag.",
  ONE_TX_SCRIPT:
    "Aus einer Zahlungsadresse dieses Typs kann die Gebühr nicht bezahlt werden. Bezahle stattdessen einen Auftrag.",
  ONE_TX_SESSION:
    "Du hast eine Transaktion für Auftrag %s signiert und kannst immer nur eine signieren. Warte, bis er geliefert " +
    "ist, oder bezahle stattdessen diesen Auftrag.",
  ONE_TX_SIGHASH:
    "Deine Wallet hat bei Input %s nur einen Teil der Transaktion signiert. Sie muss die ganze signieren " +
    "(SIGHASH_ALL). Es wurde nichts gesendet.",
  ONE_TX_SIGNATURE: "Die Signatur von Input %s ist für diese Transaktion ungültig. Es wurde nichts gesendet.",
  ONE_TX_UNAVAILABLE:
    "Die Outputs deiner Zahlungsadresse lassen sich im Moment nicht abfragen. Versuche es später noch einmal. Ein " +
    "Auftrag, der noch nicht gesendet ist, kann auch bezahlt werden.",
  ONE_TX_UNITS:
    "Nur eine Auszahlung eingezahlter Einheiten passt in eine Transaktion. Rewards brauchen einen Auftrag.",
  ONE_TX_UNITS_WAIT:
    "Eine dieser Einheiten braucht 3 Bestätigungen, oder eine andere Transaktion gibt sie aus. Versuche es nach dem " +
    "nächsten Block noch einmal.",
  ONE_TX_UNSIGNED: "Deine Wallet hat Input %s nicht signiert. Es wurde nichts gesendet.",
  ONE_TX_WITNESS:
    "Deine Wallet hat Input %s auf eine Weise abgeschlossen, die dieser Server nicht annimmt. Es wurde nichts " +
    "gesendet.",
  ORDER_NOT_AT_LIMIT:
    "Dieser Auftrag kann nicht länger warten: Seine Frist ist noch nicht erreicht, oder er ist beendet.",
  ORDER_NOT_WAITING: "Dieser Auftrag ist kein bezahlter Auftrag, der auf eine niedrigere Gebührenrate wartet.",
  ORDER_SENT_SOON:
    "Die Gebührenrate des Netzwerks ist weniger als 0,1 sat/vB höher als die dieses Auftrags, es gibt also keine " +
    "Differenz zu bezahlen.",
  ORDER_NOT_CANCELABLE: "Dieser Auftrag kann nicht mehr storniert werden.",
  ORDER_NOT_RERATE: "Dieser Auftrag muss nicht neu berechnet werden.",
  ORDER_RERATE_TOO_SOON:
    "Dieser Auftrag wurde vor weniger als 30 Minuten neu berechnet. Bitte warte, bevor du es noch einmal tust.",
  ORDER_TOO_OLD: "Dieser Auftrag ist zu alt, um neu berechnet zu werden.",
  ORDER_UNKNOWN: "Dieser Auftrag gehört nicht zu dieser Wallet.",
  PAUSED:
    "Der Betreiber hat Änderungen vorübergehend angehalten. Dein Guthaben ist sicher. Bitte versuche es später " +
    "noch einmal.",
  PUSH_ENDPOINT: "Dieser Server kann deinem Browser keine Nachrichten senden.",
  PUSH_FULL: "Im Moment lassen sich keine weiteren Nachrichten einschalten. Bitte versuche es später noch einmal.",
  PUSH_PROOF:
    "Um Nachrichten einzuschalten, signiere zuerst eine Aktion mit deiner Wallet und schalte sie dann innerhalb von " +
    "30 Minuten ein.",
  RECOVERY_DUST: "Ein Output der Transaktion enthält zu wenige Sats, um im Netzwerk weitergeleitet zu werden.",
  RECOVERY_FEE_TOO_LOW:
    "Die Gebühr der Transaktion ist für das Netzwerk gerade zu niedrig. Sende sie bei niedrigeren Gebühren noch " +
    "einmal, oder signiere sie neu mit einer höheren Gebühr.",
  RECOVERY_FOREIGN:
    "Diese Transaktion gibt keinen Stake von %s aus, deshalb senden wir sie nicht. Du kannst sie mit jedem " +
    "Bitcoin-Node senden.",
  RECOVERY_KEY_PATH:
    "Der Output %s wird nicht über sein Rückholskript ausgegeben. Signiere die Transaktion aus dem Recovery-Kit.",
  RECOVERY_OTHER_OWNER: "Der Output %s gehört nicht zum Stake von %s.",
  RECOVERY_REFUSED: "Der Bitcoin-Node hat die Transaktion nicht angenommen: %s.",
  RECOVERY_SPENT:
    "Die Transaktion gibt einen Output aus, der schon ausgegeben ist oder noch nicht auf der Blockchain steht.",
  RECOVERY_TOO_EARLY:
    "Die Wartefrist dieses Stakes ist noch nicht vorbei. Bewahre die Transaktion auf und sende sie danach.",
  RECOVERY_UNANSWERED:
    "Der Bitcoin-Node hat nicht geantwortet. Du kannst dieselbe Transaktion gefahrlos noch einmal senden; sie " +
    "kann nicht doppelt bezahlt werden.",
  RESTAKE_UNSETTLED:
    "Die Rewards von Epoche %s, der letzten, in der diese Einheit Rewards brachte, werden noch berechnet. Bitte " +
    "versuche es etwas später noch einmal.",
  REWARDS_HELD:
    "Deine Rewards sind zurückgestellt, bis klar ist, welche davon die Transaktion %s schon geliefert hat. Bitte " +
    "versuche es später noch einmal.",
  RUNE_AMOUNT: "%s muss eine ganze Zahl unter 2^128 sein, in Ziffern geschrieben und als Text gesendet.",
  RUNE_APP_FEE_ADDRESS: "appServiceFee braucht eine appServiceFeeAddress.",
  RUNE_DELEGATE: "delegateInscriptionId muss aus einer Transaktions-ID, dem Buchstaben i und einer Zahl bestehen.",
  RUNE_DUST: "%s muss 0 oder mindestens %s Sats sein; weniger leiten Nodes nicht weiter.",
  RUNE_ETCHED_BY_OTHER: "Jemand anders hat %s zuerst erstellt.",
  RUNE_FEE_RATE: "%s muss zwischen 1 und %s sat/vB liegen.",
  RUNE_FEE_TOO_HIGH:
    "Eine Transaktion würde %s Sats Gebühr kosten. Die Grenze liegt bei %s. Wähle eine niedrigere Gebührenrate.",
  RUNE_FUNDING_RUNES: "Die Zahlung enthält Runes.",
  RUNE_HEIGHT: "%s muss eine ganze Zahl unter 2^64 sein, in Ziffern geschrieben und als Text gesendet.",
  RUNE_INSCRIPTION_BODY: "inscriptionDetails.contentBase64 muss Base64 von mindestens einem Byte sein.",
  RUNE_INSCRIPTION_BOTH: "Sende entweder inscriptionDetails oder delegateInscriptionId, nicht beides.",
  RUNE_INSCRIPTION_REFUSED:
    "Der Bitcoin-Node dieses Servers leitet keine Inschriften weiter. Du kannst die Rune ohne Inschrift erstellen.",
  RUNE_INSCRIPTION_TYPE:
    "inscriptionDetails.contentType muss ein Medientyp wie text/plain sein, höchstens 100 Zeichen lang.",
  RUNE_MINTED_OUT: "Alle Mints von %s sind verbraucht.",
  RUNE_MINTS_LEFT: "Es sind nur noch %s Mints von %s übrig.",
  RUNE_MINT_EMPTY: "Ein Mint von %s ergibt keine Runes.",
  RUNE_MINT_NOT_BEGUN: "Das Minten von %s hat noch nicht begonnen.",
  RUNE_MINT_OVER: "Das Minten von %s ist beendet.",
  RUNE_NAME_BUSY: "Ein anderer Auftrag auf diesem Server erstellt %s bereits.",
  RUNE_NAME_INVALID: "Der Name darf aus höchstens 28 Großbuchstaben bestehen, mit einzelnen • oder . dazwischen.",
  RUNE_NAME_LOCKED: "Der Name %s ist noch nicht verfügbar. In Block %s beginnen die verfügbaren Namen bei %s.",
  RUNE_NAME_RESERVED: "Der Name %s ist für Runes reserviert, die ohne Namen erstellt werden.",
  RUNE_NAME_TAKEN: "Der Name %s ist bereits vergeben, an die Rune %s.",
  RUNE_NOT_MINTABLE: "%s kann nicht gemintet werden.",
  RUNE_NOT_RELAYED: "Bitcoin-Nodes würden die Transaktion nicht weiterleiten: %s",
  RUNE_ORDERS_NETWORK: "Dieser Server erstellt und mintet auf %s, nicht auf %s.",
  RUNE_ORDERS_OFF: "Auf diesem Server ist das Erstellen und Minten von Runes ausgeschaltet.",
  RUNE_ORDER_DELAYED:
    "Dieser Auftrag wartet, weil der Server seine Transaktionen gerade nicht signieren oder senden kann. Der " +
    "Betreiber sieht den Grund.",
  RUNE_ORDER_EXECUTED: "Dieser Auftrag wurde bereits mit der Transaktion %s ausgeführt.",
  RUNE_ORDER_MINED: "Alle Transaktionen dieses Auftrags sind bereits bestätigt.",
  RUNE_ORDER_NOT_SENT: "Dieser Auftrag hat noch keine Transaktion gesendet, es gibt also nichts zu beschleunigen.",
  RUNE_ORDER_OVER: "Dieser Auftrag ist beendet. Sein Status ist %s.",
  RUNE_ORDER_QUOTES:
    "Du hast für diesen Auftrag zu viele Gebührenraten angefragt. " +
    "Bezahle einen der genannten Preise.",
  RUNE_ORDER_RATE_TOO_LOW: "Die neue Gebührenrate muss mindestens %s sat/vB sein.",
  RUNE_ORDER_REFUSED:
    "Das Bitcoin-Netzwerk hat die Transaktionen dieses Auftrags einen Tag lang nicht angenommen. Deine Zahlung " +
    "wird abzüglich der Netzwerkgebühr zurückgesendet.",
  RUNE_ORDER_TX_FOREIGN: "Die Transaktion zahlt nicht an die Adresse dieses Auftrags.",
  RUNE_ORDER_TX_UNKNOWN:
    "Wir haben diese Transaktion noch nicht gesehen. Der Auftrag läuft von selbst weiter, sobald sie ankommt.",
  RUNE_ORDER_UNDERPAID: "Wir haben %s von %s Sats erhalten. Sende den Rest an dieselbe Adresse.",
  RUNE_ORDER_UNKNOWN: "Diesen Auftrag zum Erstellen oder Minten gibt es nicht.",
  RUNE_ORDER_WAITS:
    "Dieser Auftrag wartet, weil der Bitcoin-Node des Servers seine Transaktionen gerade nicht annimmt. Wenn du " +
    "bezahlt hast und das einen Tag dauert, wird deine Zahlung abzüglich der Netzwerkgebühr zurückgesendet.",
  RUNE_PARTLY: "Nur %s von %s Mints haben gewirkt. Die Runes daraus wurden geliefert.",
  RUNE_STONE_TOO_LONG:
    "Der Runestone hätte %s Bytes, aber Nodes leiten höchstens %s weiter. Lass einige der Bedingungen weg.",
  RUNE_SUPPLY_OVERFLOW: "Die Gesamtmenge (Premine + Anzahl × Menge) muss unter 2^128 liegen.",
  RUNE_SUPPLY_ZERO: "Die Menge wäre 0. Gib ein Premine an oder erlaube offenes Minten.",
  RUNE_SYMBOL: "Das Symbol muss genau ein Zeichen sein.",
  RUNE_TERMS_MISSING: "Eine Rune mit offenem Minten braucht Bedingungen mit Menge und Anzahl.",
  RUNE_TERMS_PAST: "terms.%s muss größer als %s sein. Das ist der erste Block, der das Etching enthalten kann.",
  RUNE_TERMS_RANGE: "terms.%sEnd muss größer als terms.%sStart sein.",
  RUNE_TERMS_UNWANTED: "Bedingungen gibt es nur für Runes mit offenem Minten, aber isMintable ist false.",
  RUNE_TERMS_ZERO: "%s muss größer als 0 sein.",
  RUNE_UNKNOWN: "Es gibt keine Rune mit dem Namen %s.",
  SIGNATURE_MALFORMED:
    "Die Signatur lässt sich nicht lesen. " +
    "Sie muss eine BIP-322-Signatur oder eine signierte Nachricht in Base64 sein.",
  SIGNATURE_NEEDED: "Die Signatur fehlt.",
  SIGNATURE_WRONG: "Die Signatur beweist nicht, dass dir %s gehört.",
  SOMETHING_WRONG: "Bei uns ist etwas schiefgegangen. Bitte versuche es noch einmal.",
  SOMETHING_WRONG_ID:
    "Bei uns ist etwas schiefgegangen. Bitte versuche es noch einmal. Wenn du dich an uns wendest, nenne den " +
    "Fehler %s.",
  STAKE_ABOVE_SUPPLY: "So viel gibt es von dieser Rune nicht.",
  STAKE_BELOW_MINIMUM: "Der Mindestbetrag ist %s.",
  STATEMENT_UNKNOWN:
    "Der Server hat die Abrechnung nicht, die deine Nachricht nennen würde. Bitte lade die Seite neu.",
  TOO_DEEP: "Die Anfrage ist zu tief verschachtelt.",
  TOO_LONG: "%s ist zu lang. Erlaubt sind höchstens %s.",
  TOO_MANY_REQUESTS: "Zu viele Anfragen. Bitte warte %s Sekunden und versuche es dann noch einmal.",
  STREAMS_FULL:
    "Zu viele Menschen haben diese Website geöffnet, deshalb wird diese Seite nicht live aktualisiert. Versuche es " +
    "in einigen Minuten noch einmal.",
  TOO_MANY_STREAMS:
    "Zu viele offene Verbindungen aus deinem Netzwerk. Schließe andere Tabs dieser Website und versuche es noch " +
    "einmal.",
  SELF_CUSTODY_ONLY:
    "Stakes können hier nur mit der Signatur deiner Wallet bewegt werden, und deine Wallet kann das nicht. Bitte " +
    "nimm eine andere Wallet.",
  UNITS_APART:
    "Automatisch oder von Hand gestakte Rewards und Stakes, die deine Signatur brauchen, passen nicht in einen " +
    "Auftrag. Hebe sie mit zwei Aufträgen ab.",
  UNITS_BY_HAND:
    "Abhebungen dieser Höhe signiert der Betreiber von Hand. Das geht nicht zusammen mit Stakes, die deine Signatur " +
    "brauchen. Hebe sie mit zwei Aufträgen ab.",
  TOO_MANY_UNITS: "Ein Auftrag kann höchstens %s Einheiten enthalten.",
  TOO_SCATTERED: "Du hast zu viele Einheiten, um so viele auf einmal auszuwählen. Wähle höchstens %s auf einmal.",
  TRAILING_DATA: "Hinter dem JSON-Objekt stehen unerwartete Daten.",
  TRANSACTION_UNREADABLE: "Das ist keine signierte Bitcoin-Transaktion in Hex.",
  TXID_INVALID: "Eine Transaktions-ID hat 64 Hex-Ziffern.",
  UNIT_CONTESTED:
    "Die Einheit %s wurde bereits in einer anderen Transaktion ausgegeben und ist hier nicht mehr verwendbar.",
  UNIT_NOT_CLAIMABLE: "Die Einheit %s kann nicht abgeholt werden.",
  UNIT_NOT_STAKED: "Die Einheit %s ist nicht gestakt.",
  UNIT_NOT_UNLOCKED: "Die Einheit %s ist noch nicht freigegeben.",
  UNIT_TWICE: "Dieselbe Einheit ist mehrfach ausgewählt.",
  UNIT_UNKNOWN: "Die Einheit %s gehört nicht zu dieser Wallet.",
  UNKNOWN_HOST: "Unter dieser Adresse gibt es auf diesem Server keine Seite.",
  WALLET_DOES_NOT_EXIST: "Diese Wallet hat hier noch nicht gestakt.",
  WRONG_NETWORK: "%s gehört zu einem anderen Bitcoin-Netzwerk. Dieser Server nutzt %s.",
  WRONG_TYPE: "%s hat den falschen Typ. Erwartet wird: %s.",
};
