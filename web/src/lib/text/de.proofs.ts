import type { proofs as english } from "./en.proofs.ts";

/** German words of the page with the proofs. */
export const proofs: typeof english = {
  intro: (name) => `Was ${name} veröffentlicht, damit du niemandem glauben musst.`,
  epochs: {
    title: "Rewards jeder Epoche",
    text:
      "Zu jeder abgerechneten Epoche veröffentlicht der Server, wer wie viel gestakt hatte und wer was bekam. Alle " +
      "können es anhand der Blockchain nachrechnen.",
    none: "Noch ist keine Epoche abgerechnet.",
    epoch: (n) => `Epoche ${n}`,
    paid: (amount, token) => `${amount} ${token}`,
    record: "Datensatz (JSON)",
    older: "Ältere Epochen haben dieselbe Adresse mit ihrer eigenen Nummer.",
  },
  reserves: {
    title: "Reserven",
    text:
      "Eine Liste aller Bitcoin-Outputs, die Stakes und Rewards decken, und die gesamten Schulden der Community. " +
      "Vergleiche die Outputs mit einem beliebigen Bitcoin-Node.",
    link: "Reserven (JSON)",
  },
  keys: {
    title: "Dein eigener Schlüssel",
    text: (blocks, time) =>
      "Jede Stake-Adresse kann auf zwei Wegen ausgegeben werden: mit dem Schlüssel des Betreibers, und nach " +
      `${blocks} Blöcken (etwa ${time}) mit deinem Schlüssel allein. Das Recovery-Kit im Tab „Staken“ belegt das für ` +
      "jede deiner Einzahlungen und enthält alles, was deine Wallet braucht.",
  },
  source: {
    title: "Quellcode",
    version: (version) => `Dieser Server läuft mit Moon Fund ${version}.`,
    link: "Quellcode lesen",
    missing:
      "Moon Fund ist quelloffen unter der MIT-Lizenz. Der Betreiber hat keine Kopie verlinkt; frag ihn danach.",
    verify: "So prüfst du eine Epoche mit dem Programm selbst:",
  },
};
