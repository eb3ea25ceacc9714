import { confirmations, session, start, unstake } from "./de.money.ts";
import { order } from "./de.order.ts";
import { refund } from "./de.refund.ts";
import { payment, proof, recovery, rehearsal, stake } from "./de.payment.ts";
import { compounding } from "./de.compounding.ts";
import { economy } from "./de.economy.ts";
import { events } from "./de.events.ts";
import { oneTx } from "./de.oneTx.ts";
import type { LaterText } from "./en.later.ts";

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const later: LaterText = {
  compounding,
  economy,
  oneTx,
  order,
  refund,
  payment,
  proof,
  recovery,
  rehearsal,
  withdrawals: "Deine Auszahlungsaufträge",
  confirmations,
  session,
  stake,
  start,
  unstake,
  history: {
    earnings: "Deine Erträge",
    check: "Meinen Reward prüfen",
    earned: (amount, token, epochs) => `${amount} ${token} in ${counted(epochs, "Epoche", "Epochen")}`,
    from: "Von Epoche",
    to: "Bis Epoche",
    ends: "Beendet",
    stake: "Dein Stake",
    share: "Anteil",
    reward: "Reward",
    use: "Verwendung",
    uses: { COMPOUNDED: "Gestakt", CLAIMED: "Abgeholt", CLAIMABLE: "Noch nicht abgeholt" },
    used: (use, amount) => `${use}: ${amount}`,
    details: "Jede Epoche",
    csv: "Als CSV herunterladen",
    nothingHere: "Keine Erträge in diesen Epochen.",
    activity: "Aktivität",
    showAll: (count) => (count === undefined ? "Alle anzeigen" : `Alle ${count} anzeigen`),
    showLess: "Weniger anzeigen",
    show: "Anzeigen",
    all: "Alle",
    stakes: "Stakes",
    rewards: "Rewards",
    orders: "Aufträge und Zahlungen",
    noneOfKind: "Noch keine passende Aktivität.",
    more: "Ältere anzeigen",
    epoch: (n) => `Epoche ${n}`,
    event: (kind) => events[kind] ?? null,
  },
  recover: {
    open: "Ohne den Betreiber zurückholen",
    title: "Ohne den Betreiber zurückholen",
    what:
      "Nach einer Wartefrist kann dein eigener Schlüssel einen gestakten Output ohne diesen Server an deine " +
      "Ordinals-Adresse zurücksenden. Danach bringt der Stake keine Rewards mehr.",
    guide: "So geht es mit Bitcoin Core allein",
    list: "Deine gestakten Outputs",
    empty: "Du hast keine Outputs zum Zurückholen.",
    cannot: (wallet) =>
      `${wallet} kann diese Transaktion nicht signieren. Lade das Recovery-Kit herunter und nutze eines der dort ` +
      "genannten Programme.",
    isOpen: "Du kannst ihn jetzt zurückholen",
    opens: (block, left) => `Du kannst ihn ab Block ${block} zurückholen, in ${left} Blöcken`,
    unconfirmed: "Wartet auf die erste Bestätigung",
    sign: "Nur signieren",
    send: "Signieren und senden",
    sent: (txid) => `Gesendet: ${txid}`,
    broadcast: "Signiert. Du kannst diese Transaktion mit jedem Bitcoin-Node oder Block-Explorer senden.",
    later: "Signiert. Bewahre diese Transaktion auf und sende sie nach Ablauf der Wartefrist.",
    feeFirst:
      "Dieser Output enthält zu wenige Sats für die aktuelle Netzwerkgebühr. Du kannst die Gebühr aus einem " +
      "anderen deiner Outputs bezahlen: Lade dein Recovery-Kit herunter und führe diesen Befehl aus; ersetze dabei " +
      "TXID:VOUT durch diesen Output. Du brauchst dafür einen Bitcoin-Node. Das Wechselgeld kommt zu dir zurück.",
    copyCommand: "Befehl kopieren",
    needsFee:
      "Signiert, aber dieser Output kann seine Netzwerkgebühr nicht selbst bezahlen. Füge in einer Wallet, die " +
      "PSBTs bearbeiten kann, einen Input etwa in Höhe der Gebühr hinzu und sende dann. Füge keine Outputs hinzu. " +
      "Alles über der Gebühr geht an die Miner.",
    copyTx: "Transaktion kopieren",
    copyPsbt: "PSBT kopieren",
    failed: "Die Rückholung konnte nicht signiert werden. Bitte versuche es noch einmal.",
    mismatch:
      "Die Transaktion des Servers bringt diesen Stake nicht an deine Ordinals-Adresse zurück. Es wurde nichts " +
      "signiert. Dein Recovery-Kit erklärt, wie du ihn ohne diese Seite zurückholst.",
  },
  fees: {
    title: "Kosten",
    dust: "Dust",
    dustNote: "Der kleine Bitcoin-Betrag, der deine Runes trägt. Er kommt in deiner Wallet an.",
    network: "Netzwerkgebühr",
    service: "Servicegebühr",
    rate: (rate) => `bei ${rate} sat/vB`,
    total: "Gesamt",
    scale: "Diese Gebühr im Vergleich zu den aktuellen Netzwerkgebühren",
    nextBlock: "Nächster Block",
    hour: "Innerhalb einer Stunde",
    day: "Innerhalb eines Tages",
    blocks: (n) => `In ${counted(n, "Block", "Blöcken")}`,
    own: "Dieser Auftrag",
    rateValue: (rate) => `${rate} sat/vB`,
  },
  signing: {
    title: "Womit du signierst",
    signers: {
      ordinals: "Mit meiner Ordinals-Adresse",
      both: "Mit beiden Adressen. Danach kann die Zahlungsadresse allein signieren.",
      payment: "Nur mit meiner Zahlungsadresse (nachdem einmal beide signiert haben)",
    },
    byPsbt: (wallet) =>
      `${wallet} kann keine Nachrichten signieren. Stattdessen zeigt sie dir eine Transaktion über 0 Sats. Diese ` +
      "Transaktion kann nie gesendet werden, und ihre Signatur beweist dasselbe.",
    cannot: (wallet) =>
      `${wallet} kann für diese Seite weder Nachrichten noch Transaktionen signieren. Verbinde eine andere Wallet ` +
      "mit denselben Schlüsseln.",
  },
  wallets: {
    title: "Wallet auswählen",
    titleNone: "Noch keine Wallet?",
    none: "Keine Wallet gefunden. Installiere eine davon, um fortzufahren.",
    list: "Wallets",
    getOne: "Wallet holen",
    openIn: "In deiner Wallet öffnen",
    open: "Öffnet diese Seite",
    onPhone:
      "Auf dem Handy arbeitet eine Wallet in ihrem eigenen Browser. Wähle deine, und diese Seite öffnet sich dort.",
    openingPage: (name) => `Diese Seite wird in ${name} geöffnet …`,
    toPhone: "Auf dem Handy öffnen",
    scan: "Scanne das mit der Kamera deines Handys und wähle dort deine Wallet.",
    qr: "QR-Code dieser Seite",
    installed: "Installiert",
    install: "Holen",
    explainer: "Mit einer Wallet sendest, empfängst und verwahrst du digitale Werte. Nur du hast die Schlüssel.",
    installOne: (name) => `${name} installieren`,
    prompt: (name, store) => `Noch kein ${name}? Du bekommst es ${store}.`,
    stores: {
      chrome: "im Chrome Web Store",
      mozilla: "bei den Firefox-Add-ons",
      play: "bei Google Play",
      apple: "im App Store",
      site: "auf seiner Website",
    },
    reloadHint: "Lade diese Seite nach der Installation neu.",
    opening: (name) => `${name} wird geöffnet …`,
    confirm: (name) => `In ${name} bestätigen`,
    noAnswer: (name) => `${name} antwortet nicht. Suche das Fenster der Wallet und versuche es dann noch einmal.`,
    retry: "Erneut versuchen",
  },
  transaction: {
    title: "Transaktion",
    waiting: "Wartet auf die Aufnahme in einen Block",
    confirmed: (n) => counted(n, "Bestätigung", "Bestätigungen"),
    block: "Block",
    time: "Zeit",
    size: "Größe",
    fee: "Gebühr",
    rate: (rate) => `${rate} sat/vB`,
    virtualBytes: (size) => `${size} vB`,
    inputs: "Inputs",
    outputs: "Outputs",
    coinbase: "Neue Coins eines Blocks",
    noAddress: "Nachricht (OP_RETURN)",
    spent: "ausgegeben",
    message: "Runes-Nachricht",
    cenotaph: "Fehlerhaft: Alle Runes in den Inputs werden verbrannt.",
    etches: "Erstellt eine neue Rune.",
    mints: (id) => `Mintet ${id}.`,
    moves: (amount, rune, output) => `${amount} ${rune} an Output ${output}`,
    pointer: (output) => `Der Rest geht an Output ${output}.`,
    unknown: "Diese Transaktion gibt es in diesem Dev-Netzwerk nicht.",
  },
};
