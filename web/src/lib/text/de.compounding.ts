import type { compounding as english } from "./en.compounding.ts";

/** German texts about automatic compounding. */
export const compounding: typeof english = {
  title: "Rewards automatisch staken",
  /** The subject of "set up", "change" and "close", for screen readers. */
  subject: "automatisches Staken",
  /** While nothing can be claimed, and automatic staking is off or on. */
  none: "Deine Rewards erscheinen hier nach dem Ende jeder Epoche.",
  noneLeft: "Deine Rewards werden nach dem Ende jeder Epoche gestakt. Deshalb gibt es nichts abzuholen.",
  explain:
    "Kostenlos: Du signierst einmal, und jeder neue Reward wird bei der Abrechnung gestakt. Rewards in einem Auftrag " +
    "und Rewards, die du schon hast, bleiben unberührt. Du kannst es jederzeit beenden.",
  active: (last, left) => `Aktiv bis Epoche ${last}: noch ${left} ${left === 1 ? "Reward" : "Rewards"}.`,
  next: (epoch) =>
    `Als Nächstes: dein Reward der Epoche ${epoch}, sobald er abgerechnet ist. Ältere bleiben, wie sie sind.`,
  off: "Aus",
  setUp: "Einrichten",
  change: "Ändern",
  close: "Schließen",
  over: "Beendet",
  length: "Wie lange",
  epochs: (count, last) => `${count} Epochen, bis Epoche ${last}`,
  begin: "Einschalten",
  renew: "Verlängern",
  end: "Ausschalten",
  note: (last) => `Deine Rewards werden bis Epoche ${last} automatisch gestakt.`,
  noteLink: "Ansehen oder ändern: Rewards",
  begun: "Deine nächsten Rewards werden automatisch gestakt.",
  ended: "Das automatische Staken ist aus. Neue Rewards warten hier auf dich.",
};
