import type { proofs as english } from "./en.proofs.ts";

/** The texts of the proofs page in German. */
export const proofs: typeof english = {
  intro: (name) => `Was ${name} veröffentlicht, damit du es selbst prüfen kannst.`,
  epochs: {
    title: "Rewards jeder Epoche",
    text:
      "Für jede beendete Epoche veröffentlicht der Server, wer wie viel gestakt und wer wie viel erhalten hat. " +
      "Alle können es anhand der Blockchain nachrechnen.",
    none: "Noch ist keine Epoche abgerechnet.",
    epoch: (n) => `Epoche ${n}`,
    paid: (amount, token) => `${amount} ${token}`,
    record: "Datensatz (JSON)",
    older: "Ältere Epochen zeigen",
  },
  statements: {
    title: "Signierte Abrechnungen",
    text:
      "Nach jeder Epoche sagt eine signierte Abrechnung, was gezahlt, geschuldet und vorhanden war. In den Tabs " +
      "Staken und Rewards prüft „Meinen Reward prüfen“ deinen. Eine eigene Seite prüft alle, auch offline.",
    none: "Bisher wurde keine Abrechnung signiert.",
    newest: (epoch, date) => `Epoche ${epoch}, signiert zum Stand ${date}`,
    valid: "Dein Browser hat sie gerade geprüft: Die Signatur ist die der Community, und die Summen stimmen.",
    covered: "Sie sagt, dass alles vorhanden ist, was geschuldet wird.",
    uncovered: "Sie sagt, dass weniger vorhanden ist, als geschuldet wird.",
    bad: "Dein Browser konnte die neueste Abrechnung nicht prüfen. Verlass dich erst auf sie, wenn du weißt, warum.",
    link: "Alle Abrechnungen prüfen",
  },
  reserves: {
    title: "Reserven",
    text:
      "Eine Liste aller Bitcoin-Outputs, die Stakes und Rewards decken, zusammen mit allem, was die Community " +
      "schuldet. Vergleiche die Outputs mit einem beliebigen Bitcoin-Node.",
    covered: (height) => `Bei Block ${height} ist alles vorhanden, was geschuldet wird.`,
    short: (height) => `Bei Block ${height} ist weniger vorhanden, als geschuldet wird.`,
    stakes: "Stakes",
    rewards: "Rewards",
    owedOf: (owed, held, token) => `${owed} geschuldet · ${held} ${token} vorhanden`,
    self: (percent) => `${percent} % davon bewegt nichts ohne die Signatur des Eigentümers.`,
    search: "Adresse oder Transaktion suchen",
    output: "Output",
    amount: (token) => `Betrag (${token})`,
    stake: "Stake, Verwahrung des Betreibers",
    selfStake: "Stake, Selbstverwahrung",
    treasury: "Treasury",
    nothing: "Keine passenden Outputs.",
    csv: "Reserven (CSV)",
    link: "Reserven (JSON)",
  },
  keys: {
    title: "Dein eigener Schlüssel",
    text: (blocks, time) =>
      "Einen Stake in Selbstverwahrung bewegst du zusammen mit dem Betreiber, oder nach " +
      `${blocks} Blöcken (etwa ${time}) du allein. Einen in seiner Verwahrung kann der Betreiber auch allein ` +
      "bewegen. Das Recovery-Kit im Tab „Staken“ beweist das für jede deiner Einzahlungen und enthält alles, " +
      "was deine Wallet braucht.",
    recover: "Mit Bitcoin Core allein wiederherstellen",
  },
  incidents: {
    title: "Zwischenfälle",
    text:
      "Was diesen Dienst unterbrochen hat, das Neueste zuerst. Der Server zeichnet es selbst auf, und jede " +
      "signierte Abrechnung enthält alles seit der vorigen.",
    none: "Bisher keine Zwischenfälle.",
    older: "Das sind die neuesten. Die signierten Abrechnungen enthalten alle.",
    kinds: {
      pausePayouts: "Lieferungen und Erstattungen wurden pausiert.",
      pauseAll: "Der ganze Dienst wurde pausiert.",
      resumePayouts: "Lieferungen und Erstattungen laufen wieder.",
      resumeAll: "Der ganze Dienst läuft wieder.",
      accepted: "Der Betreiber hat einen Fehler erklärt, den die Prüfung fand. Er bleibt aufgezeichnet.",
      violation:
        "Die eigene Prüfung des Servers fand einen Fehler in den Büchern. Die betroffenen Lieferungen und " +
        "Erstattungen wurden angehalten.",
      reorg: "Bitcoin hat zu viele Blöcke auf einmal ersetzt. Der Server hat angehalten.",
      refused: "Das Bitcoin-Netzwerk lehnte eine Transaktion dieses Dienstes ab. Nichts ging verloren.",
      restore: "Der Server wurde aus einer Sicherung wiederhergestellt und pausiert.",
      other: "Ein anderer Zwischenfall.",
    },
  },
  limits: {
    title: "Was das nicht zeigen kann",
    text:
      "Eine Liste kann jemanden auslassen, und nur diese Person kann es bemerken. Prüfe deshalb deinen eigenen " +
      "Stake und deine Rewards. Die Listen zeigen, was bei einem Block da war, nicht was morgen geschieht, und alle " +
      "können sie lesen.",
    trust: "Was du dem Betreiber anvertraust, und was ein Angreifer an einem Tag stehlen könnte",
  },
  source: {
    title: "Quellcode",
    version: (version) => `Dieser Server läuft mit Moon Fund ${version}.`,
    link: "Quellcode lesen",
    missing:
      "Moon Fund ist Open Source unter der MIT-Lizenz. Der Betreiber hat den Quellcode hier nicht " +
      "verlinkt.",
    verify: "So prüfst du eine Epoche mit dem Programm selbst:",
  },
};
