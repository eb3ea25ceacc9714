import { faults } from "./de.faults.ts";
import { walletFaults } from "./de.wallet.ts";
import type { Text } from "./en.ts";

/** By code, of the server (UPPER_CASE) and of the wallet library (camelCase). */
export const sentences = { ...faults, ...walletFaults };

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const text: Text = {
  common: {
    loading: "Lädt",
    retry: "Noch einmal versuchen",
    close: "Schließen",
    opening: "Wird geöffnet …",
    cancel: "Abbrechen",
    copy: "Kopieren",
    copied: "Kopiert",
    copyFull: (what) => `${what} kopieren`,
    copyFailed: "Kopieren ging nicht",
    dismiss: "Ausblenden",
    stale: (age) => `Letzter bekannter Wert, ${age} alt.`,
    updating: "Server nicht erreichbar. Neuer Versuch …",
    sats: "Sats",
    btc: "BTC",
    newTab: "öffnet in neuem Tab",
    showMore: (count) => `${count} weitere anzeigen`,
    failed: "Dieser Teil konnte nicht geladen werden.",
    selected: (count, amount) => `${count.toLocaleString("de")} ausgewählt, ${amount}`,
    noneSelected: "Nichts ausgewählt",
    selectAll: "Alle auswählen",
    reset: "Zurücksetzen",
    sort: "Sortieren nach",
    sortDate: "Datum, neueste zuerst",
    sortRunes: "Runes, größte zuerst",
    keepLargest: (count) => `Die ${count} größten behalten`,
    tooManyToSign: (count) => `Eine Signatur bewegt höchstens ${count} Einheiten.`,
    noMatch: "Nichts passt zu deiner Suche.",
  },
  header: {
    home: "Startseite",
    language: "Sprache",
    connect: "Verbinden",
    disconnect: "Trennen",
    connectedAs: (address) => `Verbunden als ${address}. Adresse kopieren`,
    skip: "Zum Inhalt springen",
  },
  figures: {
    title: "Deine Zahlen",
    totalStaked: "Insgesamt gestakt",
    pendingStake: "Wartender Stake",
    pendingUnstake: "Unstake läuft",
    yourStake: "Dein Stake",
    claimable: "Abholbare Rewards",
    share: "Dein Anteil",
    unlocked: "Freigegeben",
    none: "—",
    noneRead: "nicht verbunden",
    now: (name, amount) => `${name}: ${amount}.`,
  },
  epoch: {
    title: "Epoche",
    current: "Laufende Epoche",
    next: "Nächste Epoche",
    totalStaked: "Insgesamt gestakt",
    issued: "Ausgegebene Token",
    totalIssued: "Insgesamt ausgegeben",
    endsIn: (epoch) => `Epoche ${epoch} endet in`,
    unknown: "Nächste Epoche in",
    ends: (local) => `Endet am ${local}`,
    days: "T",
    hours: "h",
    minutes: "m",
    seconds: "s",
    spoken: (d, h, m, s) =>
      [
        counted(d, "Tag", "Tage"),
        counted(h, "Stunde", "Stunden"),
        counted(m, "Minute", "Minuten"),
        counted(s, "Sekunde", "Sekunden"),
      ].join(" "),
    noticeDay: "Noch ein Tag bis zur nächsten Epoche.",
    noticeHour: "Noch eine Stunde bis zur nächsten Epoche.",
    noticeTen: "Noch zehn Minuten bis zur nächsten Epoche.",
    noticeZero: "Die Epoche ist zu Ende.",
    unreachable: "Die Seite ist gerade nicht erreichbar. Lade sie neu oder versuche es später.",
    catchingUp: "Der Server holt die Blockchain auf. Ansehen geht, Änderungen gehen in Kürze wieder.",
    paused: "Änderungen ruhen gerade. Dein Guthaben ist, wo es war; Fristen werden verschoben.",
    payoutsPaused: "Auszahlungen ruhen gerade. Bezahlte Orders behalten ihren Platz und gehen danach hinaus.",
  },
  tabs: {
    label: "Was möchtest du tun?",
    stake: "Staken",
    rewards: "Rewards",
    unstake: "Unstaken",
    withdraw: "Auszahlen",
    connect: "Verbinde deine Wallet, um zu staken!",
  },
  stake: {
    headline: (token) => `${token} staken`,
    amount: "Betrag zum Staken",
    balance: "Guthaben",
    half: "Hälfte",
    max: "Alles",
    submit: "Staken",
    submitAmount: (amount, token) => `${amount} ${token} staken`,
    counts: (epoch) => `Zählt für Rewards ab Epoche ${epoch}. Unstaken dauert eine ganze Epoche.`,
    countsSoon: "Zählt für Rewards ab der nächsten Epoche. Unstaken dauert eine ganze Epoche.",
    minimum: (amount, token) => `Der kleinste Stake ist ${amount} ${token}.`,
    nothing: (token) =>
      `Deine Wallet zeigt kein ${token}. Manche Wallets zählen gerade bewegte Runes erst nach dem nächsten Block.`,
    enter: "Gib einen Betrag ein.",
    noBalance: "Dein Guthaben in der Wallet konnte nicht gelesen werden. Du kannst trotzdem einen Betrag eingeben.",
    byHand: (wallet) =>
      `${wallet} kann für diese Seite keine Runes senden. Du bekommst deine Stake-Adresse; sende die Runes aus der ` +
      "Wallet selbst dorthin, oder aus jeder anderen.",
    untold: (wallet) =>
      `${wallet} nennt ihr Rune-Guthaben nicht. Gib den Betrag selbst ein; mehr als du hast, lehnt die Wallet ab.`,
    getAddress: "Meine Stake-Adresse holen",
    hand:
      "Sende genau diesen Betrag an deine Stake-Adresse, aus jeder Wallet, die die Runes hält. Diese Seite sieht " +
      "es von selbst.",
    stepSign: "In der Wallet bestätigen",
    stepBroadcast: "Gesendet",
    stepSeen: "Vom Server gesehen",
    stepCounted: "Gezählt",
    preparing: "Deine Stake-Adresse wird geholt …",
    confirm: "Bestätige die Überweisung in deiner Wallet.",
    sending: (amount, token) => `Du sendest ${amount} ${token} an`,
    sent: (amount, token) => `Du hast ${amount} ${token} gesendet an`,
    address: "Deine Stake-Adresse",
    recovery: (blocks, days) =>
      `Sobald ${blocks} Blöcke (etwa ${days}) seit der Einzahlung vergangen sind, kann dein eigener Schlüssel ` +
      "allein deinen Stake zurückholen, ohne diesen Server.",
    days: (days) =>
      days >= 60
        ? `${Math.round(days / 30)} Monate`
        : days >= 2
          ? `${Math.round(days)} Tage`
          : counted(Math.max(1, Math.round(days * 24)), "Stunde", "Stunden"),
    kit: "Recovery-Kit herunterladen",
    kitFailed: "Das Recovery-Kit konnte nicht geladen werden.",
    broadcasted: (txid) => `Gesendete Transaktion: ${txid}`,
    waitingSeen: "Warten, bis das Netz die Überweisung zeigt …",
    seen: (epoch) => (epoch === null ? "Gesehen. Zählt ab der nächsten Epoche." : `Gesehen. Zählt ab Epoche ${epoch}.`),
    counted: "Dein Stake verdient Rewards.",
    rejectedButSeen:
      "Deine Wallet hat einen Fehler gemeldet, aber die Überweisung ist unterwegs: Der Server sieht die Einzahlung.",
    hintLost: "Die Überweisung ist gesendet. Sie erscheint hier in weniger als einer Minute.",
    again: "Mehr staken",
    steps: "Fortschritt deines Stakes",
    done: "fertig",
    running: "läuft",
  },
  rewards: {
    claimable: "Abholbar",
    compound: "Rewards staken",
    claim: "Abholen",
    nothing: "Rewards erscheinen hier, wenn eine Epoche abgerechnet ist.",
    activeOrder: "Du hast eine offene Claim-Order. Schließe sie ab oder storniere sie, bevor du wieder abholst.",
    openOrder: "Offene Order öffnen",
    orders: "Deine Claim-Orders",
    searchOrders: "Nach Status suchen",
    noOrders: "Noch nichts abgeholt. Abgeholte Rewards bekommen eine Zahlungsorder, die hier steht.",
    compounded: (amount, token) => `${amount} ${token} staken ab der nächsten Epoche für dich.`,
    perEpoch: "Rewards je Epoche",
    perEpochNote: "Was alle zusammen bekommen haben.",
    running: "läuft",
    epochColumn: "Epoche",
    rewardColumn: "Rewards",
    ownersColumn: "Staker",
    noEpochs: "Die erste Epoche läuft noch.",
    yearly: "Geschätzte Jahresrate",
    yearlyNone: "Die erste abgerechnete Epoche mit Stakern gibt eine Schätzung der Jahresrate.",
    yearlyShort:
      "Die bisherigen Epochen waren kürzer als ein Tag: Sie sagen nichts über ein Jahr, daher wird keine " +
      "Jahresrate geschätzt.",
    yearlyOver: (most) => `mehr als ${most}`,
    yearlyHow: "So wird sie berechnet",
    yearlyFormula:
      "Die Rewards der letzten Epochen, geteilt durch das Gestakte mal seine Dauer, mal ein Jahr von 365 Tagen, " +
      "ohne Zinseszins. Jeder Stake verdient mit derselben Rate.",
    yearlyLimits: (most) =>
      `Epochen unter einem Tag zählen nicht mit. Eine Rate über ${most} wird nicht als Zahl genannt: Sie heißt, ` +
      "dass wenig gestakt ist, und fällt mit dem nächsten Stake.",
    yearlyCaution:
      "Die Rewards einer Epoche stehen fest: Die Rate fällt, wenn mehr gestakt ist, und steigt, wenn es weniger " +
      "ist. Niemand kann sie versprechen.",
    stakedColumn: "Gestakt",
    claimTitle: "Rewards abholen",
    claimLimit: (count) => `Ein Claim nimmt die ältesten ${count} Rewards; hole den Rest danach ab.`,
  },
  calendar: {
    epochs: "Epochenenden in den Kalender",
    unlocks: "Freigaben in den Kalender",
    epochTitle: (community, epoch) => `${community}: Epoche ${epoch} beginnt`,
    epochNote: "Die Rewards der vorigen Epoche sind abgerechnet. Was rechtzeitig gestakt war, zählt von jetzt an.",
    unlockTitle: (amount, token) => `${amount} ${token} werden frei`,
    unlockNote: "Sie lassen sich auszahlen oder wieder staken.",
  },
  unstake: {
    title: "Deine Stakes",
    submit: "Unstaken",
    submitAmount: (amount, token) => `${amount} ${token} unstaken`,
    empty: "Nichts gestakt. Was du stakst, steht hier.",
    pending: "Wartender Stake",
    pendingFrom: (epoch) => `Wartender Stake · zählt ab Epoche ${epoch}`,
    staked: "Gestakt",
    note:
      "Wenn du jetzt unstakst, verlierst du den Reward dieser Epoche. Deine Runes werden am Ende der nächsten " +
      "Epoche frei.",
    saveWeek: (epoch) => `Epoche ${epoch} endet bald: Was du jetzt unstakst, verliert seinen Reward für diese Epoche.`,
    done: (amount, token) => `${amount} ${token} werden frei, wenn die Wartezeit endet.`,
  },
  withdraw: {
    title: "Frei und gesperrt",
    restake: "Wieder staken",
    submit: "Auszahlen",
    empty: "Noch nichts da. Was du unstakst, steht hier, bis du es auszahlst.",
    warning:
      "Die ausgewählten Runes werden gesperrt, um gesendet zu werden. Läuft die Zahlungsorder ab oder wird sie " +
      "storniert, sind sie wieder frei.",
    unlocked: "Frei",
    pendingUnlock: "Wird bald frei",
    poLocked: "Gesperrt für eine offene Zahlungsorder",
    batchLocked: "Bezahlt und bereit zum Senden",
    pendingWithdraw: "Bitte schließe die Zahlung ab",
    paidUnconfirmed: "Bezahlt, wartet auf einen Block",
    restaked: (amount, token) => `${amount} ${token} staken ab der nächsten Epoche wieder.`,
    openOrder: "Zahlungsorder öffnen",
    tooMany: (max) => `Eine Order fasst höchstens ${max} Einheiten.`,
    dialogTitle: "Auszahlen",
    timeline: "Kommende Freigaben",
    when: "Wann",
    amount: "Betrag",
    now: "Jetzt",
  },
  unit: {
    reward: "Reward",
    stake: "Stake",
    contested: "Anderswo ausgegeben: Damit lässt sich nichts mehr tun",
    locked: "Gesperrt",
    countdown: (left) => `noch ${left}`,
    soon: "jeden Moment",
  },
  action: {
    sign: "Bestätige die Nachricht in deiner Wallet.",
    preparing: "Wird vorbereitet …",
    sending: "Wird gesendet …",
    failedToSign: (action, wallet) => `${wallet} hat die Nachricht für ${action} nicht signiert`,
    gettingCosts: "Transaktionskosten werden geholt ...",
    delivers: "Du bekommst",
    units: (count) => counted(count, "Einheit", "Einheiten"),
    estimateNote: "Jetzt geschätzt. Die Order hält den Preis 30 Minuten fest.",
    continue: "Weiter zur Zahlung",
    requesting: "Zahlungsdaten werden angefragt.",
    strange: (call) => `${call} ist auf seltsame Weise fehlgeschlagen`,
    notConnected: "Keine Wallet verbunden",
    notApplied: "Der Server hat die Aktion nicht ausgeführt.",
  },
  fees: {
    title: "Was es kostet",
    dust: "Dust",
    dustNote: "geht mit den Runes an dich",
    network: "Netzwerkgebühr",
    service: "Servicegebühr",
    rate: (rate) => `zu ${rate} sat/vB`,
    total: "Gesamt",
    scale: "Diese Gebühr im Vergleich zum Netz",
    nextBlock: "Nächster Block",
    hour: "In einer Stunde",
    day: "An einem Tag",
    blocks: (n) => `In ${counted(n, "Block", "Blöcken")}`,
    own: "Diese Order",
    rateValue: (rate) => `${rate} sat/vB`,
  },
  order: {
    title: "Zahlungsorder",
    requesting: "Zahlungsdaten werden angefragt.",
    notFound: "Diese Order gehört nicht zu deiner Wallet.",
    progress: "Bisher bezahlt",
    delivers: (amount, token) => `Liefert ${amount} ${token}`,
    delivered: (amount, token) => `${amount} ${token} geliefert`,
    id: "Order",
    due: "Noch zu zahlen",
    amountDue: "Zu zahlen",
    address: "Zahlungsadresse",
    stillDue: (sats) => `${sats} Sats sind noch zu zahlen.`,
    inParts:
      "In Teilen zu zahlen erhöht die Netzwerkgebühr: Jede Zahlung ist ein weiterer Eingang der Transaktion, die " +
      "deine Runes sendet.",
    partlyPaid: "Teilweise bezahlt",
    covered: "Bezahlt, in Arbeit",
    copyAddress: "Zahlungsadresse kopieren",
    copyAmount: "Betrag in BTC kopieren",
    qr: (amount) => `QR-Code zum Bezahlen von ${amount} BTC`,
    qrLabel: (community) => `${community} Zahlungsorder`,
    qrMessage: (id) => `Order ${id}`,
    payByHand: (wallet) =>
      `${wallet} kann nicht für diese Seite zahlen: Scanne den Code, oder kopiere die Adresse und zahle aus der ` +
      "Wallet selbst.",
    payWallet: "Mit Wallet bezahlen",
    paying: "Bestätige die Zahlung in deiner Wallet.",
    paidWallet: "Mit der Wallet bezahlt.",
    openApp: "In einer Wallet-App öffnen",
    rerate: "Order neu bepreisen",
    expiredFees: "Die Gebühren dieser Order sind abgelaufen. Bepreise sie neu, um weiter zu bezahlen",
    cancel: "Order stornieren",
    cancelAsk:
      "Diese Order stornieren? Deine Einheiten werden frei. Was du bezahlt hast, geht an deine Zahlungsadresse " +
      "zurück, wenn es dafür reicht.",
    cancelAskPaid:
      "Diese bezahlte Order stornieren? Deine Runes werden nicht gesendet, und deine Einheiten werden frei. Was du " +
      "bezahlt hast, geht abzüglich der Netzgebühr an deine Zahlungsadresse zurück.",
    cancelAskUnpaid: "Diese Order stornieren? Deine Einheiten werden frei.",
    cancelYes: "Ja, stornieren",
    cancelNo: "Order behalten",
    continue: "Weiter zur Zahlung",
    userCancelled: "Du hast abgebrochen. Bitte schließe die Zahlung ab.",
    complete: "Vollständig bezahlt. Deine Runes kommen nach 3 Blockbestätigungen an.",
    completeUnconfirmed:
      "Alles ist bezahlt. Sobald ein Block es bestätigt, werden deine Runes gesendet; sie kommen nach 3 " +
      "Blockbestätigungen an.",
    deadline: (date) => `Zahlbar bis ${date}`,
    feeUntil: (left) => `Diese Gebühr gilt noch ${left}`,
    feeOver: "Diese Gebühr ist nicht mehr garantiert",
    warnFive: "Weniger als 5 Minuten zum Bezahlen.",
    warnOne: "Weniger als 1 Minute zum Bezahlen.",
    history: "Zahlungen",
    searchTx: "Nach Transaktions-ID suchen",
    noPayments: "Noch keine Zahlung gesehen.",
    confirmed: "Bestätigt",
    unconfirmed: "Unbestätigt",
    refundDue: (sats, address) =>
      `Dir stehen ${sats} Sats zu. Sie gehen abzüglich der Netzgebühr an ${address} zurück.`,
    surplus: (sats) => `Du hast ${sats} Sats mehr bezahlt als nötig. Sie gehören dir und sind erstattbar.`,
    payout: "Liefertransaktion",
    refused: (since) =>
      `Deine Lieferung ist signiert, aber das Netzwerk hat sie noch nicht angenommen (seit ${since}). Sie wird von ` +
      "selbst erneut gesendet, und der Betreiber weiß Bescheid. Du musst nichts tun; deine Runes sind sicher.",
    timeline: "Verlauf der Order",
    created: "Erstellt",
    status: {
      PENDING: "Offen",
      CANCELED: "Storniert",
      EXPIRED: "Order abgelaufen",
      PAID: "Bezahlt",
      SENT: "Gesendet",
      DELIVERED: "Geliefert",
      CONFIRMED: "Bestätigt",
      PENDING_RERATE: "Neuer Preis nötig",
      INVALID: "Ungültig",
      AUDIT: "In Prüfung",
      CONSOLIDATED: "Geliefert",
    },
    state: {
      PENDING: "Wartet auf deine Zahlung.",
      CONFIRMED: "Eine erste Zahlung ist da. Schließe sie binnen einer Woche ab.",
      PENDING_RERATE: "Die Gebühren dieser Order sind abgelaufen.",
      PAID: "Bezahlt. Deine Runes gehen mit der nächsten Lieferung hinaus und kommen nach 3 Blockbestätigungen an.",
      SENT: "Gesendet. Deine Runes kommen nach 3 Blockbestätigungen an.",
      DELIVERED: "Geliefert. Deine Runes sind in deiner Wallet.",
      CONSOLIDATED: "Geliefert. Deine Runes sind in deiner Wallet.",
      CANCELED: "Diese Order wurde storniert. Deine Einheiten sind wieder frei.",
      EXPIRED: "Order abgelaufen. Es wurde nicht rechtzeitig bezahlt; deine Einheiten sind wieder frei.",
      INVALID: "Diese Order ist nicht mehr möglich: Eine ihrer Einheiten ging auf der Blockchain verloren.",
      AUDIT:
        "Ein Mensch kümmert sich um diese Order. Was du bezahlt hast, ist sicher, und deine Einheiten sind wieder " +
        "frei.",
    },
    statePaid: {
      CANCELED:
        "Diese Order wurde storniert. Deine Einheiten sind wieder frei. Was du bezahlt hast, geht an deine " +
        "Zahlungsadresse zurück, wenn es dafür reicht.",
      EXPIRED:
        "Order abgelaufen: Sie wurde nicht rechtzeitig ganz bezahlt. Deine Einheiten sind wieder frei. Was du " +
        "bezahlt hast, geht zurück, wenn es dafür reicht.",
    },
  },
  signing: {
    title: "Womit du unterschreibst",
    signers: {
      ordinals: "Mit meiner Ordinals-Adresse",
      both: "Mit beiden Adressen, damit danach die Zahlungsadresse allein unterschreiben darf",
      payment: "Allein mit meiner Zahlungsadresse, sobald beide unterschrieben haben",
    },
    byPsbt: (wallet) =>
      `${wallet} unterschreibt keine Nachrichten. Sie zeigt dir eine Transaktion über 0 sats, die nie gesendet ` +
      "werden kann: Ihre Unterschrift beweist dasselbe.",
    cannot: (wallet) =>
      `${wallet} kann für diese Seite weder Nachrichten noch Transaktionen unterschreiben. Verbinde eine Wallet ` +
      "mit denselben Schlüsseln.",
  },
  recover: {
    open: "Ohne den Betreiber zurückholen",
    title: "Ohne den Betreiber zurückholen",
    what:
      "Dein eigener Schlüssel holt einen gestakten Output auf deine Ordinals-Adresse zurück, ohne diesen Server, " +
      "sobald die Frist vorbei ist. Er verdient dann nichts mehr.",
    list: "Gestakte Outputs",
    empty: "Es gibt keinen Output zum Zurückholen.",
    cannot: (wallet) =>
      `${wallet} kann diese Transaktion nicht unterschreiben. Lade das Recovery-Kit herunter und nimm eines der ` +
      "Werkzeuge, die es nennt.",
    isOpen: "Jetzt offen",
    opens: (block, left) => `Offen ab Block ${block}, in ${left} Blöcken`,
    unconfirmed: "Wartet auf den ersten Block",
    sign: "Nur unterschreiben",
    send: "Unterschreiben und senden",
    sent: (txid) => `Gesendet: ${txid}`,
    broadcast: "Unterschrieben. Sende diese Transaktion mit einem beliebigen Bitcoin-Node oder Explorer.",
    later: "Unterschrieben. Bewahre diese Transaktion auf: Sie kann gesendet werden, sobald die Frist vorbei ist.",
    feeFirst:
      "Dieser Output enthält zu wenige Sats für die heutige Netzwerkgebühr. Bezahle sie mit einem anderen deiner " +
      "Outputs: Lade dein Recovery-Kit herunter und führe diesen Befehl aus, mit dem Output anstelle von " +
      "TXID:VOUT. Er braucht einen Bitcoin-Node; das Wechselgeld kommt zu dir zurück.",
    copyCommand: "Befehl kopieren",
    needsFee:
      "Unterschrieben. Dieser Output kann seine Gebühr nicht selbst zahlen: Füge in einer Wallet, die PSBTs " +
      "bearbeitet, einen Input etwa in Höhe der Gebühr hinzu und sende sie dann. Outputs kannst du nicht " +
      "hinzufügen: Alles über der Gebühr geht an die Miner.",
    copyTx: "Transaktion kopieren",
    copyPsbt: "PSBT kopieren",
    failed: "Die Rückholung konnte nicht unterschrieben werden.",
  },
  wallets: {
    title: "Wähle eine Wallet zum Verbinden",
    titleNone: "Noch keine Wallet?",
    none: "Keine Wallet gefunden. Installiere eine von diesen, um weiterzumachen.",
    list: "Wallets",
    installed: "Installiert",
    install: "Holen",
    explainer: "Mit einer Wallet sendest, empfängst, verwahrst und zeigst du digitale Werte.",
    installOne: (name) => `${name} installieren`,
    prompt: (name, store) => `Noch kein ${name}? Lade es ${store}`,
    stores: {
      chrome: "im Chrome Web Store",
      mozilla: "bei den Mozilla Add-ons",
      play: "bei Google Play",
      apple: "im App Store",
      site: "auf seiner Website",
    },
    reloadHint: "Lade diese Seite neu, wenn es installiert ist.",
    opening: (name) => `${name} wird geöffnet ...`,
    confirm: (name) => `Bestätige den Vorgang in ${name}`,
    noAnswer: (name) => `${name} hat nicht geantwortet. Suche sein Fenster und versuche es dann noch einmal.`,
    retry: "Noch einmal",
  },
  http: {
    notFound: "404, nicht gefunden",
    internal: "500, Fehler im Server",
    nullBody: "Die Antwort des Servers war leer (Null APIResponse)",
    unreachable: "Der Server ist nicht erreichbar.",
  },
  pages: {
    notFoundTitle: "404",
    notFound: "Diese Seite gibt es leider nicht",
    home: "Zur Startseite",
    error: "Da ist etwas schiefgegangen. Bleib dran, wir sehen es uns an!",
    errorId: (id) => `Wenn du uns schreibst, nenne den Fehler ${id}.`,
    reload: "Seite neu laden",
    panelError: "Dieser Teil ist ausgefallen. Der Rest der Seite geht weiter.",
    noScript: "Diese Seite braucht JavaScript, um mit deiner Wallet zu sprechen.",
    etch: "Ätzen und minten",
    terms: "Bedingungen",
    testNote: "Eine Test-Community, zum Proben und um eine Wallet auszuprobieren. Ihre Runes haben keinen Wert.",
    firstUnstake: "Zuerst unstaken",
    thenWithdraw: "Dann auszahlen",
  },
};
