import type { conflict as English } from "./en.conflict.ts";

/** German texts about statements that contradict each other. */
export const conflict: typeof English = {
  fork: (sequence) =>
    `Nichts wurde signiert. Die Erklärung ${sequence} des Servers setzt die Geschichte nicht fort, die dieser ` +
    "Browser vorher gesehen hat.",
  behind: (seen, shown) =>
    `Nichts wurde signiert. Die neueste Erklärung des Servers hat die Nummer ${shown}, dieser Browser hat aber ` +
    `schon Nummer ${seen} gesehen.`,
  missing: "Nichts wurde signiert. Der Server zeigt keine Erklärungen, dieser Browser hat aber schon welche gesehen.",
  unreadable: "Nichts wurde signiert. Die Erklärung des Servers ist ungültig oder gehört nicht zu dieser Community.",
  unnamed: "Nichts wurde signiert. Die Nachricht des Servers nennt nicht die Erklärung, die diese Seite geprüft hat.",
  meaning: {
    fork:
      "Eine Community hat eine einzige Geschichte signierter Erklärungen. Eine zweite zeigt verschiedenen Menschen " +
      "verschiedene Belohnungen oder Schulden. Beide signierten Erklärungen zusammen beweisen das. Speichere beide " +
      "und frage die Community.",
    behind:
      "Nachdem ein Server aus einem Backup wiederhergestellt wurde, kann das einige Minuten lang vorkommen. " +
      "Bitte versuche es später noch einmal. Bleibt es so, wurden Erklärungen zurückgezogen: Speichere, was du " +
      "hast, und frage die Community.",
    missing:
      "Nachdem ein Server aus einem Backup wiederhergestellt wurde, kann das einige Minuten lang vorkommen. " +
      "Bitte versuche es später noch einmal. Bleibt es so, wurden Erklärungen zurückgezogen: Speichere, was du " +
      "hast, und frage die Community.",
    unreadable: "Bitte versuche es später noch einmal. Bleibt es so, speichere die Datei und frage die Community.",
    unnamed: "Bitte lade die Seite neu und versuche es noch einmal. Bleibt es so, frage die Community.",
  },
  safe:
    "Deine Stakes sind, wo sie waren. Du kannst hier nichts signieren, bis das geklärt ist oder du dich anders " +
    "entscheidest.",
  saveSeen: (sequence) => `Erklärung ${sequence} von vorher speichern`,
  saveShown: "Die jetzt gezeigte Erklärung speichern",
  id: (sequence, id) => `Die Erklärung ${sequence}, die du vorher gesehen hast, hat die Kennung ${id}.`,
  forget: "Mit den Erklärungen des Servers fortfahren",
  forgetNote:
    "Tu das nur, wenn die Community es erklärt hat. Dieser Browser vergisst dann, was er vorher gesehen hat.",
  forgotten: "Erledigt. Beginne deine Aktion noch einmal.",
};
