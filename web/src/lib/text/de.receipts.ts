import type { receipts as ReceiptsText } from "./en.receipts.ts";

const kinds: Record<string, string> = {
  stake: "Stake gutgeschrieben",
  unstake: "Unstake angenommen",
  restake: "Restake angenommen",
  compound: "Wiederanlage angenommen",
  claim: "Auszahlung der Rewards angenommen",
  withdraw: "Auszahlung angenommen",
  cancel: "Auftrag storniert",
  payment: "Zahlung gesehen",
  delivery: "Geliefert",
  refund: "Rückzahlung signiert",
};

/** German texts about signed receipts. */
export const receipts: typeof ReceiptsText = {
  open: "Quittungen",
  title: "Quittungen",
  intro:
    "Der Server signiert eine Quittung für jede deiner Aktionen und für jeden Schritt eines Auftrags. Dieser " +
    "Browser prüft sie und bewahrt sie auf. Eine Quittung beweist, was der Server gesagt hat, nicht dass es " +
    "wahr ist.",
  kind: (kind) => kinds[kind] ?? kind,
  kept: (count) =>
    count === 1 ? "Dieser Browser bewahrt 1 Quittung auf." : `Dieser Browser bewahrt ${count} Quittungen auf.`,
  none: "Es gibt noch keine Quittungen. Die erste folgt einige Sekunden nach deiner nächsten Aktion.",
  unreachable: "Neue Quittungen sind gerade nicht abrufbar. Du siehst die Quittungen, die dieser Browser aufbewahrt.",
  unsigned: "Der Server dieser Community signiert keine Quittungen.",
  notLasting: "Dieser Browser kann die Quittungen nicht aufbewahren. Speichere sie, bevor du die Seite schließt.",
  save: "Quittungen speichern",
  saveHint: "Die Datei lässt sich ohne diese Seite prüfen:",
  verifier: "Prüfseite öffnen",
  showAll: (count) => `Alle ${count} anzeigen`,
  invalid: (count) =>
    count === 1
      ? "Der Server hat eine ungültige Quittung gesendet. Sie wurde nicht aufbewahrt."
      : `Der Server hat ${count} ungültige Quittungen gesendet. Sie wurden nicht aufbewahrt.`,
  contradicting:
    "Der Server hat zwei verschiedene Verläufe signiert: Einige Quittungen widersprechen sich. Zusammen beweisen " +
    "sie es.",
  advice: "Speichere sie und frage die Community. Deine Stakes wurden nicht bewegt.",
  show: "Einzelheiten",
  saveInvalid: "Ungültige Quittungen speichern",
  saveContradicting: "Widersprüchliche Quittungen speichern",
  ofOrder: (kinds) => `Signierte Quittungen: ${kinds}.`,
  saveOrder: "Quittungen dieses Auftrags speichern",
};
