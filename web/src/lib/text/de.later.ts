import { order, session, start, unstake } from "./de.money.ts";
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
  session,
  stake,
  start,
  unstake,
  history: {
    earnings: "Deine Erträge",
    check: "Meinen Reward prüfen",
    earned: (amount, token, epochs) => `${amount} ${token} in ${counted(epochs, "Epoche", "Epochen")}`,
    none: "Noch keine Erträge. Sie erscheinen hier nach der ersten Epoche, die du von Anfang bis Ende gestakt hast.",
    from: "Von Epoche",
    to: "Bis Epoche",
    ends: "Beendet",
    stake: "Dein Stake",
    share: "Anteil",
    reward: "Reward",
    details: "Jede Epoche",
    csv: "Als CSV herunterladen",
    nothingHere: "Keine Erträge in diesen Epochen.",
    activity: "Aktivität",
    activityNote:
      "Alles, was mit deinen Stakes, Rewards und Aufträgen geschehen ist. Der Download enthält auch die einzelnen " +
      "Buchungen.",
    noActivity: "Noch keine Aktivität.",
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
