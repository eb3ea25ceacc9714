import { order } from "./de.money.ts";
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
  stake,
  history: {
    earnings: "Deine Einnahmen",
    earned: (amount, token, epochs) => `${amount} ${token} in ${counted(epochs, "Epoche", "Epochen")}`,
    none: "Noch keine Einnahmen. Sie erscheinen hier, wenn eine Epoche abgerechnet ist, durch die du gestakt hast.",
    from: "Von Epoche",
    to: "Bis Epoche",
    ends: "Zu Ende",
    stake: "Dein Stake",
    share: "Anteil",
    reward: "Reward",
    csv: "CSV herunterladen",
    nothingHere: "Keine Einnahmen in diesen Epochen.",
    activity: "Aktivität",
    activityNote:
      "Was mit deinen Stakes, Rewards und Orders geschehen ist. Die Datei enthält jede Buchung des Journals.",
    noActivity: "Noch ist nichts geschehen.",
    show: "Anzeigen",
    all: "Alles",
    stakes: "Stakes",
    rewards: "Rewards",
    orders: "Orders und Zahlungen",
    noneOfKind: "Noch keine passende Aktivität.",
    more: "Ältere anzeigen",
    epoch: (n) => `Epoche ${n}`,
    event: (kind) => events[kind] ?? null,
  },
  transaction: {
    title: "Transaktion",
    waiting: "Im Mempool, wartet auf einen Block",
    confirmed: (n) => counted(n, "Bestätigung", "Bestätigungen"),
    block: "Block",
    time: "Zeit",
    size: "Größe",
    fee: "Gebühr",
    rate: (rate) => `${rate} sat/vB`,
    virtualBytes: (size) => `${size} vB`,
    inputs: "Eingänge",
    outputs: "Ausgänge",
    coinbase: "Neue Coins eines Blocks",
    noAddress: "Nachricht (OP_RETURN)",
    spent: "ausgegeben",
    message: "Runes-Nachricht",
    cenotaph: "Fehlerhaft: Alle Runes ihrer Eingänge sind verbrannt.",
    etches: "Ätzt einen neuen Rune.",
    mints: (id) => `Mintet ${id}.`,
    moves: (amount, rune, output) => `${amount} ${rune} an Ausgang ${output}`,
    pointer: (output) => `Der Rest geht an Ausgang ${output}.`,
    unknown: "Diese Transaktion gibt es auf diesem Dev-Netz nicht.",
  },
  terms: {
    title: "Bedingungen",
    intro: "Diese Bedingungen sind ein Platzhalter. Sie werden ersetzt, bevor der Fonds im Hauptnetz öffnet.",
    sections: [
      [
        "Staking",
        "Du sendest Runes an eine Adresse, die für dich gemacht wird. Sie werden gutgeschrieben, wie sie ankommen. " +
        "Gestakte Runes bekommen einen Anteil an den Rewards jeder Epoche.",
      ],
      [
        "Rückholung",
        "Jede Stake-Adresse trägt eine Bedingung, unter der dein eigener Schlüssel allein die Runes nach einer " +
        "Frist zurückholen kann, ohne diese Seite.",
      ],
      [
        "Rewards",
        "Rewards werden am Ende jeder Epoche nach Stake geteilt. Grundlagen und Ergebnisse jeder Epoche sind " +
        "öffentlich, damit alle nachrechnen können.",
      ],
      [
        "Gebühren",
        "Abholen und Auszahlen werden in Satoshis mit Zahlungsorders bezahlt. Jeder Posten des Preises steht da, " +
        "bevor du zustimmst.",
      ],
      [
        "Risiko",
        "Bitcoin-Transaktionen lassen sich nicht rückgängig machen. Prüfe Adressen in deiner Wallet, bevor du " +
        "signierst.",
      ],
    ],
  },
};
