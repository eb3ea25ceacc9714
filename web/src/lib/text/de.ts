import { unlock } from "./de.unlock.ts";
import { visit } from "./de.visit.ts";
import type { Text } from "./en.ts";

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const text: Text = {
  common: {
    loading: "Wird geladen …",
    retry: "Erneut versuchen",
    close: "Schließen",
    opening: "Wird geöffnet …",
    cancel: "Abbrechen",
    copy: "Kopieren",
    copied: "Kopiert",
    copyFull: (what) => `${what} kopieren`,
    dismiss: "Ausblenden",
    details: "Einzelheiten",
    stale: (age) => `Zuletzt aktualisiert vor ${age}.`,
    updating: "Verbindung unterbrochen. Wird wiederhergestellt …",
    sats: "Sats",
    btc: "BTC",
    newTab: "öffnet in einem neuen Tab",
    showMore: (count) => `${count} weitere anzeigen`,
    failed: "Dieser Teil konnte nicht geladen werden.",
    selected: (count, amount) => `${count.toLocaleString("de")} ausgewählt, ${amount}`,
    noneSelected: "Nichts ausgewählt",
    selectAll: "Alle auswählen",
    reset: "Zurücksetzen",
    sort: "Sortieren nach",
    sortDate: "Neueste zuerst",
    sortRunes: "Größte zuerst",
    keepLargest: (count) => `Nur die größten ${count} behalten`,
    tooManyToSign: (count) =>
      `Eine Signatur kann höchstens ${count} Einheiten umfassen. Jeder Stake und jeder Reward ist eine ` +
      "Einheit.",
    noMatch: "Keine Treffer. Versuche es mit einem anderen Suchbegriff.",
  },
  header: {
    home: "Startseite",
    language: "Sprache",
    connect: "Verbinden",
    disconnect: "Trennen",
    reconnect: "Neu verbinden",
    switch: "Konto wechseln",
    connectedAs: (address) => `Verbunden als ${address}. Adresse kopieren`,
    skip: "Zum Inhalt springen",
  },
  figures: {
    title: "Deine Guthaben",
    totalStaked: "Insgesamt gestakt",
    pendingStake: "Ausstehender Stake",
    pendingUnstake: "Ausstehender Unstake",
    yourStake: "Dein Stake",
    claimable: "Verfügbare Rewards",
    share: "Dein Anteil",
    unlocked: "Freigegeben",
    none: "—",
    now: (name, amount) => `${name}: ${amount}.`,
  },
  epoch: {
    title: "Epoche",
    current: "Laufende Epoche",
    next: "Nächste Epoche",
    totalStaked: "Insgesamt gestakt",
    issued: "Ausgegebene Tokens",
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
    unreachable: "Die Seite ist gerade nicht erreichbar. Lade sie neu oder versuche es später noch einmal.",
    offline: "Du bist offline. Diese Seite aktualisiert sich, sobald du wieder verbunden bist.",
    catchingUp:
      "Der Server gleicht sich gerade mit der Bitcoin-Blockchain ab. Du kannst dich schon umsehen; Änderungen sind " +
      "in wenigen Minuten wieder möglich.",
    catchingUpUntil: (block, of, minutes) =>
      `Der Server gleicht sich gerade mit der Bitcoin-Blockchain ab: Block ${block.toLocaleString("de")} von ` +
      `${of.toLocaleString("de")}, noch etwa ` +
      (minutes < 120 ? counted(minutes, "Minute", "Minuten") : counted(Math.round(minutes / 60), "Stunde", "Stunden")) +
      ". Du kannst dich schon umsehen; Änderungen sind danach wieder möglich.",
    paused: "Änderungen sind vorübergehend nicht möglich. Dein Guthaben ist sicher, und Fristen werden verlängert.",
    payoutsPaused:
      "Lieferungen sind vorübergehend angehalten. Bezahlte Aufträge behalten ihren Platz und werden danach " +
      "gesendet.",
    closed:
      "Diese Community ist geschlossen: Neue Stakes sind nicht mehr möglich. Unstaken, Abholen und Auszahlen gehen " +
      "weiter.",
  },
  tabs: {
    label: "Staken, Rewards, Unstaken oder Auszahlen",
    stake: "Staken",
    rewards: "Rewards",
    unstake: "Unstaken",
    withdraw: "Auszahlen",
    connect: "Verbinde deine Wallet und stake los!",
  },
  stake: {
    headline: (token) => `${token} staken`,
    amount: "Betrag",
    balance: "Guthaben",
    half: "Hälfte",
    max: "Max.",
    submit: "Staken",
    submitAmount: (amount, token) => `${amount} ${token} staken`,
    countsSoon: `Bringt ab der nächsten Epoche Rewards. Wenn du unstakst, werden deine Runes ${unlock()}.`,
    minimum: (amount, token) => `Der Mindestbetrag ist ${amount} ${token}.`,
    enter: "Gib einen Betrag ein.",
    noBalance: "Das Guthaben deiner Wallet ließ sich nicht lesen. Du kannst trotzdem einen Betrag eingeben.",
    byHand: (wallet) =>
      `${wallet} kann von dieser Seite aus keine Runes senden. Lass dir hier deine Stake-Adresse anzeigen und ` +
      `sende die Runes aus ${wallet} oder einer anderen Wallet dorthin.`,
    noBalanceMethod: (wallet) =>
      `${wallet} gibt das Rune-Guthaben nicht preis. Gib den Betrag selbst ein. Ist er höher als dein Guthaben, ` +
      "lehnt die Wallet ab.",
    getAddress: "Stake-Adresse anzeigen",
    manual:
      "Sende genau diesen Betrag an deine Stake-Adresse, aus einer beliebigen Wallet mit diesen Runes. Diese Seite " +
      "aktualisiert sich, sobald die Überweisung ankommt.",
    stepSign: "In der Wallet signieren",
    stepBroadcast: "Gesendet",
    stepSeen: "Eingegangen",
    stepCounted: "Bringt Rewards",
    preparing: "Deine Stake-Adresse wird geladen …",
    confirm: "Bestätige die Überweisung in deiner Wallet.",
    sending: (amount, token) => `Du sendest ${amount} ${token} an`,
    sent: (amount, token) => `Du hast ${amount} ${token} gesendet an`,
    address: "Deine Stake-Adresse",
    recovery: (blocks, days) =>
      `Etwa ${days} (${blocks} Blöcke) nach der Einzahlung kannst du deinen Stake mit deinem eigenen Schlüssel ` +
      "zurückholen, auch wenn es diese Seite nicht mehr gibt.",
    days: (days) =>
      days >= 60
        ? `${Math.round(days / 30)} Monate`
        : days >= 2
          ? `${Math.round(days)} Tage`
          : counted(Math.max(1, Math.round(days * 24)), "Stunde", "Stunden"),
    kit: "Recovery-Kit herunterladen",
    kitFailed: "Das Recovery-Kit konnte nicht heruntergeladen werden. Bitte versuche es noch einmal.",
    broadcasted: (txid) => `Transaktion gesendet: ${txid}`,
    waitingSeen: "Warten, bis deine Überweisung im Netzwerk erscheint …",
    seen: (epoch) =>
      epoch === null
        ? "Eingegangen. Bringt ab der nächsten Epoche Rewards."
        : `Eingegangen. Bringt ab Epoche ${epoch} Rewards.`,
    counted: "Dein Stake bringt Rewards.",
    rejectedButSeen:
      "Deine Wallet hat einen Fehler gemeldet, aber die Überweisung wurde gesendet: Deine Einzahlung ist " +
      "eingegangen.",
    hintLost: "Deine Überweisung wurde gesendet. Sie erscheint hier innerhalb einer Minute.",
    again: "Mehr staken",
    steps: "Fortschritt deines Stakes",
    done: "fertig",
    running: "läuft",
  },
  rewards: {
    claimable: "Verfügbar",
    compound: "Rewards staken",
    claim: "Abholen",
    openOrder: "Öffne deinen Abholauftrag",
    activeOrder: "und schließe ihn ab oder storniere ihn, bevor du wieder abholst.",
    orders: "Deine Abholaufträge",
    searchOrders: "Nach Status suchen",
    compounded: (amount, token) => `${amount} ${token} bringen ab der nächsten Epoche Rewards.`,
    perEpoch: "Rewards pro Epoche",
    perEpochNote: "So viel haben alle Staker zusammen erhalten.",
    running: "läuft",
    epochColumn: "Epoche",
    rewardColumn: "Rewards",
    ownersColumn: "Staker",
    yearly: "Geschätzte Jahresrendite",
    yearlyAssumed: (amount, token, share) => `Für ${amount} ${token} mehr, ${share} des gesamten Stakes.`,
    yearlyOver: (most) => `mehr als ${most}`,
    yearlyHow: "So schätzen wir",
    yearlyFormula: (amount, token) =>
      `Wir zählen ${amount} ${token} zu allem, was jetzt gestakt ist, nehmen ihren Anteil an den Rewards dieser ` +
      "Epoche und multiplizieren ihn mit den Epochen von 365 Tagen, ohne Zinseszins.",
    yearlyCaution: (most) =>
      "Jede Epoche schüttet einen festen Gesamtbetrag aus. Die Rendite sinkt deshalb, wenn mehr gestakt wird, und " +
      `steigt, wenn es weniger ist. Sie ist eine Schätzung, kein Versprechen. Renditen über ${most} zeigen wir ` +
      "nicht an: Sie bedeuten nur, dass sehr wenig gestakt ist.",
    claimTitle: "Rewards abholen",
    claimLimit: (count) => `Du holst damit die ältesten ${count} Rewards ab. Den Rest kannst du danach abholen.`,
  },
  calendar: {
    epochs: "Epochenenden zum Kalender hinzufügen",
    unlocks: "Freigaben zum Kalender hinzufügen",
    epochTitle: (community, epoch) => `${community}: Epoche ${epoch} beginnt`,
    epochNote: "Die Rewards der vorigen Epoche werden berechnet. Rechtzeitig gestakte Runes bringen ab jetzt Rewards.",
    unlockTitle: (amount, token) => `${amount} ${token} werden freigegeben`,
    unlockNote: "Du kannst sie jetzt auszahlen oder wieder staken.",
  },
  unstake: {
    title: "Deine Stakes",
    submit: "Unstaken",
    submitAmount: (amount, token) => `${amount} ${token} unstaken`,
    empty: "Noch nichts gestakt. Deine Stakes stehen hier.",
    pending: "Ausstehender Stake",
    pendingFrom: (epoch) => `Ausstehender Stake · bringt ab Epoche ${epoch} Rewards`,
    staked: "Gestakt",
    done: (amount, token) => `${amount} ${token} sind nicht mehr gestakt.`,
  },
  withdraw: {
    title: "Freigegebene und gesperrte Runes",
    restake: "Wieder staken",
    submit: "Auszahlen",
    empty: "Noch nichts da. Runes, die du unstakst, stehen hier, bis du sie auszahlst.",
    warning:
      "Die ausgewählten Runes werden gesperrt, bis sie gesendet werden. Wenn der Zahlungsauftrag abläuft oder " +
      "storniert wird, werden sie wieder freigegeben.",
    unlocked: "Freigegeben",
    pendingUnlock: "Freigabe ausstehend",
    poLocked: "Gesperrt in offenem Zahlungsauftrag",
    batchLocked: "Bezahlt und bereit zum Senden",
    pendingWithdraw: "Bitte schließe die Zahlung ab",
    paidUnconfirmed: "Bezahlt, wartet auf Bestätigung",
    restaked: (amount, token) => `${amount} ${token} bringen ab der nächsten Epoche wieder Rewards.`,
    openOrder: "Zahlungsauftrag öffnen",
    tooMany: (max) =>
      `Ein Auftrag kann höchstens ${max} Einheiten enthalten. Jeder Stake und jeder Reward ist eine Einheit.`,
    dialogTitle: "Auszahlen",
    timeline: "Nächste Freigaben",
    when: "Wann",
    amount: "Betrag",
    now: "Jetzt",
  },
  unit: {
    reward: "Reward",
    self: "Selbstverwahrung",
    operator: "Verwahrt vom Betreiber",
    contested: "Bereits in einer anderen Transaktion ausgegeben. Hier nicht mehr verwendbar.",
    locked: "Gesperrt",
    countdown: (left) => `noch ${left}`,
    soon: "jeden Moment",
  },
  action: {
    sign: "Signiere die Nachricht in deiner Wallet.",
    preparing: "Wird vorbereitet …",
    sending: "Wird gesendet …",
    failedToSign: (action, wallet) =>
      `${wallet} hat die Nachricht für ${action} nicht signiert.`,
    gettingCosts: "Kosten werden berechnet …",
    delivers: "Du erhältst",
    units: (count) => counted(count, "Einheit", "Einheiten"),
    estimateNote: "Das ist eine Schätzung. Der Preis des Auftrags gilt dann 30 Minuten.",
    continue: "Weiter zur Zahlung",
    requesting: "Zahlungsdaten werden geladen …",
    unexpected: (call) => `Der Server hat unerwartet geantwortet (${call}). Bitte versuche es noch einmal.`,
    notConnected: "Verbinde zuerst deine Wallet.",
    notApplied: "Der Server hat die Aktion nicht ausgeführt. Bitte versuche es noch einmal.",
  },
  http: {
    notFound: "Das haben wir nicht gefunden (Fehler 404).",
    internal: "Bei uns ist etwas schiefgegangen (Fehler 500). Bitte versuche es noch einmal.",
    nullBody: "Der Server hat leer geantwortet. Bitte versuche es noch einmal.",
    offline: "Du bist offline. Prüfe deine Verbindung und versuche es noch einmal.",
    unreachable: "Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.",
  },
  visit,
  pages: {
    notFoundTitle: "404",
    notFoundName: "Seite nicht gefunden",
    proofs: "Nachweise",
    transaction: "Transaktion",
    notFound: "Diese Seite wurde leider nicht gefunden",
    home: "Zur Startseite",
    error: "Da ist etwas schiefgegangen. Wir sehen es uns an, hab kurz Geduld!",
    errorId: (id) => `Wenn du dich an uns wendest, nenne bitte den Fehler ${id}.`,
    reload: "Seite neu laden",
    panelError: "Dieser Teil der Seite funktioniert gerade nicht. Alles andere schon.",
    noScript: "Aktiviere JavaScript, um deine Wallet zu verbinden.",
    etch: "Runes erstellen und minten",
    terms: "Nutzungsbedingungen",
    testNote: "Das ist eine Test-Community zum Üben und zum Ausprobieren von Wallets. Ihre Runes haben keinen Wert.",
    firstUnstake: "Zuerst unstaken",
    thenWithdraw: "Dann auszahlen",
  },
};
