import type { EarnText } from "./en.earn.ts";

/** German texts about what a stake earns and costs. */
export const earn: EarnText = {
  amount: (token) => `Wenn du so viele ${token} stakst`,
  perEpoch: "Pro Epoche",
  perYear: "Pro Jahr",
  about: (amount, token) => `etwa ${amount} ${token}`,
  more: (amount, token) => `mehr als ${amount} ${token}`,
  assumed: (share) => `Dabei hättest du ${share} des gesamten Stakes.`,
  alone: "Gerade stakt niemand sonst, also gibt es keine Schätzung: Ein einziger Stake bekommt den ganzen Reward.",
  caveat:
    "Beim heutigen Stake und den heutigen Rewards, ohne Zinseszins. Wenn andere mehr staken, verdienst du weniger. " +
    "Kein Satz ist garantiert.",
  costs: (withdrawal, claim) =>
    `Zurzeit kostet eine Auszahlung etwa ${withdrawal} Sats und das Abholen von Rewards etwa ${claim} Sats; ` +
    "davon kommen je 546 zurück.",
  unclear: (example) => `Gib den Betrag so ein: ${example}.`,
  claimNow: (sats, token, each) =>
    `Abholen kostet zurzeit etwa ${sats} Sats; 546 davon kommen zurück. Das sind etwa ${each} Sats pro ${token}. ` +
    "Rewards zu staken ist kostenlos.",
  each: (token, sats) => `Das sind etwa ${sats} Sats pro ${token}.`,
  worth: (token) => `Wie viele Sats ist dir 1 ${token} wert?`,
  share: (percent) => `Die Kosten betragen etwa ${percent} dieser Rewards.`,
  shareAll: "Die Kosten sind höher als der Wert dieser Rewards.",
  large:
    "Du kannst die Rewards stattdessen kostenlos staken oder warten: Abholen kostet fast immer gleich viel, egal wie " +
    "viel du abholst.",
  wait: (token) => `Abholen kostet fast immer gleich viel. Wenn du wartest, sinken die Kosten pro ${token}.`,
};
