import type { conflict as English } from "./en.conflict.ts";

/** German texts about statements that contradict each other. */
export const conflict: typeof English = {
  fork: (sequence) =>
    `Nichts wurde signiert. Die Abrechnung ${sequence} des Servers setzt den Verlauf nicht fort, den dieser ` +
    "Browser vorher gesehen hat.",
  behind: (seen, shown) =>
    `Nichts wurde signiert. Die neueste Abrechnung des Servers hat die Nummer ${shown}, dieser Browser hat aber ` +
    `schon Nummer ${seen} gesehen.`,
  missing: "Nichts wurde signiert. Der Server zeigt keine Abrechnungen, dieser Browser hat aber schon welche gesehen.",
  unreadable: "Nichts wurde signiert. Die Abrechnung des Servers ist ungültig oder gehört nicht zu dieser Community.",
  unnamed: "Nichts wurde signiert. Die Nachricht des Servers nennt nicht die Abrechnung, die diese Seite geprüft hat.",
  meaning: {
    fork:
      "Eine Community hat einen einzigen Verlauf signierter Abrechnungen. Ein zweiter zeigt verschiedenen Menschen " +
      "verschiedene Rewards oder Schulden. Beide signierten Abrechnungen zusammen beweisen das. Speichere beide " +
      "und frage die Community.",
    behind:
      "Nachdem ein Server aus einem Backup wiederhergestellt wurde, kann das einige Minuten lang vorkommen. " +
      "Bitte versuche es später noch einmal. Bleibt es so, wurden Abrechnungen zurückgezogen: Speichere, was du " +
      "hast, und frage die Community.",
    missing:
      "Nachdem ein Server aus einem Backup wiederhergestellt wurde, kann das einige Minuten lang vorkommen. " +
      "Bitte versuche es später noch einmal. Bleibt es so, wurden Abrechnungen zurückgezogen: Speichere, was du " +
      "hast, und frage die Community.",
    unreadable: "Bitte versuche es später noch einmal. Bleibt es so, speichere die Datei und frage die Community.",
    unnamed: "Bitte lade die Seite neu und versuche es noch einmal. Bleibt es so, frage die Community.",
  },
  safe:
    "Deine Stakes wurden nicht bewegt. Du kannst hier nichts signieren, bis das geklärt ist oder du dich anders " +
    "entscheidest.",
  saveSeen: (sequence) => `Abrechnung ${sequence} von vorher speichern`,
  saveShown: "Die jetzt gezeigte Abrechnung speichern",
  id: (sequence, id) => `Die Abrechnung ${sequence}, die du vorher gesehen hast, hat die Id ${id}.`,
  forget: "Mit den Abrechnungen des Servers fortfahren",
  forgetNote:
    "Tu das nur, wenn die Community es erklärt hat. Dieser Browser vergisst dann, was er vorher gesehen hat.",
  forgotten: "Erledigt. Beginne deine Aktion noch einmal.",
};
