import { order, session, start, unstake } from "./de.money.ts";
import { payment, proof, recovery, rehearsal, stake } from "./de.payment.ts";
import { events } from "./de.events.ts";
import type { LaterText } from "./en.later.ts";

const counted = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

export const later: LaterText = {
  order,
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
    earned: (amount, token, epochs) => `${amount} ${token} in ${counted(epochs, "Epoche", "Epochen")}`,
    none: "Noch keine Erträge. Sie erscheinen hier nach der ersten Epoche, die du von Anfang bis Ende gestakt hast.",
    from: "Von Epoche",
    to: "Bis Epoche",
    ends: "Beendet",
    stake: "Dein Stake",
    share: "Anteil",
    reward: "Reward",
    csv: "Als CSV herunterladen",
    nothingHere: "Keine Erträge in diesen Epochen.",
    activity: "Aktivität",
    activityNote:
      "Alles, was mit deinen Stakes, Rewards und Aufträgen geschehen ist. Der Download enthält auch die einzelnen " +
      "Buchungen.",
    noActivity: "Noch keine Aktivität.",
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
  terms: {
    title: "Nutzungsbedingungen",
    intro: "Dies ist ein Platzhalter. Er wird ersetzt, bevor der Fonds im Bitcoin-Hauptnetzwerk öffnet.",
    sections: [
      [
        "Staking",
        "Du sendest Runes an eine Adresse, die für dich erstellt wird. Sie werden gutgeschrieben, wenn sie " +
        "ankommen. Gestakte Runes erhalten einen Anteil an den Rewards jeder Epoche.",
      ],
      [
        "Rückholung",
        "Mit deinem eigenen Schlüssel kannst du die Runes nach einer Wartefrist von jeder Stake-Adresse " +
        "zurückholen, auch ohne diese Seite.",
      ],
      [
        "Rewards",
        "Rewards werden am Ende jeder Epoche im Verhältnis zum Stake aufgeteilt. Die Grundlagen und Ergebnisse " +
        "jeder Epoche sind öffentlich, damit alle sie nachrechnen können.",
      ],
      [
        "Gebühren",
        "Abholungen und Auszahlungen bezahlst du in Sats. Wir zeigen jeden Bestandteil des Preises, bevor du " +
        "zustimmst.",
      ],
      [
        "Risiko",
        "Bitcoin-Transaktionen lassen sich nicht rückgängig machen. Prüfe die Adressen in deiner Wallet, bevor du " +
        "signierst.",
      ],
    ],
  },
};
